"""Word documents: headings, text that is read or left out, notes, and the package.

Every document is made here from raw XML.
"""

import json
from pathlib import Path

import pytest
from docx_files import (
    DEFAULT_STYLES,
    STRICT,
    abstract,
    archive,
    docx,
    field,
    h,
    lvl,
    num,
    p,
    r,
    table,
    tr,
    unpacked,
)
from docx_texts import LIST, OUTLINE, lines_of, text_of
from typer.testing import CliRunner

from treepack import audit, pack, parse, read
from treepack.clauses.walk import find_clauses
from treepack.cli.app import app
from treepack.errors import LeftOutWarning
from treepack.readers.docx.reader import read_docx

# -------------------------------------------------------------------- headings


def test_headings_are_recognised_by_outline_level_and_style_name_not_style_id() -> None:
    styles = (
        DEFAULT_STYLES
        + '<w:style w:type="paragraph" w:styleId="Heading1"><w:name w:val="No heading"/></w:style>'
        + '<w:style w:type="paragraph" w:styleId="Z"><w:name w:val="Zwischentitel"/><w:pPr>'
        '<w:outlineLvl w:val="2"/></w:pPr></w:style>'
        + '<w:style w:type="paragraph" w:styleId="K"><w:name w:val="Klein"/>'
        '<w:basedOn w:val="Z"/></w:style>'
        + '<w:style w:type="paragraph" w:styleId="N"><w:name w:val="Kein Titel"/>'
        '<w:basedOn w:val="berschrift1"/><w:pPr><w:outlineLvl w:val="9"/></w:pPr></w:style>'
    )
    body = (
        h(2, "by name")
        + p("by outline level", "Z")
        + p("by the style below", "K")
        + p("by itself", more='<w:outlineLvl w:val="3"/>')
        + p("no id", "Heading1")
        + p("taken away", "N")
        + p("taken away here", "berschrift1", more='<w:outlineLvl w:val="9"/>')
    )
    assert lines_of(body, styles=styles) == [
        "## by name",
        "### by outline level",
        "### by the style below",
        "#### by itself",
        "no id",
        "taken away",
        "taken away here",
    ]


def styles_with(name: str) -> str:
    """The default styles, and one with the id K and the given name."""
    style = f'<w:style w:type="paragraph" w:styleId="K"><w:name w:val="{name}"/></w:style>'
    return DEFAULT_STYLES + style


CODE_LINES = ["$ run *all*", "", "    # no heading", "1. no item", "```"]


@pytest.mark.parametrize(
    "name", ["Source Code", "HTML Preformatted", "Preformatted Text", "CodeWide", "code"]
)
def test_consecutive_code_paragraphs_become_one_fence(name: str) -> None:
    body = (
        p("Say:") + "".join(p(line, "K") for line in CODE_LINES) + p("It runs.") + p("$ end", "K")
    )
    code = "\n".join(CODE_LINES)
    expected = f"Say:\n\n````\n{code}\n````\n\nIt runs.\n\n```\n$ end\n```\n"
    assert text_of(body, styles=styles_with(name)) == expected


def test_an_empty_paragraph_ends_a_code_listing() -> None:
    first, second = p("$ a", "K") + p("$ b", "K"), p("$ c", "K")
    listings = "```\n$ a\n$ b\n```\n\n```\n$ c\n```\n"
    assert text_of(first + p("") + second, styles=styles_with("Code")) == listings
    whole = "```\n$ a\n$ b\n\n$ c\n```\n"
    assert text_of(first + p("", "K") + second, styles=styles_with("Code")) == whole


@pytest.mark.parametrize("name", ["Code Caption", "Code of Conduct", "Barcode"])
def test_styles_whose_names_only_contain_code_are_not_code(name: str) -> None:
    styles = styles_with(name)
    assert text_of(p("a", "K") + p("b", "K"), styles=styles) == "a\n\nb\n"


def test_headings_and_numbered_paragraphs_in_a_code_style_are_not_code() -> None:
    styles = styles_with("Code")
    numbering = abstract(0, [lvl(0, "%1.")]) + num(1, 0)
    body = p("Pumps", "K", more='<w:outlineLvl w:val="0"/>') + p("Water", "K", number=(1, 0))
    assert lines_of(body, styles=styles, numbering=numbering) == ["# Pumps", "1. Water"]


def test_the_title_becomes_a_heading_and_properties_become_metadata() -> None:
    core = (
        '<cp:coreProperties xmlns:cp="http://schemas.openxmlformats.org/package/2006/metadata/'
        'core-properties" xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>Der  Vertrag'
        "</dc:title><dc:creator>A. B.</dc:creator><dc:subject/></cp:coreProperties>"
    )
    data = docx(p("Vertrag", "Titel") + h(1, "a"))
    files = unpacked(data)
    files["_rels/.rels"] = files["_rels/.rels"].replace(
        b"</Relationships>",
        b'<Relationship Id="c" Type="x/core-properties" Target="/docProps/core.xml"/>'
        b"</Relationships>",
    )
    source = read_docx(archive({**files, "docProps/core.xml": core.encode()}), "a.docx")
    assert source.text == "# Vertrag\n\n## a\n"
    assert source.metadata == {"title": "Der Vertrag", "author": "A. B."}


# -------------------------------------------------------------------- what is read or left out


def test_deleted_hidden_and_field_code_text_is_left_out_and_insertions_are_read() -> None:
    body = p(
        r("a ")
        + "<w:del><w:r><w:delText>deleted </w:delText></w:r></w:del>"
        + f"<w:moveFrom>{r('moved away ')}</w:moveFrom>"
        + f"<w:ins>{r('inserted ')}</w:ins>"
        + f"<w:moveTo>{r('moved here ')}</w:moveTo>"
        + r("hidden ", "<w:vanish/>")
        + r("shown ", '<w:vanish w:val="0"/>')
        + field("PAGEREF x", r("7 "))
        + '<w:hyperlink r:id="x">'
        + r("link ")
        + "</w:hyperlink><w:sdt><w:sdtPr/><w:sdtContent>"
        + r("control")
        + "</w:sdtContent></w:sdt>"
    )
    assert text_of(body) == "a inserted moved here shown 7 link control\n"


def test_text_hidden_by_its_style_is_left_out() -> None:
    styles = DEFAULT_STYLES + (
        '<w:style w:type="character" w:styleId="H"><w:name w:val="H"/><w:rPr><w:vanish/></w:rPr>'
        '</w:style><w:style w:type="character" w:styleId="I"><w:name w:val="I"/>'
        '<w:basedOn w:val="H"/></w:style>'
    )
    body = p(r("a") + r("b", '<w:rStyle w:val="I"/>'))
    assert text_of(body, styles=styles) == "a\n"


def test_generated_tables_of_contents_are_left_out() -> None:
    begin, end = field("TOC \\o", "|").split("|")
    contents = (
        p(begin + r("1 Scope 3"), "Verz1")
        + p(r("2 Terms 4"))
        + p(end)
        + '<w:sdt><w:sdtPr><w:docPartObj><w:docPartGallery w:val="Table of Contents"/>'
        f"</w:docPartObj></w:sdtPr><w:sdtContent>{p('Inhalt')}</w:sdtContent></w:sdt>"
        + p("typed 5", "Verz1")
    )
    assert text_of(contents + h(1, "Scope") + p("x")) == "# Scope\n\nx\n"


def test_a_text_box_is_read_once_after_its_paragraph() -> None:
    box = f"<w:txbxContent>{p('in the box', number=(1, 0))}</w:txbxContent>"
    content = (
        "<w:r><mc:AlternateContent><mc:Choice Requires='wps'><w:drawing><wps:wsp><wps:txbx>"
        f"{box}</wps:txbx></wps:wsp></w:drawing></mc:Choice><mc:Fallback><w:pict><v:textbox>{box}"
        "</v:textbox></w:pict></mc:Fallback></mc:AlternateContent></w:r>"
    )
    body = p("a", number=(1, 0)) + p(r("anchor") + content) + p("b", number=(1, 0))
    assert lines_of(body, numbering=LIST + num(1, 1)) == [
        "1. a",
        "anchor",
        "1. in the box",
        "2. b",
    ]


def test_pictures_keep_their_description() -> None:
    drawing = (
        '<w:r><w:drawing><wp:inline><wp:docPr id="1" name="x" descr="A  duck"/><a:graphic>'
        '<a:blip r:embed="picture"/></a:graphic></wp:inline></w:drawing></w:r>'
    )
    assert text_of(p(drawing)) == "![A duck](image1.png)\n"
    assert text_of(p(drawing, "K"), styles=styles_with("Code")) == "![A duck](image1.png)\n"


def m(text: str) -> str:
    """A run of math."""
    return f"<m:r><m:t>{text}</m:t></m:r>"


def e(text: str, name: str = "e") -> str:
    """A math element: a base ``e``, a ``sub``, a ``num`` and so on."""
    return f"<m:{name}>{m(text)}</m:{name}>"


@pytest.mark.parametrize(
    ("omml", "tex"),
    [
        (f"<m:sSub>{e('a')}{e('1', 'sub')}</m:sSub>", "a_{1}"),
        (
            f"<m:sSubSup>{e('ab')}{e('1', 'sub')}{e('2', 'sup')}</m:sSubSup>",
            "{ab}_{1}^{2}",
        ),
        (
            f"<m:sPre>{e('2', 'sub')}{e('4', 'sup')}{e('H')}</m:sPre>",
            "{}_{2}^{4}H",
        ),
        (
            f'<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr>{e("i", "sub")}</m:nary>',
            "\\sum_{i}",
        ),
        (f"<m:d>{e('x')}{e('y')}</m:d>", "(x | y)"),
        (
            f'<m:d><m:dPr><m:begChr m:val="{{"/><m:endChr m:val=""/></m:dPr>{e("x")}</m:d>',
            "\\{x",
        ),
        (f"<m:rad>{e('3', 'deg')}{e('x')}</m:rad>", "\\sqrt[3]{x}"),
        (f"<m:func>{e('sin', 'fName')}{e('x')}</m:func>", "\\sin x"),
        (f"<m:limLow>{e('lim')}{e('n', 'lim')}</m:limLow>", "\\lim_{n}"),
        (f"<m:limUpp>{e('f')}{e('n', 'lim')}</m:limUpp>", "f^{n}"),
        (f"<m:acc>{e('x')}</m:acc>", "\\hat{x}"),
        (f"<m:bar>{e('x')}</m:bar>", "\\overline{x}"),
        (
            f"<m:m><m:mr>{e('a')}{e('b')}</m:mr></m:m>",
            "\\begin{matrix} a & b \\end{matrix}",
        ),
        (f"<m:eqArr>{e('a')}{e('b')}</m:eqArr>", "a \\\\ b"),
        (f"<m:eqArr>{e('a')}</m:eqArr>", "a"),
        (f"<m:box>{e('5%')}</m:box>", "5\\%"),
        (
            f'<m:f><m:fPr><m:type m:val="noBar"/></m:fPr>{e("n", "num")}{e("k", "den")}</m:f>',
            "\\binom{n}{k}",
        ),
    ],
)
def test_each_kind_of_math_element_becomes_tex(omml: str, tex: str) -> None:
    assert text_of(p(f"<m:oMath>{omml}</m:oMath>")) == f"$$\n{tex}\n$$\n"


BEGIN, END = field("TOC", "|").split("|")
RAISED = '<w:vertAlign w:val="superscript"/>'


@pytest.mark.parametrize(
    ("body", "text"),
    [
        (p("one ", more="<w:rPr><w:del/></w:rPr>") + p("two"), "one two"),
        (p(BEGIN + r("a 1")) + h(1, "a") + p("x"), "# a\n\nx"),  # contents that never end
        (
            p("<w:r><w:pict><v:textbox><w:txbxContent>" + p("x") + "</w:txbxContent></v:textbox>"
              "</w:pict></w:r>"),
            "x",
        ),
        (
            p('<w:r><w:t>a</w:t><w:tab/><w:t>b</w:t><w:noBreakHyphen/><w:t>c</w:t><w:softHyphen/>'
              '<w:sym w:font="Wingdings" w:char="F0FE"/><w:sym w:font="Symbol" w:char="F0B3"/>'
              '<w:sym w:font="Arial" w:char="2190"/><w:sym w:font="Odd" w:char="F041"/>'
              '<w:sym w:char="zz"/><w:br/><w:t>d</w:t><w:br w:type="page"/><w:t>e</w:t></w:r>'),
            "a b-c☒≥←\ufffd\nd e",
        ),
        (
            p(r("10") + r("-3", RAISED) + r(" am 1") + r("st", RAISED) + r(" m") + r("2", RAISED)),
            "10<sup>-3</sup> am 1st m2",
        ),
        (
            "<w:customXml>" + p('<w:fldSimple w:instr="REF x">' + r("a") + "</w:fldSimple>")
            + "</w:customXml><mc:AlternateContent><mc:Choice Requires='x'>" + p("b")
            + "</mc:Choice></mc:AlternateContent>",
            "a\n\nb",
        ),
        (
            p("<w:r><w:ruby><w:rt>" + r("no") + "</w:rt><w:rubyBase>" + r("漢")
              + "</w:rubyBase></w:ruby></w:r>"),
            "漢",
        ),
        (p("# no heading") + p("1. no list"), "\\# no heading\n\n1\\. no list"),
        (p("&lt;b>*a* b*"), "\\<b>\\*a\\* b\\*"),
        (p(r("so ") + "<m:oMath><m:r><m:t>x</m:t></m:r></m:oMath>" + r(".")), "so $x$."),
    ],
)  # fmt: skip
def test_the_text_of_paragraphs_is_what_word_shows(body: str, text: str) -> None:
    assert text_of(body) == f"{text}\n"


def test_an_embedded_document_is_left_out_with_a_warning() -> None:
    with pytest.warns(LeftOutWarning, match=r"a\.docx: an embedded document"):
        assert text_of(p("a") + '<w:altChunk r:id="x"/>') == "a\n"


# -------------------------------------------------------------------- notes


def test_footnotes_come_at_the_end_of_their_section() -> None:
    notes = "".join(
        f'<w:footnote w:id="{note}"{kind}>{p(r(" " + text))}{p("more") if note == 5 else ""}'
        "</w:footnote>"
        for note, kind, text in ((0, ' w:type="separator"', "-"), (5, "", "five"), (6, "", "six"))
    )
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = (
        h(1, "a")
        + p(r("x") + reference.format(6) + reference.format(99))
        + p("y")
        + h(1, "b")
        + p(r("z") + reference.format(5))
    )
    source = read_docx(docx(body, parts={"footnotes": notes}), "a.docx")
    assert source.text == (
        "# a\n\nx[^1]\n\ny\n\n[^1]: six\n\n# b\n\nz[^2]\n\n[^2]: five\n\n    more\n"
    )
    assert ("docx:footnote 6") in [place for _, place in source.origins]


def test_a_footnote_of_a_heading_is_in_its_section_but_not_in_the_heading() -> None:
    notes = "".join(f'<w:footnote w:id="{n}">{p(f"n{n}")}</w:footnote>' for n in (1, 2))
    reference = '<w:r><w:footnoteReference w:id="{}"/></w:r>'
    body = (
        p(r("A") + reference.format(1), "berschrift1")
        + p("x")
        + p(r("B") + reference.format(2), "berschrift1")
    )
    assert lines_of(body, parts={"footnotes": notes}) == [
        "# A",
        "x",
        "[^1]: n1",
        "# B",
        "[^2]: n2",
    ]


def test_a_note_that_refers_to_itself_is_read_once() -> None:
    reference = '<w:r><w:endnoteReference w:id="1"/></w:r>'
    note = f'<w:endnote w:id="1">{p(r("n") + reference)}</w:endnote>'
    body = p(r("a") + reference)
    assert text_of(body, parts={"endnotes": note}) == "a[^e1]\n\n[^e1]: n[^e1]\n"


# -------------------------------------------------------------------- the package


def test_strict_ooxml_is_read_like_transitional_ooxml() -> None:
    body = h(1, "a", (1, 0)) + table(tr("A", "B"), tr("1", "2"))
    data = docx(body, numbering=OUTLINE + num(1, 1), namespace=STRICT)
    assert read_docx(data, "a.docx").text.startswith("# 1. a\n\n| A | B |")


def test_origins_name_paragraphs_and_tables() -> None:
    source = read_docx(docx(h(1, "a") + p() + p("x") + table(tr("A", "B"), tr("1", "2"))), "a.docx")
    assert source.origins == ((0, "docx:paragraph 1"), (5, "docx:paragraph 3"), (8, "docx:table 1"))


def test_chunks_of_a_word_document_keep_the_laws() -> None:
    body = "".join(h(1 + n % 3, f"h{n}", (1, n % 3)) + p(f"text {n}. " * 40) for n in range(30))
    source = read_docx(docx(body, numbering=OUTLINE + num(1, 1)), "a.docx")
    assert not audit(source.text, pack(source), name=source.name).findings


def test_templates_and_documents_with_macros_are_read_like_documents(tmp_path: Path) -> None:
    """Macros are not text; in a folder, one broken file does not stop the rest."""
    files = unpacked(docx(h(1, "A") + p("text")))
    with_macros = archive({**files, "word/vbaProject.bin": b"Sub AutoOpen()"})
    folder = tmp_path / "docs"
    folder.mkdir()
    for name in ("a.docm", "b.dotx", "c.dotm", "d.DOCX"):
        (folder / name).write_bytes(with_macros)
        assert read(folder / name).text == "# A\n\ntext\n"
    (folder / "e.docx").write_bytes(with_macros[:100])
    result = CliRunner().invoke(app, ["pack", str(folder), "-o", str(tmp_path / "out.jsonl")])
    rows = [json.loads(line) for line in (tmp_path / "out.jsonl").read_text("utf-8").splitlines()]
    assert [row["document"] for row in rows] == ["a.docm", "b.dotx", "c.dotm", "d.DOCX"]
    assert "e.docx: not an intact .docx file" in result.stderr
    assert result.exit_code == 1


# -------------------------------------------------------------------- clauses in heading styles


CLAUSE = "Care. The tenant keeps the pumps of the house in good order, and pays for what it breaks."


def test_clauses_in_heading_styles_are_paragraphs() -> None:
    """Lawyers link the numbers of clauses to these styles."""
    clauses = h(2, CLAUSE, (1, 1)) * 3 + h(3, "Keys", (1, 2))
    body = h(1, "Rent", (1, 0)) + clauses + h(1, "Term", (1, 0)) + clauses
    assert lines_of(body, numbering=OUTLINE + num(1, 1)) == [
        "# 1. Rent",
        f"1.1. {CLAUSE}",
        f"1.2. {CLAUSE}",
        f"1.3. {CLAUSE}",
        "1.3.1. Keys",
        "# 2. Term",
        f"2.1. {CLAUSE}",
        f"2.2. {CLAUSE}",
        f"2.3. {CLAUSE}",
        "2.3.1. Keys",
    ]
    source = read_docx(docx(body, numbering=OUTLINE + num(1, 1)), "a.docx")
    assert [clause.name for clause in find_clauses(parse(source))][1:3] == ["1.1 Care", "1.2 Care"]


def test_a_long_heading_above_text_stays_a_heading() -> None:
    body = h(1, CLAUSE) + p("The rule.") + h(1, CLAUSE) + p("The other rule.")
    assert lines_of(body) == [
        f"# {CLAUSE}",
        "The rule.",
        f"# {CLAUSE}",
        "The other rule.",
    ]


@pytest.mark.parametrize(
    "body",
    [
        h(1, "It pays.") * 3,  # short
        (h(1, CLAUSE) + h(2, "Keys")) * 3,  # each holds a heading
        h(1, CLAUSE),  # alone
    ],
)
def test_other_headings_that_are_sentences_stay_headings(body: str) -> None:
    assert all(line.startswith("#") for line in lines_of(body))
