"""What the audit finds in packed chunks."""

from treepack import Chunks, audit
from treepack.laws import Finding


def findings_in(chunks: Chunks) -> tuple[Finding, ...]:
    """Return the findings under the settings that the chunks remember."""
    assert chunks.origin is not None, "packed chunks remember it"
    return audit(chunks.origin, chunks).findings
