"""docling's HybridChunker and one tokenizer pass in turns, in a Python without treepack.

docling-core's extra for tiktoken excludes the version of tiktoken that treepack needs. Therefore
`suite.py --docling-python PYTHON` runs this file with another Python, which has:

    pip install "docling-core[chunking-openai]" "docling-slim[format-markdown,format-html]" \
        huggingface_hub transformers

It reads documents as a JSON list of texts from standard input, and prints the figures as JSON.
"""

import json
import statistics
import sys
import time
from importlib.metadata import version
from io import BytesIO

import tiktoken
from docling.backend.md_backend import MarkdownDocumentBackend
from docling.datamodel.base_models import InputFormat
from docling.datamodel.document import InputDocument
from docling_core.transforms.chunker.hybrid_chunker import HybridChunker
from docling_core.transforms.chunker.tokenizer.openai import OpenAITokenizer
from tiktoken.load import load_tiktoken_bpe
from tiktoken_ext import openai_public

PACKAGES = ("docling-core", "docling-slim", "tiktoken")


def main(vocabulary: str, name: str, cap: int, rounds: int) -> None:
    """Measure, and print medians in CPU seconds.

    Args:
        vocabulary: The ``.tiktoken`` file of the encoding, so that nothing is downloaded.
        name: The encoding.
        cap: The maximum of tokens in a chunk.
        rounds: How often all documents are packed.
    """
    openai_public.load_tiktoken_bpe = lambda *_args, **_options: load_tiktoken_bpe(vocabulary)
    encoding = tiktoken.get_encoding(name)
    chunker = HybridChunker(tokenizer=OpenAITokenizer(tokenizer=encoding, max_tokens=cap))
    texts: list[str] = json.load(sys.stdin)
    floors: list[float] = []
    seconds: list[float] = []
    chunks(texts[0][:1000], chunker)  # a warm-up: the first text loads what all need
    failures = 0
    for _ in range(rounds):
        floor = spent = 0.0
        for text in texts:
            begun = time.process_time()
            encoding.encode_ordinary(text)
            between = time.process_time()
            try:
                chunks(text, chunker)
            except Exception:  # noqa: BLE001 - a peer's failure is a figure here
                failures += 1
            floor += between - begun
            spent += time.process_time() - between
        floors.append(floor)
        seconds.append(spent)
    figures = {
        "floor": statistics.median(floors),
        "seconds": statistics.median(seconds),
        "failures": failures,
        "versions": ", ".join(f"{package} {version(package)}" for package in PACKAGES),
    }
    print(json.dumps(figures))


def chunks(text: str, chunker: HybridChunker) -> list[str]:
    """Return the texts of the chunks of a markdown document."""
    data = BytesIO(text.encode())
    given = InputDocument(data, InputFormat.MD, MarkdownDocumentBackend, filename="document.md")
    document = MarkdownDocumentBackend(given, data).convert()
    return [chunk.text for chunk in chunker.chunk(document)]


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4]))
