"""Many documents, in this process or in several.

``many`` is the way in, ``work`` keeps their order, ``workers`` owns the processes.
"""
