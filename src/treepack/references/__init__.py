"""References in a text: ``see 5.1.2``, ``Article 12(3)(a)``, ``Table 3``, links to anchors.

Enters: a `Document` and its clauses. Leaves: `FoundReference`s. ``candidates`` finds
where a reference may be, ``words`` has the patterns, ``finder`` reads the references,
``cited_clauses`` and ``targets`` resolve them.
"""
