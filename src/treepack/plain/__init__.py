"""Turns plain text into blocks: paragraphs and lists, found by blank lines and indentation."""
