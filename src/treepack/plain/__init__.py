"""Plain text becomes blocks: paragraphs and lists, told by blank lines and indentation.

Enters: a `Source`. Leaves: blocks with spans, in order. Imports ``model``.

======= =========================================================================================
choice  whether a text is markdown or plain, and why
marks   the marks that headings have in other formats
lines   lines with their indentation and the marker that they begin with; runs of lines whose
        columns say something: tables, figures, code
blocks  runs of lines become paragraphs and lists
======= =========================================================================================
"""
