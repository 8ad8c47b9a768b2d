"""Turn plain text into blocks: paragraphs and lists, found by blank lines and indentation.

Input: a `Source`. Output: blocks with spans, in order. Imports ``model``.

============== ==================================================================================
choice         whether a text is markdown or plain, and why
lines          lines with their indentation and the marker that they begin with; runs of lines whose
               columns have a meaning: tables, figures, code
blocks         turns runs of lines into paragraphs and lists
============== ==================================================================================
"""
