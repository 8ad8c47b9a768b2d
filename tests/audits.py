"""What the audit finds in packed chunks."""

from treepack import Chunks, audit


def findings_in(chunks: Chunks) -> tuple[object, ...]:
    """Return the findings under the settings that the chunks remember."""
    assert chunks.origin is not None, "packed chunks remember it"
    return audit(chunks.origin, chunks).findings
