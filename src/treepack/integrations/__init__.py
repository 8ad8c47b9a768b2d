"""Adapters: they translate chunk records for a framework and decide nothing.

Input and output have the framework's own types. Most adapters join their input into one text
(``inputs``), pack it with a cap that counts what the framework shows with a chunk, and make nodes,
documents or rows of the chunks (``metadata``).

============= ==================================================================
module        what it does
============= ==================================================================
metadata      the one mapping from a chunk record to flat metadata
settings      a `PackConfig` from a framework's names for limits
files         the file that a document comes from, by its loader's metadata
formats       recognises a document's HTML or JSON, and converts it to markdown
pages         joins documents of one page each into one text with page marks
inputs        makes one document of an input: formats, pages, pieces of an earlier split
chunk_clauses the clauses that a chunk belongs to, for filters of stores
extras        the error for a framework that is not installed
llama_index   `TreepackNodeParser` and all else for LlamaIndex
haystack      `TreepackSplitter` for Haystack
docling       `TreepackChunker` for docling-core
langchain     `TreepackTextSplitter` and all else for LangChain
families      parents with their children, for retrievers over stores
pdf_texts     a PDF as one text with markup for headings and marks for pages
arrow         chunks as tables, and tables of documents into tables of chunks
ray           the same for Ray's datasets
spark         the same for Spark's data frames
============= ==================================================================

Only the module of a framework imports it; pyarrow is imported by ``ray`` and ``spark`` as well. The
modules themselves are imported by users, by the package root on first use of an adapter, and by the
command line for Parquet.
"""
