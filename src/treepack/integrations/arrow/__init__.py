"""Tables in, tables out: packing of Arrow data (extra ``arrow``).

``schema`` defines the columns, ``tables`` packs, reads and writes tables.
"""

# pyarrow has no types.
# pyright: reportUnknownVariableType=false

from treepack.integrations.arrow.tables import (
    SCHEMA,
    chunks_to_table,
    pack_batches,
    pack_table,
    read_parquet,
)

__all__ = ["SCHEMA", "chunks_to_table", "pack_batches", "pack_table", "read_parquet"]
