"""What docs/how-to/strangers.md promises: no code, no network, no file, no writing.

Python itself reports what a process does (``sys.addaudithook``). A hook cannot be removed,
so the documents are packed in a process of their own.
"""

import json
import subprocess
import sys
from base64 import b64encode
from pathlib import Path
from typing import Any

import pytest
from docling_documents import Doc
from docx_files import archive, docx, field, p

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
MARKER = "the secret that stands in a file"


def documents(secret: Path) -> dict[str, tuple[str, bytes]]:
    """Documents that ask for code to be run and for files and addresses to be opened."""
    url = secret.as_uri()
    command = f"cp {secret} {secret}.copy"
    markdown = (
        f"---\na: !!python/object/apply:os.system ['{command}']\nb: !include {secret}\n---\n\n"
        f"# A ![i]({url}) [l](file://{secret})\n\n{{% include '{secret}' %}}\n\n"
        f'{{{{ config.__class__ }}}}\n\n<!-- #include file="{secret}" -->\n\n'
        f"```{{python}}\nopen({str(secret)!r}).read()\n```\n\n::: include\n{secret}\n:::\n\n"
        f"[x]: {url}\n\n{secret}\n\n<img src='{url}'>\n\n<iframe src='{url}'></iframe>\n"
    )
    page = (
        f"<!doctype html><html><head><base href='{url}'><link rel=stylesheet href='{url}'>"
        f"<meta http-equiv=refresh content='0;url={url}'><script src='{url}'></script></head>"
        f"<body><h1>A</h1><p>Text.</p><img src='{url}' onerror='fetch(1)'><object data='{url}'>"
        f"</object><iframe src='http://127.0.0.1:9/'></iframe><style>@import '{url}';</style>"
        f"<p>{secret}</p></body></html>"
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
        "text": ("text", markdown.encode()),
        "path": ("text", str(secret).encode()),
        "html": ("html", page.encode()),
        "docling": ("docling", json.dumps(docling.record).encode()),
        "elements": ("elements", json.dumps(elements).encode()),
        "word": ("docx", docx(body)),
        "word with parts elsewhere": ("docx", _pointing_out(url)),
    }


def _pointing_out(url: str) -> bytes:
    """Return a Word document whose styles, pictures and template are at another address."""
    office = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"
    package = "http://schemas.openxmlformats.org/package/2006/relationships"
    word = "http://schemas.openxmlformats.org/wordprocessingml/2006/main"
    kinds = ("styles", "numbering", "image", "attachedTemplate", "footnotes", "hyperlink")
    outside = "".join(
        f'<Relationship Id="{k}" Type="{office}/{k}" Target="{url}" TargetMode="External"/>'
        for k in kinds
    )
    return archive(
        {
            "_rels/.rels": (
                f'<Relationships xmlns="{package}"><Relationship Id="a"'
                f' Type="{office}/officeDocument" Target="word/document.xml"/></Relationships>'
            ).encode(),
            "word/_rels/document.xml.rels": (
                f'<Relationships xmlns="{package}">{outside}</Relationships>'
            ).encode(),
            "word/vbaProject.bin": b"macro",
            "word/document.xml": (
                f'<w:document xmlns:w="{word}"><w:body><w:p><w:r><w:t>Text.</w:t></w:r></w:p>'
                "</w:body></w:document>"
            ).encode(),
        }
    )


def test_no_document_opens_a_file_or_address_or_runs_code(tmp_path: Path) -> None:
    pytest.importorskip("jinja2")
    secret = tmp_path / "secret.md"
    secret.write_text(MARKER, encoding="utf-8")
    given = {
        name: (form, b64encode(data).decode()) for name, (form, data) in documents(secret).items()
    }
    done = subprocess.run(
        [sys.executable, "-W", "ignore", "-c", WATCH],
        check=True,
        capture_output=True,
        input=json.dumps(given),
        text=True,
        cwd=tmp_path,
    )
    record = json.loads(done.stdout)
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
    given = {"text": ("text", b64encode(b"# A\n\nText.").decode())}
    done = subprocess.run(
        [sys.executable, "-c", opening],
        check=True,
        capture_output=True,
        input=json.dumps(given),
        text=True,
        cwd=tmp_path,
    )
    assert "d.txt" in str(json.loads(done.stdout)["seen"])
