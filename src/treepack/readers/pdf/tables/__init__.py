"""Tables of a page: with rules on all sides, only above and below (booktabs), or without any.

``finder``    the tables of a page
``rules``     lines and frames that were drawn
``grid``      tables with rules between their cells; ``booktabs`` tables without
``aligned``   tables of numbers without any rules
``columns``   where columns begin that no rules separate, and the text of cells
``wrapped``   rows of cells that wrap, found without rules

Enters: the lines and rules of a page. Leaves: tables, and the lines they hold.
"""
