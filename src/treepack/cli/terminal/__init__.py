"""What the command line writes.

``page`` draws a document on one page, ``chunks`` prints texts of chunks, ``tables`` figures;
``lines`` fits all that to a terminal. ``preview`` is the form of chunks in a markdown file, and
``output`` holds files, standard output, messages and progress.
"""
