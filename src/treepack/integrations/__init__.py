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
llama_index  `TreepackNodeParser` and all else for LlamaIndex; only here: LlamaIndex
haystack     `TreepackSplitter`; only here: Haystack
docling      `TreepackChunker`; only here: docling-core
langchain    `TreepackTextSplitter` and all else for LangChain; only here: LangChain
families     parents with their children, for retrievers over stores
pdf_texts    a PDF as one text with marks for headings and pages
arrow        tables of documents become tables of chunks; ``schema``: their columns
ray          the same for Ray's datasets, and tasks on Ray's workers; only here: Ray
spark        the same for Spark's data frames; only here: PySpark
============ ===================================================================

Who imports them: users; the package root, when one of the four adapters is asked for; and the
command line, for Parquet and Ray.
"""
