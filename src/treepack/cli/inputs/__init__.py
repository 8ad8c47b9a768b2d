"""What the command line reads: paths become documents, and files of chunks become records."""
