"""The adapter for LangChain: `TreepackTextSplitter` and `TreepackRetriever`.

``splitter`` makes documents of chunks, ``arguments`` checks its arguments, ``retriever`` fills a
context with what a vector store found, ``pdf`` loads PDFs. Needs the extra ``langchain``.
"""

# Imported first, because its error is the one to be raised if LangChain is not installed.
from treepack.integrations.langchain.splitter import TreepackTextSplitter

# isort: split
from treepack.integrations.langchain.retriever import TreepackRetriever
from treepack.settings import Policies

__all__ = ["Policies", "TreepackRetriever", "TreepackTextSplitter"]
