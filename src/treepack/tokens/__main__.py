"""Pack a vocabulary file of tiktoken: ``python -m treepack.tokens RAW_FILE OUT``."""

import sys
from pathlib import Path

from treepack.tokens.vocabulary import pack_vocabulary

raw_file, packed_file = map(Path, sys.argv[1:])
packed_file.write_bytes(pack_vocabulary(raw_file.read_bytes()))
