"""Adapters: they translate chunk records for a framework and decide nothing.

============ ===================================================================
module       what it does
============ ===================================================================
metadata     the one mapping from a chunk record to flat metadata
settings     a framework's names for limits become a `PackConfig`
pages        documents of one page each become one text with page marks
llama_index  `TreepackNodeParser`; only here: LlamaIndex
langchain    `TreepackTextSplitter`; only here: LangChain
============ ===================================================================

Nothing outside imports them but a user, or the package root when one of the two names is asked for.
"""
