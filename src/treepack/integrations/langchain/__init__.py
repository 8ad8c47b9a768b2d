"""The adapter for LangChain (extra ``langchain``)."""

# Imported first, because its error is the one to be raised if LangChain is not installed.
from treepack.integrations.langchain.splitter import TreepackTextSplitter

# isort: split
from treepack.config import Policies
from treepack.integrations.langchain.retriever import TreepackRetriever

__all__ = ["Policies", "TreepackRetriever", "TreepackTextSplitter"]
