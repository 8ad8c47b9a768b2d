"""Printed numbers: ``5.1.2``, ``Article 12``, ``§ 3``, ``(iv)``, ``Annex B``.

Input: the first words of a heading, a paragraph or an item. Output: a `ClauseNumber`, or None if
they are not a clause number but a version, a date or a quantity. Start reading at ``grammar``;
``heading_numbers`` decides with all headings of a document, ``nesting`` what belongs below what.
"""
