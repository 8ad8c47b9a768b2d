"""Adapters: they translate chunk records for a framework and decide nothing.

Input and output have the framework's own types. Most adapters join their input into one text
(``inputs``), pack it with a cap that counts what the framework shows with a chunk, and make nodes,
documents or rows of the chunks (``metadata``). Only the module of a framework imports it.
"""
