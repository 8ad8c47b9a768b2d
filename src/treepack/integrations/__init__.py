"""Adapters: they translate chunk records for a framework and decide nothing.

============ ===================================================================
module       what it does
============ ===================================================================
metadata     the one mapping from a chunk record to flat metadata
settings     a framework's names for limits become a `PackConfig`
formats      a document's text that is HTML or JSON becomes markdown
pages        documents of one page each become one text with page marks
inputs       what is given becomes one document: formats, pages, pieces of an earlier split
extras       what is said when a framework is not installed
llama_index  `TreepackNodeParser`; only here and in llama_nodes: LlamaIndex
llama_nodes  its nodes: budget, metadata, positions, relations
langchain    `TreepackTextSplitter`; only here: LangChain
pdf_texts    a PDF as one text with marks for headings and pages
langchain_…  ``langchain_pdf``: a loader and a parser of PDFs; ``llama_index.pdf``: a reader
arrow        tables of documents become tables of chunks
arrow_schema the columns of such tables
ray          the same for Ray's datasets, and tasks on Ray's workers; only here: Ray
spark        the same for Spark's data frames; only here: PySpark
============ ===================================================================

Nothing outside imports them but a user, the package root when one of the two names is asked for,
and the command line for Parquet and for Ray.
"""
