"""What the command line writes.

``page`` draws a document on one page, ``chunks`` prints texts of chunks, and ``tables`` formats
figures. ``lines`` makes text fit a terminal. ``preview`` writes chunks as markdown, and ``output``
handles files, standard output, messages and progress.
"""
