"""What the command line reads.

Enters: paths, as people write them. Leaves: documents with their names, and records of chunks.
``files`` names and reads documents, ``folders`` finds the documents of a folder, ``ignored`` knows
which files a ``.gitignore`` or ``--exclude`` leaves out, ``records`` reads files of chunks.
"""
