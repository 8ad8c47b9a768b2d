"""References in a text: ``see 5.1.2``, ``Article 12(3)(a)``, ``Table 3``, links to anchors.

``grammar`` finds what may be a reference and reads its numbers; ``finder`` looks them up among the
``targets`` of a document.
"""
