"""Tables of a page: between rules on all sides, or with rules above and below alone (booktabs).

``finder``    the tables of a page
``rules``     lines and frames that were drawn
``grid``      tables with rules between their cells; ``booktabs`` those without
``wrapped``   rows of cells that wrap, told without rules
``cells``     the text of a cell

Enters: the lines and rules of a page. Leaves: tables, and the lines they hold.
"""
