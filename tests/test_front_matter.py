"""Front matter becomes metadata that JSON can hold, or stays in the text."""

from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treepack import Chunks, PackConfig, Source, pack
from treepack.markdown.front_matter import LONGEST_FRONT_MATTER, find_front_matter

_REST = "\n# A\n\nSome text that says a thing or two.\n"


def metadata(body: str, fence: str = "---") -> dict[str, Any] | None:
    """Return the metadata that front matter becomes; None if it stays in the text."""
    text = f"{fence}\n{body}\n{fence}\n{_REST}"
    chunks = pack(Source(text, "d.md"))
    assert list(Chunks.from_jsonl(chunks.to_jsonl())) == list(chunks)
    is_skipped = any(left_out.reason == "front matter" for left_out in chunks[0].skipped)
    assert is_skipped == (body[:5] not in chunks[0].text), "it is metadata, or it is text"
    return dict(chunks[0].metadata) if is_skipped else None


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("title: T\ntags: [a, 2, 2.5, yes, ~]", {"title": "T", "tags": ["a", 2, 2.5, True, None]}),
        ("day: 2024-01-31\nat: 2024-01-31T10:00:00Z",
         {"day": "2024-01-31", "at": "2024-01-31T10:00:00Z"}),
        ("2024: a\non: push\n~: n\n1.0: f", {"2024": "a", "on": "push", "~": "n", "1.0": "f"}),
        ("<<: {a: 1}\nb: =", {"<<": {"a": 1}, "b": "="}),
        ('x: !!int "3"\ny: !!str 3\nz: "3"', {"x": 3, "y": "3", "z": "3"}),
        ("x: .nan\ny: -.inf\nz: 1.0e+999", {"x": "nan", "y": "-inf", "z": "inf"}),
        (f"x: {2**63}\ny: {-(2**63)}", {"x": str(2**63), "y": -(2**63)}),
    ],
)  # fmt: skip
def test_yaml_becomes_metadata_that_json_can_represent(body: str, values: dict[str, Any]) -> None:
    assert metadata(body) == values


@pytest.mark.parametrize(
    ("body", "values"),
    [
        ("a.b.c = 1\n[d]\ne = true", {"a": {"b": {"c": 1}}, "d": {"e": True}}),
        ("x = nan\ny = -inf", {"x": "nan", "y": "-inf"}),
        ("d = 2024-01-31\nt = 10:00:00", {"d": "2024-01-31", "t": "10:00:00"}),
        ("z = 2024-01-31T10:00:00Z", {"z": "2024-01-31T10:00:00+00:00"}),
        ("x = 9223372036854775808", {"x": "9223372036854775808"}),
    ],
)  # fmt: skip
def test_toml_becomes_metadata_that_json_can_represent(body: str, values: dict[str, Any]) -> None:
    assert metadata(body, "+++") == values


@pytest.mark.parametrize(
    "body",
    [
        "x: !!bool abc", "x: !!int abc", "x: !!float abc", "x: !!timestamp abc",
        "x: !!binary aGk=", "x: !!binary '*'", "x: !!set {a, b}",
        "x: !!omap [a: 1]", "x: !!pairs [a: 1]", "x: !!python/object:os.system {}", "x: !mine 1",
        "x: !!map a", "x: !!seq {}", "x: !!str [a]", "x: !!merge a", "x: !!value a",
        "x: &a 1\ny: *a", "x: &a [*a]", "x: &a {b: 1}\ny:\n  <<: *a", "a: 1\na: 2", "a: 1\n'a': 2",
        "k: 1\n? [a, b]\n: c", "k: 1\n? {a: b}\n: c", 'x: "\\ud800"', "x: \ud800", "x: a\0b",
        f"x: 0x{'f' * 6000}", f"x: {'1' * 6000}", "x: 0x_", "x: 1" + ":59" * 3000,
        "a: " + "[" * 50 + "]" * 50, "a: " + "[" * 4000 + "]" * 4000,
        "\n".join("  " * at + "a:" for at in range(60)), "a: b\n" + "# much\n" * 2000,
    ],
)  # fmt: skip
def test_yaml_that_json_cannot_represent_stays_in_the_text(body: str) -> None:
    assert metadata(body) is None


@pytest.mark.parametrize(
    "body",
    [
        ".".join(["a"] * 600) + " = 1", "[" + ".".join(["a"] * 40) + "]", 'x = "\ud800"',
        "x = " + "[" * 40 + "]" * 40, "x = " + "[" * 4000, f"x = 0x{'f' * 6000}",
        f"x = {'1' * 6000}", "a = 1\na = 2", "x = 2024-13-31", 'x = "a\0"', "# much\n" * 2000,
    ],
)  # fmt: skip
def test_toml_that_json_cannot_represent_stays_in_the_text(body: str) -> None:
    assert metadata(body, "+++") is None


def test_too_long_front_matter_stays_in_the_text() -> None:
    fits = f"a: {'b' * (LONGEST_FRONT_MATTER - 4)}"  # and a line end
    assert metadata(fits) is not None
    assert metadata(fits + "b") is None


def test_the_size_of_records_is_proportional_to_the_text() -> None:
    """Repeated in each chunk, long metadata once made records grow with the square of the text."""
    body = "\n\n".join(
        "The pump shall stop at once, when the pressure exceeds 16 bar." for _ in range(2000)
    )
    for size in (9_000, 100_000):
        text = f"---\na: {'b' * size}\n---\n\n{body}\n"
        records = pack(Source(text, "d.md"), PackConfig(max_tokens=256)).to_jsonl()
        assert len(records) < 50 * len(text)


_SCALARS = st.sampled_from([
    "a", "", "~", "yes", "1", "-0", "0o7", "0x1F", "0b1", "1_000", "190:20:30", "1.5", ".5",
    "-.inf", ".nan", "1e3",
    "1.0e+9", "2024-01-31", "2024-01-31T10:00:00Z", "<<", "=", "*a", "'a: b'", '"\\x41"',
    '"\\ud800"', "|\n  a", ">-\n  a",
    "#", "&a 1", "@", "%a", "- a", "? a", "[", "}", "\u2028", "\x85", "\ufeff", "\0", "0x_",
    "0b_", "+.", "._1", "99999999999999999999",
])  # fmt: skip
_TAGS = st.sampled_from([
    "", "", "", "", "! ", "!a ", "!!str ", "!!int ", "!!float ", "!!bool ", "!!null ",
    "!!timestamp ", "!!binary ", "!!set ",
    "!!omap ", "!!pairs ", "!!map ", "!!seq ", "!!merge ", "!!value ", "!<a> ", "&a ",
    "!!python/none ",
])  # fmt: skip


def _flow(inner: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    pair = st.tuples(_TAGS, _SCALARS, inner).map(lambda p: f"{p[0]}{p[1]}: {p[2]}")
    return st.tuples(
        _TAGS,
        st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
        | st.lists(pair, max_size=3).map(lambda pairs: f"{{{', '.join(pairs)}}}"),
    ).map("".join)


_YAML = st.recursive(st.tuples(_TAGS, _SCALARS).map("".join), _flow, max_leaves=6)
_YAML_LINES = st.lists(st.tuples(_TAGS, _SCALARS, _YAML), min_size=1, max_size=4)
_TOML_VALUES = st.recursive(
    st.sampled_from([
        "1", "-0", "0xff", "1_0", "1.5", "1e400", "nan", "-inf", "true", '"a"', "'a'",
        '"""\na"""', '"\\ud800"', '"\ud800"',
        "2024-01-31", "10:00:00", "2024-01-31 10:00:00", "1979-05-27T07:32:00-08:00",
        "99999999999999999999", '"\\u0000"',
    ]),
    lambda inner: st.lists(inner, max_size=3).map(lambda items: f"[{', '.join(items)}]")
    | inner.map(lambda item: f"{{a = {item}}}"),
    max_leaves=5,
)  # fmt: skip
_TOML_KEYS = st.sampled_from(["a", "b.c", '"a.b"', "a.a.a", "1", "1.2", '""', "'\u2028'"])


def _assert_round_trip(body: str, fence: str) -> None:
    chunks = pack(Source(f"{fence}\n{body}\n{fence}\n{_REST}", "d.md"))
    assert list(Chunks.from_jsonl(chunks.to_jsonl())) == list(chunks)


@given(_YAML_LINES)
def test_chunks_with_any_yaml_survive_a_json_round_trip(
    lines: list[tuple[str, str, str]],
) -> None:
    _assert_round_trip("\n".join(f"{tag}{key}: {value}" for tag, key, value in lines), "---")


@given(st.lists(st.tuples(_TOML_KEYS, _TOML_VALUES), min_size=1, max_size=4))
def test_chunks_with_any_toml_survive_a_json_round_trip(lines: list[tuple[str, str]]) -> None:
    _assert_round_trip("\n".join(f"{key} = {value}" for key, value in lines), "+++")


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
@pytest.mark.parametrize(
    ("fence", "body"), [("---", "a: |\n  b\n  c\nd: 1"), ("+++", 'a = """\nb\nc\n"""\nd = 1')]
)
def test_front_matter_is_the_same_with_any_line_end(fence: str, body: str, end: str) -> None:
    text = f"{fence}\n{body}\n{fence}\n{_REST}"
    found = find_front_matter(text.replace("\n", end))
    assert found is not None
    assert found[1] == {"a": "b\nc\n", "d": 1}
