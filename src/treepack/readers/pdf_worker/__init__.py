"""PDFium in a process of its own, because it may hang or crash; limits bound what it takes.

``process``  the process as its parent sees it: limits, error messages, reuse, its end
``main``     what runs in the process; only ``pdfium`` uses PDFium
``messages`` the messages between both: what a page holds, as it is sent

Enters: the bytes of a PDF. Leaves: the content of its pages, its bookmarks and labels. Of the rest
of treepack, it imports only `treepack.errors`.
"""
