"""What the command line reads.

Enters: paths, as people write them. Leaves: documents with their names, and records of chunks.
``files`` names and reads documents, ``folders`` finds the documents of a folder, ``records`` reads
files of chunks.
"""
