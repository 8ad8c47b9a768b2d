"""Tables of a page: with rules on all sides, or only above and below (booktabs).

``finder``    the tables of a page
``rules``     lines and frames that were drawn
``grid``      tables with rules between their cells; ``booktabs`` tables without
``columns``   where columns begin that no rules separate, and the text of cells

Enters: the lines and rules of a page. Leaves: tables, and the lines they hold.
"""
