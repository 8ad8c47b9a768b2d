"""What the command line reads.

Enters: paths, as people write them. Leaves: documents with their names, and records of chunks.
``files`` names and reads documents; ``folders`` says which files of a folder are documents, and
``ignored`` which a ``.gitignore`` or ``--exclude`` leaves out; ``records`` reads files of chunks.
"""
