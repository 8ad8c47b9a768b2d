"""What the command line writes: pages for people, files, messages, progress."""
