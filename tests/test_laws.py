"""The laws that packing keeps on every input, as properties over generated documents.

Laws 1 to 9 are judged by the audit, which shares no code with the packer. A few lines here also
judge the first four, so that the audit is not trusted blindly.
"""

import os
import random
import re
import subprocess
import sys
import time
import timeit
from collections.abc import Callable, Iterable
from concurrent.futures import ThreadPoolExecutor
from copy import deepcopy
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from strategies import any_text, configs, documents, misnested_documents

from treepack import Chunks, PackConfig, Packer, Source, pack, parse
from treepack.laws import audit_packed
from treepack.tokens import token_counter
from treepack.tokens.counters import EncodingCounter

laws = settings(max_examples=60)
names = st.sampled_from(("d.md", ""))


def report_of(text: str, chunks: Chunks, config: PackConfig, name: str) -> list[tuple[int, str]]:
    """Return the law and the message of each finding of the audit."""
    report = audit_packed(text, chunks, config, name=name)
    return [(finding.law, str(finding)) for finding in report.findings]


def words(text: str) -> int:
    """Count words: a token counter whose results can be checked by eye."""
    return len(text.split())


# -------------------------------------------------------------------- laws 1 to 9


@pytest.mark.every_python
@settings(laws, max_examples=200)
@given(text=any_text, config=configs(), name=names)
def test_the_audit_finds_no_breach(text: str, config: PackConfig, name: str) -> None:
    chunks = pack(Source(text, name), config)
    assert report_of(text, chunks, config, name) == []


@settings(laws, max_examples=150)
@given(text=misnested_documents(), config=configs(), name=names)
def test_the_audit_finds_no_breach_in_a_repaired_outline(
    text: str, config: PackConfig, name: str
) -> None:
    chunks = pack(Source(text, name), config)
    assert report_of(text, chunks, config, name) == []


@settings(laws, max_examples=100)
@given(text=any_text, config=configs())
@example(text="", config=PackConfig())
@example(text=" \r\n\t\u00a0", config=PackConfig())
@example(text="\ufeff\ufeffone", config=PackConfig())
def test_each_character_lies_in_one_body_or_is_listed_as_skipped(
    text: str, config: PackConfig
) -> None:
    """Law 1, without the audit."""
    chunks = pack(Source(text), config)
    bodies = [s.span for c in chunks for s in c.segments if s.role == "body" and s.span]
    assert all(start < end for start, end in bodies)
    assert all(left[1] <= right[0] for left, right in pairwise(bodies))
    skipped = [entry.span for chunk in chunks for entry in chunk.skipped]
    held = bytearray(len(text))
    for start, end in [*bodies, *skipped]:
        assert not any(held[start:end]), "a body and a skipped span do not overlap"
        held[start:end] = b"\1" * (end - start)
    if chunks:
        assert [(at, c) for at, c in enumerate(text) if not (held[at] or c.isspace())] == []


@pytest.mark.traced
@laws
@given(text=any_text, config=configs())
@example(
    text="::: note\n| k | v |\n|---|---|\n| Group | |\n" + "| r1 | some value |\n" * 5 + ":::\n",
    config=PackConfig(max_tokens=42, target_tokens=42, min_tokens=0),
)
def test_a_chunk_is_its_segments_and_a_segment_is_its_span(text: str, config: PackConfig) -> None:
    """Law 2, without the audit: tabs, NBSP and line ends come out as they went in."""
    for chunk in pack(Source(text), config):
        assert "".join(segment.text for segment in chunk.segments) == chunk.text
        for segment in chunk.segments:
            assert segment.text, "no segment is empty"
            if segment.span:
                assert text[slice(*segment.span)] == segment.text
            else:
                assert segment.role != "body", "what is the source's own says where it stands"


@pytest.mark.traced
@laws
@given(text=any_text, config=configs(), name=names)
def test_what_is_embedded_stays_within_the_cap(text: str, config: PackConfig, name: str) -> None:
    """Law 3, without the audit: only a block kept whole may be larger, and is marked oversize."""
    count = token_counter(config.encoding)
    for chunk in pack(Source(text, name), config):
        is_kept = "keep" in (config.oversize_table, config.oversize_code) and chunk.oversize
        assert is_kept or count(chunk.embed_text) <= config.max_tokens
        assert chunk.embed_text.endswith(chunk.text)


@laws
@given(text=any_text, config=configs(), name=names)
def test_counts_are_those_of_the_final_texts(text: str, config: PackConfig, name: str) -> None:
    """Law 4, without the audit: token counts do not add up, so the final texts are counted."""
    count = token_counter(config.encoding)
    for chunk in pack(Source(text, name), config):
        assert count(chunk.text) == chunk.token_count
        assert count(chunk.embed_text) == chunk.embed_token_count


@settings(laws, max_examples=30)
@given(text=documents(), cap=st.sampled_from((16, 40, 200)))
def test_a_counter_of_which_nothing_is_known_gets_the_same_care(text: str, cap: int) -> None:
    config = PackConfig(max_tokens=cap, encoding=words)
    chunks = pack(Source(text, "d.md"), config)
    assert [f for f in report_of(text, chunks, config, "d.md") if f[0] in (1, 2, 3, 4)] == []


# -------------------------------------------------------------------- found before

WORDS = " ".join(["valve"] * 18)
ROW = "<tr><td>1</td><td>2</td></tr>\n"
ONCE_BROKEN: dict[str, tuple[str, dict[str, Any]]] = {
    "title-directly-above-code": (
        "**Chapter 1 – In**\n\nShut.\n\n**Chapter 2 – To**\n\nOpen.\n\n**Chapter 3 – Up**\n~~~\ngo",
        {"max_tokens": 64, "target_tokens": 24, "min_tokens": 0},
    ),
    "items-below-a-marker-with-two-blanks-after-it": (
        "  +  "
        + "Oil the pump before each shift. " * 3
        + "\n        +  Only then start it.\n    +  ",
        {"max_tokens": 32, "target_tokens": 32, "min_tokens": 0},
    ),
    "clauses-numbered-through-seven-levels": (
        "# 1 Pumps\n\nGeneral.\n\n1.1.1.1.1.1.1 Stop it.\n\n1.1.1.1.1.1.2 Oil it.\n",
        {"max_tokens": 64, "target_tokens": 64, "min_tokens": 0, "sections": "separate"},
    ),
    "tag-over-several-lines-above-the-cap": (
        (
            '<p><img class="wide"\n'
            'src="https://example.org/images/pump-with-a-red-lamp-and-motor.png"\n'
            'alt="The pump, seen from above"\ntitle="A pump with a lamp" /></p>\n'
        ),
        {"max_tokens": 40, "target_tokens": 40, "min_tokens": 0},
    ),
    "definition-below-open-code-in-a-container": (
        'The "Pump" means a machine.\n\n# Use\n\n::: note\n\n```\nStart the Pump.\n',
        {"max_tokens": 64, "target_tokens": 64, "sections": "separate", "attach_definitions": True},
    ),
    "long-words-behind-long-tags": (
        (
            '<div>\n<p><a href="/docs/pumps/red-pump-with-lamps.html" title="red-pump-with-lamps'
            '(/docs/pumps/red-pump-with-lamps)"><strong>RED_PUMP_WITH_LAMPS</strong></a></p>\n'
            '<p><a href="/docs/pumps/red-pump-with-lamps.html" title="red-pump-with-lamps'
            '(/docs/pumps/red-pump-with-lamps)">RedPumpWithLampsAndFans</a></p>\n</div>\n'
        ),
        {"max_tokens": 44, "target_tokens": 44, "min_tokens": 0},
    ),
    "table-below-a-line-that-is-cut-before-a-sign": (
        (
            "### How to write the words inside of quotes\n\n"
            '{{< table caption = "What to do and what not to do with words'
            + " inside of quotes"
            * 8
            + ' in a text" >}}\nDo | Do not\n:--|:--\n'
            "the pump, which is a good one | The Pump\nthe lamp | The Lamp\n"
        ),
        {"max_tokens": 35, "target_tokens": 35, "min_tokens": 0},
    ),
    "empty-item-in-an-item-with-four-blanks": (
        (
            "*    *   Tools and parts for pumps that no other rule of this plan names (see §\n"
            "        3)\n\n    *   532 .2\n"
        ),
        {"max_tokens": 24, "target_tokens": 24, "min_tokens": 0},
    ),
    "code-below-a-clause-with-a-long-title": (
        (
            "# Rules for the costs of all pumps and lamps and works (RCPLW)\n\n## Costs\n\n"
            "**3.1** **Costs of all things**\n\n    All is paid for.\n\n"
            "**3.2** **Costs of pumps and lamps and of lamps and of lamps and of lamps**\n\n"
            + "    All pumps of the works are to be paid\n" * 4
            + "\n**3.3** **Costs of lamps**\n\n    All lamps are to be paid for.\n"
        ),
        {"max_tokens": 76, "target_tokens": 76, "min_tokens": 0},
    ),
    **{
        f"texts-that-lead-to-points-of-points-{cap}": (
            (
                "# Law of the pumps and of the lamps in all works and halls\n\n"
                "## Part 7 - Rules for all\n\n### § 50b Extra\n\n(1) The pay rises, if\n\n"
                "1.  after the last day of the year"
                + " and the day after the day"
                * times
                + "\n\n    a)  the days meet other days or\n\n"
                "    b)  the days meet times of work that count as such,\n\n"
                "2.  nothing else is paid for these days and\n\n3.  the days are "
                "those of the man.\n\n(2) The pay does not rise twice. It stays.\n"
            ),
            {"max_tokens": cap, "target_tokens": cap, "min_tokens": 0},
        )
        for times, cap in ((2, 59), (5, 82))
    },
    "cell-with-text-before-a-long-tag": (
        (
            "<table>\n<thead>\n<tr><th>Part</th><th>Value</th></tr>\n</thead>\n<tbody>\n<tr>\n"
            '<td><p>Size</p></td>\n<td><p><strong>twice</strong>(<a href="/docs/pumps/red-pump" '
            'title="[red-pump-with-lamps](/docs/pumps/red-pump-with-lamps-and-fans)"><strong>'
            "RED_PUMP</strong></a>)</p></td>\n</tr>\n</tbody>\n</table>\n"
        ),
        {"max_tokens": 80, "target_tokens": 80, "min_tokens": 0},
    ),
    "code-in-an-item-with-four-blanks": (
        (
            "*    *   Stay\n\n        a)  Paper on\n            the stay of a man, after § 60a\n\n"
            "            given on\n\n            holds up to\n\n            taken back on\n"
            "\n\n\n\n    *\n    *   (2)\n"
        ),
        {"max_tokens": 35, "target_tokens": 35, "min_tokens": 0},
    ),
    "containers-without-blocks": (
        ":::<div>\n" * 17,
        {"max_tokens": 64, "target_tokens": 32},
    ),
    "label-before-a-line-break": ("Annex A.2<br>Dr. Lamp wrote it.\n", {}),
    "tag-over-two-lines-before-code": (
        (
            '<div id="block-1"><pre\nclass="code blue"><code class="code blue">'
            '<span id="block-1-1"><a href="#block-1-1" tabindex="-1"></a>a</span>\n'
            '<span id="block-1-2"><a href="#block-1-2" tabindex="-1"></a>b</span>'
            "</code></pre></div>\n"
        ),
        {"max_tokens": 80, "target_tokens": 80},
    ),
    "script-with-signs-as-those-of-tags": (
        (
            "<script>\nfor (let at = 0; at <count; at += 1) {\n"
            "  const lamp = lamps.at(at) || lamps.last();\n  lamp.light(at, lamps.length, true);\n"
            '  if (lamp.power >most) { lamp.stop("too much power is used"); }\n'
            "  lamp.check(lamps.first(), lamps.last(), lamps.length);\n"
            "  lamp.show(lamps.first(), lamps.last(), lamps.length);\n}\n</script>\n"
        ),
        {"max_tokens": 51, "target_tokens": 51, "min_tokens": 0},
    ),
    "text-in-a-row-before-its-first-cell": (
        "<table>\n<tr><th>a</th></tr>\n<tr>\n"
        + "Counted by the monitor. " * 7
        + "\n<td>b</td></tr>\n</table>\n",
        {"max_tokens": 64, "target_tokens": 64, "min_tokens": 0},
    ),
    "point-that-a-chunk-of-its-own-would-name": (
        """# Questions about the pump

- **1. Starting**

  1.1. How?

- **2. The pump stops without a reason**

  2.1. It runs well for an hour but stops at the end of each shift with a red light.

  2.2. I tried to run another motor with it and a much longer belt but then the belt went off. \
Does it drive such motors?

- **3. Noise**

  3.1. It hums.
""",
        {"max_tokens": 50, "target_tokens": 50, "min_tokens": 12},
    ),
    "attributes-with-a-pipe-below-a-table": (
        """- The pump has limits that hold at all times and for all people who use it.

  | k | v | w |
  |---|---|---|
  | a | | |
  | b | | |
  {: title="A | b" #t}

  More.
""",
        {"max_tokens": 48, "target_tokens": 48, "min_tokens": 0},
    ),
    "chunk-that-ends-with-text-in-a-row": (
        """   <table border="1">
     <tr>
       <td>ID</td>
     </tr>

   <?php
   while(more) {
     echo "<tr>";

echo "
<td>",$data[0], "</td>",
<td>",$data[1], "</td>",
<td>",$data[2], "</td>",
     "</tr>";
   }
   ?>
   </table>
""",
        {"max_tokens": 64, "target_tokens": 16, "min_tokens": 0},
    ),
    "overlap-of-a-mark-that-is-text": (
        "::: open\nSee it.\n$$\n"
        + "a_i + b_i = c_i \\\\\n" * 5
        + "$$\n\n```\nx = 1\nx = 1\n```\n\n```\n$$\n```\n",
        {"max_tokens": 48, "target_tokens": 24, "min_tokens": 0, "overlap_tokens": 6},
    ),
    "overlap-of-a-mark-that-is-text-in-a-quote": (
        "> See it.\n> $$\n"
        + "> a_i + b_i = c_i \\\\\n" * 5
        + "> $$\n>\n> ```\n> x = 1\n> x = 1\n> ```\n>\n> ```\n> $$\n> ```\n",
        {"max_tokens": 48, "target_tokens": 48, "min_tokens": 0, "overlap_tokens": 6},
    ),
    "clause-after-a-no-break-space": (
        "The tank stays shut until the pump runs. " * 2
        + "\n\n\u00a0§ 3 Duties "
        + "The tank stays shut until the pump runs. " * 4,
        {"max_tokens": 48, "target_tokens": 48, "min_tokens": 0},
    ),
    "line-of-html-like-an-item-above-code": (
        "### Pumps\n<table>\n<tr><td>a</td></tr>\n"
        + "<tr><td>The pump runs for an hour.</td></tr>\n" * 4
        + "</table>\n- It stops. It stops at the end. It stops at the end. It stops at the end.\n"
        + "\n    start --now start --now start --now\n",
        {"max_tokens": 96, "target_tokens": 96, "min_tokens": 0, "repeat_heading": True},
    ),
    "mark-and-item-before-a-list": (
        "\ufeff- <|endoftext|>\n\n",
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0},
    ),
    "item-of-clusters": (
        "# Scope\n\n- <|endoftext|>\n- 👨\u200d👩\u200d👧\u200d👦👩🏽\u200d🚀🇩🇪🇫🇷👍🏿\n\n",
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0},
    ),
    "headings-alone-of-two-siblings": (
        "# 1 Tests\n\n# 1.1 Tests\n\n# Page 1\n\n# 1.2 Tests\n",
        {"max_tokens": 24, "target_tokens": 12, "min_tokens": 0},
    ),
    "headings-alone-before-a-chain-of-headings": (
        "# 概要\n\n### 要\n\n## 概要\n\n#### 概要\n\n## L\n\n### L\n",
        {"max_tokens": 26, "target_tokens": 16},
    ),
    "headings-alone-before-a-long-heading": (
        (
            "# *Emphasis* & `code`\n\n## 1 General\n\n#### Tests of the pump\n\n## Art. 12\n\n"
            "### s\n\n"
            "#### A very long heading that says much of what the section is about and more\n"
        ),
        {"max_tokens": 32, "target_tokens": 16},
    ),
    "fence-indented-in-its-item": (
        (
            "2) The limits of the pressure at which the valve opens are computed thus, in bar:\n"
            "    ```\n   x = limit\n   y = 2 * x\n   ```\n   ````python\n   z = y\n   ````\n"
        ),
        {"max_tokens": 40, "target_tokens": 32},
    ),
    "table-indented-in-its-item": (
        "* The limits.\n   | | |\n  |---|---|\n  | the pump shall | start again after a while |\n",
        {"max_tokens": 24, "target_tokens": 15},
    ),
    "table-without-edges-in-three-items": (
        (
            "- - - Of 5 kg the pump shall carry four.\n      limit | value | of | what\n"
            "      ---|---|---|---\n      upper | 12 V | the pump | that opens\n"
        ),
        {"max_tokens": 36, "target_tokens": 23},
    ),
    "row-with-more-cells-than-its-table": (
        (
            "| limit | value |\n|---|---|\n| upper | | 12 V of the pump that opens first |\n"
            "| lower | 8 V of the pump that opens last, and of the valve after it |\n"
            "| middle | 10 V of the pump that never opens, and of the valve after it |\n"
        ),
        {"max_tokens": 64, "target_tokens": 41},
    ),
    "overlap-with-an-item-that-holds-code": (
        (
            "- The pump stops? It opens.\n"
            "  - 5 the valve in the pipe of the pump opens first, and so.\n\n"
            "    ~~~python\n    open(valve)\n\n    open(all)\n    ~~~\n  - and;\n\n"
            "    > ```\n    > close(valve)\n    > close(pump)\n    > close(all)\n    > ```\n"
        ),
        {"max_tokens": 64, "target_tokens": 40, "overlap_tokens": 8},
    ),
    "caption-after-a-table-below-a-repeated-heading": (
        (
            "# Valves\n\n<table><tr><th>limit</th><th>of the valve after the pump</th></tr>"
            "<tr><td>upper</td><td>12 V, but never more</td></tr>"
            "<tr><td>lower</td><td>8 V, or less when it is cold</td></tr></table>\n\n"
            "**Table 1** Limits of the valves\n"
        ),
        {"max_tokens": 74, "target_tokens": 48, "repeat_heading": True},
    ),
    "a-group-with-nothing-but-a-mark": (
        (
            "# Scope\n\n> The.\n> \n> <table>\n> <tr><td>1</td><td>1</td><td>1</td><td>1</td>\n"
            "> <tr><td>1</td>\n> <tr><td>1</td>\n> <tr><td>1</td>\n> </table>\n"
        ),
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0, "overlap_tokens": 4},
    ),
    "prose-between-rules-with-a-line-like-a-key": (
        (
            "---\n  * The pump opens, and the valve after it closes at once.\n"
            "  * The pump closes, and the valve after it opens at once.\n\nThe limits are:\n---\n"
        ),
        {"max_tokens": 36, "target_tokens": 18},
    ),
    "quote-cut-at-line-end": (
        "> 章有、章！\n> สวัวโ",
        {"max_tokens": 16, "target_tokens": 11, "min_tokens": 0},
    ),
    "quote-with-lazy-line": (
        ">te\n  了的是規\n>  了的是規。\n>  _i +_i= c_",
        {"max_tokens": 32, "target_tokens": 32, "min_tokens": 0},
    ),
    "quote-with-overlap": (
        ">字格有了文カ在有カ了格，！\n > $x$ïe\ne:",
        {"max_tokens": 17, "target_tokens": 17, "min_tokens": 0, "overlap_tokens": 4},
    ),
    "quote-cut-after-blanks": (
        ">-$!  格？ \n > 4 5",
        {"max_tokens": 17, "target_tokens": 17, "min_tokens": 0, "overlap_tokens": 4},
    ),
    "fence-in-empty-items": (
        "-\t-\n    ~~~~hle=x\n    1\n    d= {",
        {"max_tokens": 16, "target_tokens": 8, "min_tokens": 0},
    ),
    "open-table-after-a-marker": (
        "* ̂\n  !|l\n  :-:|-",
        {"max_tokens": 16, "target_tokens": 11, "min_tokens": 0},
    ),
    "open-table-kept-in-an-item": (
        "# Scope\n\n- The.\n\n  1 |  |  | The.\n  --- | --- | --- | ---\n\n",
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0, "oversize_table": "keep"},
    ),
    "table-in-a-quote-in-an-item": (
        "+ `  `\n  >…|wwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwwww| |\n  >-:| --:|-\n  漢字|\n  --",
        {"max_tokens": 48, "target_tokens": 27, "min_tokens": 0},
    ),
    "indented-math": (
        " $$\re;w. Echee!e;ewo. Echee! \r$$",
        {"max_tokens": 24, "target_tokens": 24, "min_tokens": 0},
    ),
    "math-after-math": (
        "$$(1)\n $$\na_+b_  _i\\\ra_+b_  c\\\\\n$$",
        {"max_tokens": 24, "target_tokens": 24, "min_tokens": 0},
    ),
    "math-in-an-item": (
        "* \n \t$$\noee!  o;ewo.  hrechne;ewo.  hrechne;ewo. ree! \n \t漢字= '字\n \t$$",
        {"max_tokens": 48, "target_tokens": 24, "min_tokens": 0},
    ),
    "code-in-a-footnote": (
        "[^f]:|\rf:\r \t`\r\r    \t#nng\r\r \tx= 1",
        {"max_tokens": 24, "target_tokens": 12, "min_tokens": 0},
    ),
    "code-in-an-item-in-a-quote": (
        (
            "The.\n\n> The.\n\n>The.\n>\n>- The.\n>-     x = 1\n>      x = 1\n>   "
            "   # no heading\n>      \treturn 2\n\n"
        ),
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0},
    ),
    "rules-with-prose-between": (
        "\ufeff---\njx\n---\n" + "、文」\n " * 40,
        {"max_tokens": 100, "target_tokens": 53, "min_tokens": 0},
    ),
    "broken-front-matter": (
        "---\nbroken: [\n---\n\n<div>\nhtml *here*\n</div>\n\n# Scope\n\n# Scope\n\n# Scope\n\n",
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0},
    ),
    "kept-code-in-a-container": (
        "::: note\n```\nx = 1\n```\n:::\n\n",
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0, "oversize_code": "keep"},
    ),
    "marker-before-an-open-table": (
        "- <|endoftext|>\n- The. | 、。\n  --- | ---\n\n",
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0},
    ),
    "marker-before-an-open-table-that-is-cut": (
        '# S\n-\n- a <b |"q\n  :-:|-\n  e.  >',
        {"max_tokens": 24, "target_tokens": 24, "min_tokens": 0},
    ),
    "lead-in-and-marker-before-an-open-table": (
        "It shall:\n\n- x\n- " + "word " * 8 + "\n- a | b\n  --- | ---\n  1 | 2\n",
        {"max_tokens": 24, "target_tokens": 24, "min_tokens": 0},
    ),
    "header-before-a-long-cluster": (
        'x\n-|"\n-:|-\n  👨\u200d👩\u200d👧\u200d👦',
        {"max_tokens": 24, "target_tokens": 24, "min_tokens": 0},
    ),
    "heading-before-a-table-with-a-title": (
        '<h2>H</h2>\n\n|a\n|---|\n| |\n{:title="A"}',
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0},
    ),
    "math-whose-marks-stand-on-the-line-of-a-formula": (
        (
            "$$\nTo open](https://example.org/pumps/EpmosFacesDisplay?id=215187.1&x=1614107)\n"
            "+ For [a pump 1614107](https://example.org/pumps/EpmosFacesDisplay?id=1614107.1)$$\n"
        ),
        {"max_tokens": 56, "target_tokens": 32},
    ),
    "math-in-a-quote-whose-closing-mark-has-a-label": (
        f"## {'pump ' * 40}\n\n> $$\n> x\n> $$ (1)\n",
        {"max_tokens": 52, "target_tokens": 52},
    ),
    "indented-text-of-an-item-above-code-in-it": (
        (f"+ {'Pumps open. ' * 30}\n\n   {'Valves open. ' * 20}\n\t\n\t  + `OEM`\n"),
        {"max_tokens": 100, "target_tokens": 100},
    ),
    "fence-right-below-the-last-of-some-found-titles": (
        "20. USE [pump]\n\t\n21. GO\n23. GO\n```\n",
        {"max_tokens": 64, "target_tokens": 64},
    ),
    "sentences-of-the-text-for-a-picture-in-a-tag-above-the-cap": (
        (
            '<img alt="The picture shows a table with a title and a single column inside. '
            "The first cell of the table has the value zero, the second one the value one, and "
            'the third one holds nothing. An arrow leads from the last cell to the first." '
            'src="img/table-01-02.svg" class="center" />\n'
        ),
        {"max_tokens": 56, "target_tokens": 56},
    ),
    "a-list-of-clauses-below-a-number-alone": (
        "#### Artikel 11 document\n99\n1. Specified system. <https://a.b> ",
        {"max_tokens": 64, "target_tokens": 64, "sections": "separate"},
    ),
    "a-clause-behind-a-byte-order-mark": (
        "\ufeff**第26章: section**\n",
        {"max_tokens": 1024, "target_tokens": 1024},
    ),
    "sentences-of-a-comment-in-a-script-without-blanks": (
        f"<!-- {'ポンプを止める' * 8}。{'弁を閉' * 4}clause 5{'を開ける' * 8}。 -->\n",
        {"max_tokens": 90, "target_tokens": 90},
    ),
    "found-titles-between-the-items-of-a-list": (
        (
            "8. Supply device.\n9. Each range specified specified?\n   : & register applies.\n"
            "   specified.\n10. Temperature the test.\n    No. of system {#id}.\n"
            "11. System system current according limit [^1]; System test pump;\n"
            "14. 3.14 test control value **bold** the unless shall according to the limit\n"
        ),
        {"max_tokens": 64, "target_tokens": 64},
    ),
    "attributes-that-are-indented": (
        "|k|v|w\n  |---|---|---|\n" + "|r1|some value|16 bar|\n" * 9 + "  {: title='Limits'}",
        {"max_tokens": 48, "target_tokens": 48, "min_tokens": 0},
    ),
    "tag-that-a-quote-closes": (
        "> <table\n><td n=0\n> <tr> </table>",
        {"max_tokens": 17, "target_tokens": 17, "min_tokens": 0},
    ),
    "html-row-without-cells": (
        "- <table><tr></tr></table>\n" + "word " * 20,
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0, "oversize_table": "keep"},
    ),
    "html-table-kept-in-a-container-in-an-item": (
        "1. ::: note\n   <table><tr><td>a</td></tr><tr><td>b</td></tr></table>\n   :::",
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0, "oversize_table": "keep"},
    ),
    "html-table-before-an-open-one": (
        "<table>\n" + ROW * 4 + "</table>\n<table>\n",
        {"max_tokens": 32, "target_tokens": 32, "min_tokens": 0},
    ),
    "html-table-after-an-open-header": (
        "<table><thead></table><table>\n" + ROW * 5 + "</table>",
        {"max_tokens": 48, "target_tokens": 48, "min_tokens": 0},
    ),
    "html-table-after-an-open-caption": (
        "<table><caption>Open<tr><td>1</td></tr></table>\n<table>\n"
        + ROW * 5
        + "</caption></table>",
        {"max_tokens": 32, "target_tokens": 32, "min_tokens": 0},
    ),
    "html-table-in-a-comment-before-its-end": (
        "<table><tr><td>x</td></tr>\n<!--\n<table>\n-->\n\n" + ROW * 4 + "\n</table>",
        {"max_tokens": 32, "target_tokens": 32, "min_tokens": 0},
    ),
    "html-table-that-closes-what-is-around-it": (
        "<div><table></div>\n" + ROW * 4 + "</table>",
        {"max_tokens": 32, "target_tokens": 32, "min_tokens": 0},
    ),
    "html-table-with-a-caption-and-text-after": (
        "**Limits**\n\n<table>\n" + ROW * 4 + "</table>\nmore",
        {"max_tokens": 32, "target_tokens": 32, "min_tokens": 0},
    ),
    "html-row-with-text-after-it-before-the-table-ends": (
        (
            "<table>\n<tr><th>k</th><th>v</th></tr>\n<tr><td>1</td><td>2</td></tr>\n"
            + "Words that stand in no cell. " * 20
            + "\n</table>\n"
        ),
        {"max_tokens": 64, "target_tokens": 64},
    ),
    "html-table-that-closes-much-below-a-long-path": (
        (
            "# The limits of the pressure in all pipes behind the pump and before the valve\n\n"
            "## How the pressure is measured, how often, and who is told of it in the end\n\n"
            '<div class="text-left" markdown="1">\n<table style="width:100%">\n  <tr>\n    <td>'
            '<img src="limits/media/pressure.png" alt="gauge" style="width:100px;height:100px"/>'
            "</td>\n    <td>Upper limit</td>\n  </tr>\n  </table>\n  </div>\n"
        ),
        {"max_tokens": 64, "target_tokens": 64},
    ),
    "admonition-below-a-tab-in-its-item": (
        (
            "* The pump.\n\t\n\t??? tip\n\t\n\t    *Table 1 Limits.*\n\t    \n\t    | each |  |\n"
            "\t    | :--- | - |\n"
            + "\t    | upper | 12 V of the pump that opens first, in all cases |\n"
            * 4
        ),
        {"max_tokens": 64, "target_tokens": 16},
    ),
    "footnote-below-blanks-in-its-item": (
        (
            f"+ {'The pump opens. ' * 30}\n    \n    [^x]:   For pumps:\n    \n    ```\n"
            "      open the pump \\\n      ```\n  close the pump \\\n  ```\n"
        ),
        {"max_tokens": 64, "target_tokens": 64, "min_tokens": 0},
    ),
    "item-of-code-in-a-footnote": (
        "[^x]: 3.         " + "open => 'all', " * 40,
        {"max_tokens": 100, "target_tokens": 100},
    ),
    "table-of-a-header-that-begins-a-quote": (
        (
            f"# Pumps{' more' * 25}\n\n## Valves\n\n{'The valve opens. ' * 20}\n\n"
            f"> the pumps that open | {'valve ' * 27} | 7014\n> :-: | :--- | ---\n> \n"
            f"> ~~~c\n> x = 1\n{'> y = 2' * 8}\n> ~~~\n"
        ),
        {"max_tokens": 64, "target_tokens": 64, "min_tokens": 0},
    ),
    "signs-of-a-quote-in-html-that-is-cut-at-its-rows": (
        f"<table><tr><th>{'pump ' * 40}</th></tr>\n"
        + "".join(f"><tr><td>{'valve ' * n}</td></tr>\n" for n in range(2, 40))
        + "</table>\n",
        {"max_tokens": 44, "target_tokens": 44, "min_tokens": 0},
    ),
    "table-of-a-header-in-a-quote-below-a-long-heading": (
        f"## Valve{' valve' * 52}\n\n> | the pumps that open | {'valve ' * 8} |\n> | --- | - |\n",
        {"max_tokens": 80, "target_tokens": 80, "min_tokens": 0},
    ),
    "items-below-a-heading-that-is-repeated-only-without-their-marker": (
        (
            f"### Other\n\n{'Pumps open. ' * 40}\n\n"
            f'### Settings<a name="Settings{".Pump" * 11}"></a>\n\n'
            + "".join(
                f"+ [{name}\\_max](https://example.org/docs/{name}.html"
                f"#LIMIT{'-MAX-WORKERS' * 5})\n"
                for name in ("autoclose", "autoopen", "autorun")
            )
        ),
        {"max_tokens": 64, "target_tokens": 64, "min_tokens": 7, "repeat_heading": True},
    ),
    "nul-in-a-row-that-is-cut": (
        f"| a | b |\n|---|---|\n{f'| {WORDS} {chr(0)} pump | y |{chr(10)}' * 4}",
        {"max_tokens": 40, "target_tokens": 16, "min_tokens": 0},
    ),
    "code-with-marks-of-quotes-and-without-end": (
        f"```\n{f'{WORDS}{chr(10)}> {chr(10)}' * 6}",
        {"max_tokens": 64, "target_tokens": 16, "min_tokens": 0},
    ),
    "code-with-blank-lines-in-a-quote": (
        f"> ```\n{f'> {WORDS}{chr(10)}> {chr(10)}' * 6}",
        {"max_tokens": 64, "target_tokens": 16, "min_tokens": 0},
    ),
    "tags-and-entities-in-the-caption-of-an-html-table": (
        (
            "<table>\n<caption>Table 1: <https://a.b> &amp; <i>x</i>y</caption>\n"
            f"{f'<tr><td>{WORDS}</td></tr>{chr(10)}' * 6}</table>\n"
        ),
        {"max_tokens": 128, "target_tokens": 128, "min_tokens": 0},
    ),
    "word-behind-a-comment-in-a-comment": (
        (
            "## 1 – $x^2$\n`a|b`!\n#### 2\t5.1 при данных пункту\n"
            "<!-- Передаче данных система передаче 5.1 приложения согласно система <!-- c --> "
            "согласно защиту данных пункту "
        ),
        {"max_tokens": 64, "target_tokens": 64, "overlap_tokens": 8},
    ),
    "first-item-of-a-list-in-html-in-a-quote": (
        (
            "> <ul>\n> <li>ばナなし護をスムシスなタなれらけ[text][ref]"
            "ターカをス漢ひがーられいななムーな送漢中転中は。ムがタひ。"
            "字テしタデデ；</li>\n> </ul>\n"
        ),
        {"max_tokens": 80, "target_tokens": 64},
    ),
    "table-of-a-header-below-headings-that-leave-no-room-for-the-overlap": (
        (
            f'{"Pumps open. " * 30}\n\n# A<a name="{"x7" * 18}"></a>\n\n'
            f'## B<a name="{"x7" * 18}"></a>\n\n| {"valve " * 40}| |\n|---|---|\n'
        ),
        {"max_tokens": 128, "target_tokens": 128, "min_tokens": 0, "overlap_tokens": 64},
    ),
    "overlap-of-a-tag-on-a-line-of-its-own-before-code": (
        "<a>1</a>\n<b>2</b>\n</c>\n```\n\n# not a heading\n\nPumps open. " + "Pumps open. " * 20,
        {"max_tokens": 64, "target_tokens": 16, "min_tokens": 0, "overlap_tokens": 6},
    ),
    "tied-rows-of-html-that-fit-but-for-what-closes-their-table": (
        (
            f"<table>\n<thead>\n<tr><th>{'valve ' * 39}valve</th><th>b</th></tr>\n</thead>\n"
            f'<tbody>\n<tr><td rowspan="2">1</td><td>{"valve " * 95}valve</td></tr>\n'
            f"<tr><td>{'valve ' * 59}valve</td></tr>\n<tr><td>1</td><td>2</td></tr>\n"
            "</tbody>\n</table>\n"
        ),
        {"max_tokens": 256, "target_tokens": 128},
    ),
    "tied-rows-of-html-that-fit-but-for-the-heading-above": (
        (
            f'### {"valve " * 20}<a name="{"x7" * 9}"></a>\n\n<table>\n'
            f"<tr><th>{'valve ' * 39}valve</th><th>b</th></tr>\n"
            f'<tr><td rowspan="2">1</td><td>{"valve " * 49}valve</td></tr>\n'
            f"<tr><td>{'valve ' * 19}valve</td></tr>\n<tr><td>1</td><td>2</td></tr>\n</table>\n"
        ),
        {"max_tokens": 200, "target_tokens": 200, "min_tokens": 0},
    ),
    "quote-that-goes-on-with-marks-indented-as-code": (
        (
            f"###### {'Pump limits ' * 17}\n\n> Valve valve valve:\n"
            "    > | valve valve valve | Pump pump pump pump pump. |\n    > |---|---|\n"
        ),
        {"max_tokens": 64, "target_tokens": 12},
    ),
    "table-of-a-header-in-a-quote-below-a-heading-that-leaves-no-room": (
        (
            f'# {"Pump limits " * 5}<a name="{"x7" * 10}"></a>\n\n> Table 1: {"valve " * 11}\n> \n'
            f"> | {'valve ' * 12} | 20 |  | {'valve ' * 20} |  |\n> |---|---|---|---|---|\n"
        ),
        {"max_tokens": 100, "target_tokens": 20, "min_tokens": 0},
    ),
    "fence-in-the-rest-of-html-before-code": (
        (
            f'## {"Pump limits " * 5}<a name="{"x7" * 8}"></a>\n'
            f"<div>\n{'Water ' * 8}water.\n</div>\n"
            "!!! note\n    $$\n    a = b \\\\\n    $$\n##### Pump limits [link](http://a.b/c_dddddd)\n"
            "###### Pump limits {#id-50}\n## Valve Valve\n**valve valve valve valve valve**\n"
            f"[^1]: {'Pump ' * 7}pump! {'Water ' * 8}water. {'System ' * 7}system?\n"
            "## Pump limits Pump limits [link](http://a.b/c_dddddddddddddddddddd)\n````\n\n````\n"
            "> **valve valve valve valve valve valve**\n"
        ),
        {"max_tokens": 128, "target_tokens": 128, "min_tokens": 16, "repeat_heading": True},
    ),
    "header-that-is-too-long-to-repeat-in-an-item-with-a-lead-in": (
        (
            "The parts of the valve are these:\n\n1. <!-- c --> register the same\n"
            f"2. {'valve ' * 16}\n3. {'valve ' * 16}\n"
            f"   | {'valve ' * 14}| test | must | pump | | device |\n"
            "   | ---: | - | - | :-: | :-: | :--- |\n"
            f"   | {'valve ' * 60}| pump | 1 | 2 | 3 | 4 |\n"
        ),
        {"max_tokens": 100, "target_tokens": 100, "min_tokens": 12},
    ),
    "html-table-with-blank-lines-and-text-after": (
        "<table>\n\n" + ROW * 4 + "\n</table> and more",
        {"max_tokens": 32, "target_tokens": 32, "min_tokens": 0},
    ),
    "rows-tied-in-an-item-with-a-lead-in": (
        (
            "The limits of the pumps:\n- one\n\n  <table>\n  <thead>\n"
            f"  <tr><th>{'Name and place ' * 6}</th><th>Value</th></tr>\n  </thead>\n"
            '  <tr><td>Inlet of the first hall</td><td rowspan="2">bar</td></tr>\n'
            f'  <tr><td rowspan="2">Outlet</td><td>{"by hand, " * 12}daily</td></tr>\n'
            "  <tr><td>Spare</td></tr>\n  <tr><td>Rest</td><td>none</td></tr>\n  </table>\n"
        ),
        {"max_tokens": 152, "target_tokens": 152},
    ),
    "fence-below-text-that-begins-with-a-tag": (
        (
            f"{'The valve opens at this limit of the pressure and ' * 5}\n    <body>Do not touch\n"
            f"```\nx = {'limit + ' * 12}1\ny = {'limit + ' * 12}1\n```\n"
        ),
        {"max_tokens": 56, "target_tokens": 56, "min_tokens": 0},
    ),
    "table-that-would-fit-without-the-heading-repeated": (
        (
            f'## Boundaries <a name="{"boundaries-of-time-" * 5}"></a>\nThe data follow.\n\n'
            "| Frequency | Boundary |\n|---|---|\n"
            "| year | First day of the year or the day after |\n"
            "| month | First day of the month or the day after |\n"
            "| week | First day of the week or the day after |\n"
        ),
        {"max_tokens": 76, "target_tokens": 76, "min_tokens": 0, "repeat_heading": True},
    ),
    "comment-with-the-tag-of-code": (
        (
            "<!--\nSome <pre>\n"
            + "The valve opens at this limit.\nThe pump stops there.\nThe operator looks. " * 8
            + "\n-->\n"
        ),
        {"max_tokens": 48, "target_tokens": 48},
    ),
    "container-with-a-title-that-fits-no-chunk": (
        f"::: {'# [The valve](valve-and-pump.md) ' * 30}\n+ ",
        {"max_tokens": 64, "target_tokens": 64},
    ),
    "kept-table-without-rows-and-a-caption-below": (
        (
            f"Some text\n\n### Limits\n\n{'| a column of the table of limits ' * 24}|\n"
            f"|{'---|' * 24}\n\n*Table 2: limits*\n"
        ),
        {"max_tokens": 128, "target_tokens": 128, "oversize_table": "keep"},
    ),
    "labels-below-a-heading-that-takes-most-of-the-cap": (
        (
            "### Article 10 Penalties for pumps that leak oil or water\n10.1.\n\n10.2.\n\n"
            "If it has found any, it shall stop them.\n"
        ),
        {"max_tokens": 17, "target_tokens": 11},
    ),
    "cluster-below-a-heading-that-takes-most-of-the-cap": (
        '## Valve<a name="pump_valve_of-valve"></a>\n👍🏿\n',
        {"max_tokens": 16, "target_tokens": 8, "outline": "trust"},
    ),
    "text-carried-before-rows-that-are-tied": (
        (
            f"{'The pumps stand in the hall of the plant ' * 4}\n\n###### Limits\n\n"
            "**Limits of the pumps**\n\n<table>\n"
            f"<tr><th>{'Name ' * 20}</th><th>Value</th></tr>\n"
            '<tr><td>Inlet</td><td rowspan="2">bar</td></tr>\n'
            f"<tr><td>Outlet {'by hand ' * 16}</td></tr>\n"
            f"<tr><td>{'Rest ' * 30}</td><td>none</td></tr>\n"
            f"<tr><td>{'Spare ' * 30}</td><td>none</td></tr>\n</table>\n"
        ),
        {"max_tokens": 130, "target_tokens": 130, "min_tokens": 65},
    ),
    "lead-in-of-a-long-cluster-below-headings": (
        (
            "# 1 Tests\n\n# 1.1 Tests\n\nIt shall:\n\n"
            "- 👨\u200d👩\u200d👧\u200d👦👩🏽\u200d🚀🇩🇪🇫🇷👍🏿\n\n# 2 Tests\n"
        ),
        {"max_tokens": 28, "target_tokens": 28, "min_tokens": 0, "encoding": "o200k_base"},
    ),
    "null-in-an-info-string": (
        "```\0\nOpen the valve and close it.\nClose the valve.\nDrain the pump.\nMount it.\n```\n",
        {"max_tokens": 24, "target_tokens": 12},
    ),
    "comment-among-the-feet-of-pages": (
        (
            "Open the valve.\nthe pump manual\n<!-- page 2 -->\nClose it.\nthe pump manual\n"
            "<!-- page 3 -->\nDrain it.\n<!-- pump manual\n"
        ),
        {},
    ),
}


@pytest.mark.parametrize("case", ONCE_BROKEN)
def test_no_law_is_broken_again_where_one_was(case: str) -> None:
    """These are the smallest documents that once broke a law; each run tries all of them."""
    text, limits = ONCE_BROKEN[case]
    config = PackConfig.model_validate(limits)
    assert report_of(text, pack(Source(text, "d.md"), config), config, "d.md") == []


# -------------------------------------------------------------------- law 10: stable

_HASH_SCRIPT = """
import hashlib, sys
from treepack import PackConfig, Source, pack
text = sys.stdin.buffer.read().decode()
config = PackConfig(max_tokens=64, overlap_tokens=8)
sys.stdout.write(hashlib.sha256(pack(Source(text, "d.md"), config).to_jsonl().encode()).hexdigest())
"""

PARAGRAPH = (
    "This paragraph was put in by an editor to see how much has to be embedded again. "
    "It has two sentences and is of ordinary length."
)


def book(sections: int) -> str:
    """An ordinary document: chapters with sections of text, lists, code and tables."""
    parts = ["# Manual\n\nAn introduction of some words.\n\n"]
    for number in range(sections):
        if number % 10 == 0:
            parts.append(f"## Chapter {number // 10}\n\nWhat the chapter is about.\n\n")
        parts.append(f"### Section {number}\n\n")
        parts.append(f"Text number {number} says what the section is about. " * 6 + "\n\n")
        if number % 3 == 0:
            parts.append(f"- item {number}\n- another item\n\n")
        if number % 5 == 0:
            parts.append(
                f"```python\nvalue = {number}\n```\n\n| a | b |\n|---|---|\n| {number} | 2 |\n\n"
            )
    return "".join(parts)


@pytest.fixture(scope="module")
def rich_document() -> str:
    path = Path(__file__).parents[1] / "README.md"
    return path.read_text(encoding="utf-8") + "\n\n" + book(30)


@pytest.mark.slow
def test_no_process_and_no_hash_seed_changes_the_result(rich_document: str) -> None:
    """A result that depends on the order of a set of strings would differ here."""
    digests = {
        subprocess.run(
            [sys.executable, "-c", _HASH_SCRIPT],
            input=rich_document.encode(),
            capture_output=True,
            check=True,
            env={**os.environ, "PYTHONHASHSEED": seed},
        ).stdout
        for seed in ("1", "4242")
    }
    assert len(digests) == 1


@laws
@given(text=any_text, config=configs())
def test_the_same_input_gives_the_same_chunks(text: str, config: PackConfig) -> None:
    first = pack(Source(text, "d.md"), config)
    assert pack(Source(text, "d.md"), config) == first
    assert len({chunk.id for chunk in first}) == len(first), "ids are unique"


def edited(kind: str, text: str) -> str:
    middle = text.index("Text number 100")
    match kind:
        case "paragraph at the top":
            return text.replace("# Manual\n\n", f"# Manual\n\n{PARAGRAPH}\n\n", 1)
        case "paragraph before everything":
            return f"{PARAGRAPH}\n\n{text}"
        case "word in the middle":
            return text[:middle] + text[middle:].replace("says", "tells", 1)
        case "paragraph deleted late":
            return re.sub(r"(?m)^Text number 180.*\n\n", "", text)
        case _:
            return text + f"## Appended\n\n{PARAGRAPH}\n"


@pytest.mark.slow
@pytest.mark.parametrize(
    "kind",
    [
        "paragraph at the top",
        "paragraph before everything",
        "word in the middle",
        "paragraph deleted late",
        "section appended",
    ],
)
@pytest.mark.parametrize(
    "config", [PackConfig(max_tokens=128), PackConfig(max_tokens=100, overlap_tokens=20)]
)
def test_an_edit_leaves_the_ids_and_texts_elsewhere(kind: str, config: PackConfig) -> None:
    """An index must embed only what an edit changed, so ids and hashes contain no positions."""
    text = book(200)
    after = edited(kind, text)
    assert after != text
    before, then = pack(Source(text, "m.md"), config), pack(Source(after, "m.md"), config)
    assert len(before) >= 200
    for kept in (
        {chunk.id for chunk in before} & {chunk.id for chunk in then},
        {chunk.content_hash for chunk in before} & {chunk.content_hash for chunk in then},
    ):
        assert len(kept) >= 0.97 * len(before)


def headingless(kind: str, size: int) -> str:
    """A long text of one kind of block, each unit of which differs."""
    dice = random.Random(kind)  # noqa: S311 - no secret
    words = ["valve", "pump", "limit", "sensor", "shall", "open", "close", "value", "clause"]

    def said(most: int) -> str:
        return " ".join(dice.choices(words, k=dice.randint(3, most))).capitalize() + "."

    match kind:
        case "paragraphs":
            return "\n\n".join(said(40) for _ in range(size // 20))
        case "sentences":
            return " ".join(said(20) for _ in range(size // 11))
        case "items":
            return "\n".join(f"- {said(20)}" for _ in range(size // 12))
        case "rows":
            rows = "".join(f"| {said(8)} | {said(8)} |\n" for _ in range(size // 13))
            return f"| a | b |\n|---|---|\n{rows}"
        case _:
            lines = "\n".join(said(8) for _ in range(size // 6))
            return f"```\n{lines}\n```"


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["paragraphs", "sentences", "items", "rows", "lines"])
def test_an_edit_moves_few_chunks_where_no_heading_stops_it(kind: str) -> None:
    """Greedy packing alone realigns after an edit only by chance; in code, not in 200 chunks."""
    config = PackConfig(max_tokens=128, target_tokens=64)
    text = headingless(kind, 24_000)
    before = pack(Source(text, "m.md"), config)
    assert len(before) >= 300

    then = pack(Source(f"{PARAGRAPH}\n\n{text}", "m.md"), config)

    kept = {chunk.id for chunk in before} & {chunk.id for chunk in then}
    assert len(kept) >= 0.97 * len(before), len(before) - len(kept)


def test_ids_depend_on_the_document_but_not_on_what_stands_before() -> None:
    section = "## Same\n\nThe same text.\n"
    config = PackConfig(max_tokens=16, min_tokens=0)

    def last_id(text: str, name: str) -> str:
        return pack(Source(text, name), config)[-1].id

    filler = "Other words that fill the chunk before it to the brim, or nearly so.\n\n"
    assert last_id(filler + section, "a.md") == last_id(filler * 3 + section, "a.md")
    assert last_id(filler + section, "a.md") != last_id(filler + section, "b.md")


# -------------------------------------------------------------------- law 11: pure


@settings(laws, max_examples=30)
@given(first=any_text, second=any_text, config=configs())
def test_no_state_is_left_between_calls(first: str, second: str, config: PackConfig) -> None:
    packer = Packer(config)
    once = packer.pack(Source(first, "a.md"))
    packer.pack(Source(second, "b.md"))
    assert packer.pack(Source(first, "a.md")) == once


@pytest.mark.slow
def test_one_packer_serves_many_threads(rich_document: str) -> None:
    packer = Packer(PackConfig(max_tokens=128, overlap_tokens=16))
    sources = [Source(rich_document, "r.md"), Source(book(40), "b.md")] * 8
    expected = [packer.pack(source) for source in sources[:2]] * 8
    with ThreadPoolExecutor(8) as pool:
        assert list(pool.map(packer.pack, sources)) == expected


def test_one_document_serves_many_threads(rich_document: str) -> None:
    """Threads share a parsed document's token index; it must not matter which uses it first."""
    document = parse(rich_document, name="r.md")
    configs_of_threads = [PackConfig(max_tokens=cap) for cap in (32, 64, 128, 256)] * 2
    with ThreadPoolExecutor(8) as pool:
        found = list(pool.map(lambda config: pack(document, config), configs_of_threads))
    assert found == [pack(Source(rich_document, "r.md"), c) for c in configs_of_threads]


def test_the_source_and_its_metadata_are_not_changed() -> None:
    text = "---\ntitle: T\ntags: [a]\n---\n# One\n\n" + "Some words. " * 60
    metadata = {"owner": {"name": "x"}}
    source = Source(text, "s.md", metadata)
    before = deepcopy(source)
    pack(source, PackConfig(max_tokens=32), metadata={"more": 1})
    assert source == before
    assert metadata == {"owner": {"name": "x"}}


def test_no_chunk_shares_its_metadata_with_another() -> None:
    """A framework that writes into one node's metadata must not write into all of them."""
    text = "---\ntags: [a]\n---\n# One\n\n" + "Some words here. " * 60
    chunks = pack(Source(text, "s.md", {"owner": {"name": "x"}}), PackConfig(max_tokens=32))
    assert len(chunks) > 2
    chunks[0].metadata["new"] = 1
    chunks[0].metadata["tags"].append("b")
    chunks[0].metadata["owner"]["name"] = "y"
    assert chunks[1].metadata == {"tags": ["a"], "owner": {"name": "x"}}


# -------------------------------------------------------------------- law 12: linear


class Recorder:
    """A plain token counter that records its calls and the characters that it counted."""

    def __init__(self, count: Callable[[str], int] = words) -> None:
        self.count = count
        self.calls = 0
        self.characters = 0

    def __call__(self, text: str) -> int:
        """Count the tokens of a text, and record the call."""
        self.calls += 1
        self.characters += len(text)
        return self.count(text)


def work(text: str, cap: int = 256) -> Recorder:
    recorder = Recorder()
    pack(Source(text, "w.md"), PackConfig(max_tokens=cap, encoding=recorder))
    return recorder


_GROWING: dict[str, Callable[[int], str]] = {
    "sections": book,
    "one paragraph": lambda n: "A sentence of seven words stands here. " * (20 * n),
    "no blank": lambda n: "x" * (800 * n),
    "one list": lambda n: "- an item of some words\n" * (30 * n),
    "deep list": lambda n: "".join("  " * (i % 9) + f"- item {i}\n" for i in range(30 * n)),
    "one table": lambda n: "| key | value |\n|---|---|\n" + "| a b c | d e f |\n" * (30 * n),
    "one row": lambda n: "| k | v |\n|---|---|\n| key | " + "word " * (150 * n) + "|\n",
    "one fence": lambda n: "```\n" + "a line of code\n" * (30 * n) + "```\n",
    "one quote": lambda n: "> a quoted line of words.\n" * (30 * n),
    "headings alone": lambda n: "".join(f"## heading {i}\n" for i in range(30 * n)),
    "one heading": lambda n: "# " + "long heading " * (60 * n) + "\n\ntext\n",
}


@pytest.mark.slow
@pytest.mark.parametrize("kind", _GROWING)
def test_twice_the_text_is_twice_the_work_for_the_counter(kind: str) -> None:
    """Work is counted in calls and characters, not seconds, so it is the same on any machine."""
    small, large = (work(_GROWING[kind](n)) for n in (40, 80))
    assert large.calls <= 2.4 * small.calls + 20
    assert large.characters <= 2.4 * small.characters + 20_000


@pytest.mark.slow
@pytest.mark.parametrize("part", ["<a ", "[a]: <"])
def test_a_line_of_tags_four_times_as_long_takes_four_times_as_long(part: str) -> None:
    """It once took eleven times as long: each chunk searched for the end of the line."""

    def seconds(length: int) -> float:
        source = Source(part * (length // len(part)), "w.md")
        return min(timeit.repeat(lambda: pack(source), timer=time.process_time, number=1, repeat=3))

    seconds(10_000)
    assert seconds(800_000) < 7 * seconds(200_000)


@pytest.fixture
def sent(monkeypatch: pytest.MonkeyPatch) -> Recorder:
    """Record all text that goes through a bundled tokenizer."""
    recorder = Recorder(len)
    pieces = EncodingCounter.pieces

    def recording(self: EncodingCounter, text: str) -> Iterable[str]:
        recorder(text)
        return pieces(self, text)

    monkeypatch.setattr(EncodingCounter, "pieces", recording)
    return recorder


@pytest.mark.parametrize("encoding", ["cl100k_base", "o200k_base"])
def test_an_ordinary_document_goes_through_the_tokenizer_once(
    encoding: str, sent: Recorder
) -> None:
    """Counting costs the most: one pass over the text serves all decisions."""
    text = book(300)
    pack(Source(text, "m.md"), PackConfig(encoding=encoding))
    assert len(text) <= sent.characters <= 1.1 * len(text)


@pytest.mark.parametrize("is_parsed", [False, True])
def test_a_name_and_metadata_do_not_send_a_document_through_again(
    sent: Recorder, *, is_parsed: bool
) -> None:
    """The command line names each document by its path in its folder."""
    text = book(300)
    source = parse(text, name="m.md") if is_parsed else Source(text, "m.md")

    chunks = pack(source, name="docs/m.md", metadata={"product": "P100"})

    assert chunks[0].document == "docs/m.md"
    assert chunks[0].metadata == {"product": "P100"}
    assert len(text) <= sent.characters <= 1.1 * len(text)


@pytest.mark.slow
@pytest.mark.parametrize("kind", _GROWING)
def test_the_tokenizer_sees_twice_the_characters_of_twice_the_text(
    kind: str, sent: Recorder
) -> None:
    seen: list[int] = []
    for n in (40, 80):
        sent.characters = 0
        pack(Source(_GROWING[kind](n), "w.md"), PackConfig(max_tokens=256))
        seen.append(sent.characters)
    assert seen[1] <= 2.4 * seen[0] + 20_000
