"""Adapters: they translate chunk records for a framework and decide nothing.

Enters: what a framework gives. Leaves: what it takes. Each adapter makes one text of what is given
(``inputs``), packs it under a template of what the framework will show (``metadata``), and writes
nodes, documents or rows from the chunks.

============ ===================================================================
module       what it does
============ ===================================================================
metadata     the one mapping from a chunk record to flat metadata
settings     a framework's names for limits become a `PackConfig`
formats      a document's text that is HTML or JSON becomes markdown
pages        documents of one page each become one text with page marks
inputs       what is given becomes one document: formats, pages, pieces of an earlier split
places       the clauses that a chunk stands in, for filters of stores
extras       what is said when a framework is not installed
llama_index  `TreepackNodeParser` and its nodes; only here: LlamaIndex
langchain    `TreepackTextSplitter`; only here: LangChain
arrow        tables of documents become tables of chunks; ``schema``: their columns
ray          the same for Ray's datasets, and tasks on Ray's workers; only here: Ray
spark        the same for Spark's data frames; only here: PySpark
============ ===================================================================

Nothing outside imports them but a user, the package root when one of the two names is asked for,
and the command line for Parquet and for Ray.
"""
