"""PDFium in a process of its own: it may hang or break, and takes only so much.

``process``  the process as its parent sees it: limits, reuse, its end
``main``     what runs in it; ``pdfium`` alone speaks to PDFium
``messages`` how both talk: what a page holds, as it is sent
``limits``   what a document may take, and errors in words

Enters: the bytes of a PDF. Leaves: the content of its pages, its bookmarks and labels. May import:
nothing else of treepack.
"""
