"""Tables of a page: with rules on all sides, or only above and below (booktabs).

``finder``    the tables of a page
``grid``      rules that were drawn, and tables with rules between their cells
``booktabs``  tables without rules between columns
``columns``   where columns begin that no rules separate, and the text of cells

Enters: the lines and rules of a page. Leaves: tables, and the lines they hold.
"""
