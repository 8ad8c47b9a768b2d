"""The smallest documents without tables that once broke a law, each with its limits."""

from typing import Any

WORDS = " ".join(["valve"] * 18)
DOCUMENTS: dict[str, tuple[str, dict[str, Any]]] = {
    "title-directly-above-code": (
        "**Chapter 1 – In**\n\nShut.\n\n**Chapter 2 – To**\n\nOpen.\n\n**Chapter 3 – Up**\n~~~\ngo",
        {"max_tokens": 64, "target_tokens": 24, "min_tokens": 0},
    ),
    "clauses-numbered-through-seven-levels": (
        "# 1 Pumps\n\nGeneral.\n\n1.1.1.1.1.1.1 Stop it.\n\n1.1.1.1.1.1.2 Oil it.\n",
        {"max_tokens": 64, "target_tokens": 64, "min_tokens": 0, "sections": "separate"},
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
    "overlap-with-an-item-that-holds-code": (
        (
            "- The pump stops? It opens.\n"
            "  - 5 the valve in the pipe of the pump opens first, and so.\n\n"
            "    ~~~python\n    open(valve)\n\n    open(all)\n    ~~~\n  - and;\n\n"
            "    > ```\n    > close(valve)\n    > close(pump)\n    > close(all)\n    > ```\n"
        ),
        {"max_tokens": 64, "target_tokens": 40, "overlap_tokens": 8},
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
    "code-with-marks-of-quotes-and-without-end": (
        f"```\n{f'{WORDS}{chr(10)}> {chr(10)}' * 6}",
        {"max_tokens": 64, "target_tokens": 16, "min_tokens": 0},
    ),
    "code-with-blank-lines-in-a-quote": (
        f"> ```\n{f'> {WORDS}{chr(10)}> {chr(10)}' * 6}",
        {"max_tokens": 64, "target_tokens": 16, "min_tokens": 0},
    ),
    "word-behind-a-comment-in-a-comment": (
        (
            "## 1 – $x^2$\n`a|b`!\n#### 2\t5.1 при данных пункту\n"
            "<!-- Передаче данных система передаче 5.1 приложения согласно система <!-- c --> "
            "согласно защиту данных пункту "
        ),
        {"max_tokens": 64, "target_tokens": 64, "overlap_tokens": 8},
    ),
    "overlap-of-a-tag-on-a-line-of-its-own-before-code": (
        "<a>1</a>\n<b>2</b>\n</c>\n```\n\n# not a heading\n\nPumps open. " + "Pumps open. " * 20,
        {"max_tokens": 64, "target_tokens": 16, "min_tokens": 0, "overlap_tokens": 6},
    ),
    "quote-that-goes-on-with-marks-indented-as-code": (
        (
            f"###### {'Pump limits ' * 17}\n\n> Valve valve valve:\n"
            "    > | valve valve valve | Pump pump pump pump pump. |\n    > |---|---|\n"
        ),
        {"max_tokens": 64, "target_tokens": 12},
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
