"""What the command line writes.

``chunks`` and ``tables`` are for people to read, ``preview`` shows a document, ``output`` holds
files, standard output and messages.
"""
