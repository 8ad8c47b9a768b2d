"""Links and emphasis of HTML, Word and Docling are kept if this is requested."""

import re
from pathlib import Path
from typing import Any

import pytest
from docling_documents import Doc
from docx_files import DEFAULT_STYLES, archive, docx, r, unpacked
from typer.testing import CliRunner

from treepack import PackConfig, audit, pack, read
from treepack.cli.app import app
from treepack.readers.docling.reader import read_docling
from treepack.readers.html.reader import read_html
from treepack.readers.links_and_emphasis import KeepOptions

KEEP_BOTH = KeepOptions(links=True, emphasis=True)


@pytest.mark.parametrize(
    ("html", "expected"),
    [
        ("<p>See <a href='https://e.x/a'>the rules</a>.", "See [the rules](https://e.x/a).\n"),
        ("<p><a href='u'>a <code>b[0]</code> [1]</a>", "[a `b[0]` \\[1\\]](u)\n"),
        ("<p><a href='u'><img src=p alt=P></a>", "[![P](p)](u)\n"),
        ("<p><a href='a (b) c'>x</a>", "[x](a%20%28b%29%20c)\n"),
        ("<p><a href=u>x </a>y<a href=u> z</a>", "[x](u) y [z](u)\n"),
        ("<p><a href=u>x</a><a href=u>y</a>", "[x](u)[y](u)\n"),
        ("<p>wow!<a href=u>x</a>", "wow\\![x](u)\n"),
        ("<p><a href=u>a<p>b</a>", "[a](u)\n\n[b](u)\n"),
        ("<a href=u><h2>T</h2></a>", "## [T](u)\n"),
        ("<h2>T <a href=u>v</a></h2>", "## T [v](u)\n"),
        ("<dl><dt>T <a href=u>v</a><dd>d</dl>", "- **T** [**v**](u)\n\n  d\n"),
        ("<p><b>All <a href=u>of it</a></b>", "**All** [**of it**](u)\n"),
        # links to nowhere outside the document, and links whose text is only their target
        ("<p><a href='#top'>a</a> <a href=''>b</a> <a>c</a>", "a b c\n"),
        ("<p><a href='JavaScript:x()'>a</a> <a href='data:,b'>b</a>", "a b\n"),
        ("<p><a href='https://e.x'>https://e.x</a>", "https://e.x\n"),
        ("<p><a href='mailto:a@e.x'>a@e.x</a>", "a@e.x\n"),
        (f"<p><a href='{'u' * 2001}'>a</a>", "a\n"),
        # emphasis
        ("<p>A <b>term</b> and <em>another</em>.", "A **term** and *another*.\n"),
        ("<p><b>Note:</b>x<i>(y)</i>z", "**Note**:x(*y*)z\n"),
        ("<p><b>a <code>c</code> d</b> e", "**a** `c` **d** e\n"),
        ("<p><b>a<br>b</b> c", "**a**\n**b** c\n"),
        ("<p>x<b> , </b>y", "x , y\n"),
        ("<p>a <span style='font-style: italic'>b</span>", "a *b*\n"),
    ],
)
def test_links_and_emphasis_of_a_page_are_kept_on_request(html: str, expected: str) -> None:
    assert expected == read_html(html, keep=KEEP_BOTH).text


def test_cells_and_captions_keep_links() -> None:
    row = "<tr><td><a href='u|v'>l ] m</a><td><b>x <a href=q>y</a></b>"
    page = f"<table><caption>C <a href=c>l</a></caption><tr><th>A<th>B{row}</table>"
    text = read_html(page, keep=KEEP_BOTH).text
    assert "| [l \\] m](u\\|v) | **x** [**y**](q) |" in text
    assert "C [l](c)" in text
    [table] = pack(text)[0].tables
    assert table.caption == "C l"


def test_a_table_with_two_header_rows_keeps_links_as_html() -> None:
    head = "<thead><tr><th>a<th>b<tr><th>c<th>d</thead>"
    page = f"<table>{head}<tr><td><a href='u?a=1&amp;b'>k</a><td><em>e</em></table>"
    text = read_html(page, keep=KEEP_BOTH).text
    assert '<td><a href="u?a=1&amp;b">k</a></td><td><em>e</em></td>' in text


def test_links_and_emphasis_are_dropped_by_default() -> None:
    page = b"<p>See <a href='u'>the <b>rules</b></a> and <i>more</i>."
    assert read(page, "html").text == "See the rules and more.\n"
    assert read(page, "html", links="keep").text == "See [the rules](u) and more.\n"
    assert read(page, "html", emphasis="keep").text == "See the **rules** and *more*.\n"


@pytest.mark.parametrize("name", ["links", "emphasis"])
def test_an_invalid_choice_is_rejected(name: str) -> None:
    choice: Any = {name: "keeps"}
    with pytest.raises(ValueError, match=f"{name}.*keep"):
        read(b"<p>a", "html", **choice)


def test_kept_links_count_towards_the_cap_and_keep_the_laws() -> None:
    link = "<a href='https://e.x/a/long/target?of=many&tokens=1'>a linked word</a>"
    page = f"<h1>T</h1><p>{(f'A sentence with {link}. ') * 60}".encode()
    source = read(page, "html", links="keep", emphasis="keep")
    config = PackConfig(max_tokens=96, target_tokens=96, min_tokens=0)
    chunks = pack(source, config)
    assert all(chunk.embed_token_count <= 96 for chunk in chunks)
    assert not audit(source, chunks, PackConfig(max_tokens=96)).findings
    assert len(re.findall(r"\]\(https://e", "".join(c.text for c in chunks))) == 60


@pytest.mark.parametrize("command", ["pack", "show"])
def test_the_command_line_keeps_links_and_emphasis(
    command: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    Path("a.html").write_text("<h1>T</h1><p>See <a href='u'>the</a> <b>rules</b> of it.")
    flags = ["--links", "keep", "--emphasis", "keep"]
    flags += ["--full"] * (command == "show")
    assert "See [the](u) **rules** of it." in run_command(command, "a.html", *flags)
    assert "See the rules of it." in run_command(command, "a.html", *flags[4:])


def run_command(*arguments: str) -> str:
    done = CliRunner().invoke(app, list(arguments))
    assert done.exit_code == 0, done.output
    return done.stdout


# -------------------------------------------------------------------- Word

RELATIONS = "http://schemas.openxmlformats.org/package/2006/relationships"
OFFICE = "http://schemas.openxmlformats.org/officeDocument/2006/relationships"


def field(code: str, result: str) -> str:
    def field_char(kind: str) -> str:
        return f'<w:r><w:fldChar w:fldCharType="{kind}"/></w:r>'

    instruction = f"<w:r><w:instrText>{code}</w:instrText></w:r>"
    return f"{field_char('begin')}{instruction}{field_char('separate')}{result}{field_char('end')}"


def with_link(data: bytes, part: str = "document") -> bytes:
    """Return the file with a link of id ``link`` added to the relationships of a part."""
    name = f"word/_rels/{part}.xml.rels"
    files = unpacked(data)
    before = files.get(name, f'<Relationships xmlns="{RELATIONS}"></Relationships>'.encode())
    link = (
        f'<Relationship Id="link" Type="{OFFICE}/hyperlink" Target="https://e.x/{part}"'
        ' TargetMode="External"/>'
    )
    files[name] = before.replace(b"</Relationships>", f"{link}</Relationships>".encode())
    return archive(files)


def word_file(body: str, **more: Any) -> bytes:  # noqa: ANN401 - as `docx`
    return with_link(docx(body, **more))


LINK = '<w:hyperlink r:id="link" w:anchor="a">{}</w:hyperlink>'


@pytest.mark.parametrize(
    ("inside", "expected"),
    [
        (r("See ") + LINK.format(r("the ") + r("rules")), "See [the rules](https://e.x/document#a)\n"),
        (f'<w:hyperlink w:anchor="b">{r("here")}</w:hyperlink>', "here\n"),
        ('<w:hyperlink r:id="picture">' + r("inside") + "</w:hyperlink>", "inside\n"),
        (field(' HYPERLINK "https://e.x/f" \\l "p" \\o "tip" ', r("a") + r("b")), "[ab](https://e.x/f#p)\n"),
        (field(' HYPERLINK \\l "p" ', r("a")), "a\n"),
        (field(" PAGEREF x ", r("7")), "7\n"),
        (f"""<w:fldSimple w:instr='HYPERLINK "u"'>{r("a")}</w:fldSimple>""", "[a](u)\n"),
        (r("A ") + r("te", "<w:b/>") + r("rm", "<w:b/>") + r(", so"), "A **term**, so\n"),
        (r("A ") + r("word ", "<w:i/>") + r("b"), "A *word* b\n"),
        (LINK.format(r("a ", "<w:b/>") + r("b")), "[**a** b](https://e.x/document#a)\n"),
        (r("a", '<w:i w:val="0"/>') + r("b", '<w:rStyle w:val="Em"/>'), "a*b*\n"),
    ],
)  # fmt: skip
def test_links_and_emphasis_of_a_word_paragraph_are_kept_on_request(
    inside: str, expected: str
) -> None:
    emphasis = '<w:style w:type="character" w:styleId="Em"><w:rPr><w:i/></w:rPr></w:style>'
    data = word_file(f"<w:p>{inside}</w:p>", styles=DEFAULT_STYLES + emphasis)
    assert expected == read(data, "docx", links="keep", emphasis="keep").text


# -------------------------------------------------------------------- Docling


def test_links_and_emphasis_of_docling_are_kept_on_request() -> None:
    doc = Doc()
    doc.header("Rules")
    doc.text("the rules", hyperlink="https://e.x/a")
    doc.text("A term.", formatting={"bold": False, "italic": True})
    group = doc.group("inline")
    doc.text("See", group)
    doc.text("the rules", group, hyperlink="https://e.x/b", formatting={"bold": True})
    doc.text("run()", group, label="code", hyperlink="https://e.x/c")
    doc.text(".", group)
    items = doc.group()
    doc.item(items, "an item")["hyperlink"] = "https://e.x/d"
    expected = (
        "# Rules\n\n[the rules](https://e.x/a)\n\n*A term*.\n\n"
        "See [**the rules**](https://e.x/b) [`run()`](https://e.x/c).\n\n"
        "- [an item](https://e.x/d)\n"
    )
    assert expected == read_docling(doc.record, "a", KEEP_BOTH).text
    plain = read_docling(doc.record, "a").text
    assert "](" not in plain
    assert "*" not in plain
