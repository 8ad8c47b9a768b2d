"""Printed numbers: ``5.1.2``, ``Article 12``, ``§ 3``, ``(iv)``, ``Annex B``.

Input: the first words of a heading, a paragraph or an item. Output: a `ClauseNumber`, or None if
they are not a clause number but a version, a date or a quantity.

=============== ==================================================================================
clause_number   `ClauseNumber`: kind, label, parts
words           the words before a number, in many languages, and the values of numerals
grammar         the patterns: `parse_clause`
written_out     numbers in words: ``ARTICLE ONE``, ``First Schedule``
decimals        numbers in digits, ``5.1.2``, and in brackets: ``(1)``, ``a)``, ``(1.1)``
continuations   distinguishes a title after a number from prose: ``11.5 of this standard applies``
heading_numbers the numbers of all headings of a document
nesting         which numbers belong below which
=============== ==================================================================================
"""
