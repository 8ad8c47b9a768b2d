"""Many documents, in this process or in several.

``many`` is the entry point, ``work`` keeps the order of results, ``workers`` owns the processes.
"""
