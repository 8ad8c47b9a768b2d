"""What docs/how-to/strangers.md promises: no code, no network, no file, no writing.

Python itself reports what a process does (``sys.addaudithook``). A hook cannot be removed,
so the documents are packed in a process of their own.
"""

import json
import re
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from case_files import CASES
from docling_documents import Doc
from docx_files import archive, docx, field, p, related, unpacked

WATCH = """
import json, os, sys
from base64 import b64decode
from treepack import PackConfig, Source, audit, pack, parse, read
import treepack.report_page

WATCHED = (
    "open", "exec", "compile", "os.", "shutil.", "socket.", "subprocess.", "urllib.", "http.",
    "ftplib.", "smtplib.", "webbrowser.", "tempfile.", "pickle.", "marshal.", "ctypes.", "import",
)
seen, is_on = [], False

HOME = os.path.dirname(treepack.report_page.__file__)  # whose style sheet each report holds

def hook(event, arguments):
    if event == "open" and str(arguments[0]).startswith(HOME):
        return
    if is_on and event.startswith(WATCHED):
        seen.append([event, repr(arguments)[:200]])

def everything(data, form):
    source = read(data, form, name="d") if form != "text" else Source(data.decode(), "d")
    config = PackConfig(max_tokens=64)
    document = parse(source)
    chunks = pack(document, config)
    chunks_again = type(chunks).from_jsonl(chunks.to_jsonl())
    audit(source, chunks_again, config)
    type(document).from_json(document.to_json())
    return chunks.to_jsonl() + treepack.report(chunks) + chunks.outline()

sys.addaudithook(hook)
said = {}
for name, (form, data) in json.load(sys.stdin).items():
    everything(b64decode(data), form)  # what is imported for the first document is read from disk
    is_on = True
    said[name] = everything(b64decode(data), form)
    is_on = False
print(json.dumps({"seen": seen, "said": said}))
"""
WRITTEN = [CASES.joinpath("read", f"stranger.{end}").read_text("utf-8") for end in ("md", "html")]
MARKER = "the secret that stands in a file"


def documents(secret: Path) -> dict[str, tuple[str, bytes]]:
    """Documents that ask for code to be run and for files and addresses to be opened."""
    url = secret.as_uri()
    command = f"cp {secret} {secret}.copy"
    markdown, page = (
        text.replace("{url}", url).replace("{secret}", str(secret)).encode() for text in WRITTEN
    )
    docling = Doc()
    docling.text(str(secret))
    docling.add("pictures", label="picture", image={"uri": url, "mimetype": "image/png"})
    elements: list[dict[str, Any]] = [
        {"type": "Image", "text": "i", "metadata": {"image_path": str(secret)}},
        {"type": "NarrativeText", "text": str(secret), "metadata": {"filename": str(secret)}},
    ]
    body = (
        p("A", "berschrift1")
        + p(field(f'INCLUDETEXT "{secret}"', "<w:r><w:t>result</w:t></w:r>"))
        + p(field(f"DDEAUTO {command}", "<w:r><w:t>result</w:t></w:r>"))
        + '<w:p><w:hyperlink r:id="out"><w:r><w:t>link</w:t></w:r></w:hyperlink></w:p>'
    )
    return {
        "text": ("text", markdown),
        "path": ("text", str(secret).encode()),
        "html": ("html", page),
        "docling": ("docling", json.dumps(docling.record).encode()),
        "elements": ("elements", json.dumps(elements).encode()),
        "word": ("docx", docx(body)),
        "word with parts elsewhere": ("docx", _pointing_out(url)),
    }


def _pointing_out(url: str) -> bytes:
    """Return a Word document whose styles, pictures and template are at another address."""
    kinds = ("styles", "numbering", "image", "attachedTemplate", "footnotes", "hyperlink")
    outside = "".join(
        f'<Relationship Id="{k}" Type="OFFICE/{k}" Target="{url}" TargetMode="External"/>'
        for k in kinds
    )
    files = unpacked(docx(p("Text."))) | {"word/vbaProject.bin": b"macro"}
    name = "word/_rels/document.xml.rels"
    files[name] = re.sub(rb"<Relationship [^>]*>", b"", files[name])
    for part in ("word/styles.xml", "word/numbering.xml"):
        del files[part]
    return related(archive(files), outside)


def watched(script: str, given: dict[str, tuple[str, bytes]], folder: Path) -> dict[str, Any]:
    """Run a script on documents in a process of its own, and return what it reports."""
    sent = {name: (form, b64encode(data).decode()) for name, (form, data) in given.items()}
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", script],
        check=True,
        capture_output=True,
        input=json.dumps(sent),
        text=True,
        cwd=folder,
    )
    record: dict[str, Any] = json.loads(done.stdout)
    return record


def test_no_document_opens_a_file_or_address_or_runs_code(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    secret = tmp_path / "secret.md"
    secret.write_text(MARKER, encoding="utf-8")
    given = documents(secret)
    record = watched(WATCH, given, tmp_path)
    assert record["seen"] == []
    assert set(record["said"]) == set(given)
    assert not [name for name, said in record["said"].items() if MARKER in said]
    assert [file.name for file in tmp_path.iterdir()] == ["secret.md"]


def test_the_audit_hook_detects_an_opened_file(tmp_path: Path) -> None:
    """Otherwise the test above would pass whatever happens."""
    opening = (
        WATCH.replace("document = parse(source)", "open('d.txt', 'w'); parse(source)")
        .replace("chunks = pack(document", "chunks = pack(source")
        .replace("type(document).from_json(document.to_json())", "")
    )
    record = watched(opening, {"text": ("text", b"# A\n\nText.")}, tmp_path)
    assert "d.txt" in str(record["seen"])
