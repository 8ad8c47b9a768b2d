"""What the command line writes.

``page`` prints documents and chunks for people, ``output`` handles files, standard output, messages
and progress.
"""
