"""The smallest documents with tables that once broke a law, each with its limits."""

from typing import Any

WORDS = " ".join(["valve"] * 18)
ROW = "<tr><td>1</td><td>2</td></tr>\n"
TABLES: dict[str, tuple[str, dict[str, Any]]] = {
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
    "cell-with-text-before-a-long-tag": (
        (
            "<table>\n<thead>\n<tr><th>Part</th><th>Value</th></tr>\n</thead>\n<tbody>\n<tr>\n"
            '<td><p>Size</p></td>\n<td><p><strong>twice</strong>(<a href="/docs/pumps/red-pump" '
            'title="[red-pump-with-lamps](/docs/pumps/red-pump-with-lamps-and-fans)"><strong>'
            "RED_PUMP</strong></a>)</p></td>\n</tr>\n</tbody>\n</table>\n"
        ),
        {"max_tokens": 80, "target_tokens": 80, "min_tokens": 0},
    ),
    "text-in-a-row-before-its-first-cell": (
        "<table>\n<tr><th>a</th></tr>\n<tr>\n"
        + "Counted by the monitor. " * 7
        + "\n<td>b</td></tr>\n</table>\n",
        {"max_tokens": 64, "target_tokens": 64, "min_tokens": 0},
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
    "row-with-more-cells-than-its-table": (
        (
            "| limit | value |\n|---|---|\n| upper | | 12 V of the pump that opens first |\n"
            "| lower | 8 V of the pump that opens last, and of the valve after it |\n"
            "| middle | 10 V of the pump that never opens, and of the valve after it |\n"
        ),
        {"max_tokens": 64, "target_tokens": 41},
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
    "heading-before-a-table-with-a-title": (
        '<h2>H</h2>\n\n|a\n|---|\n| |\n{:title="A"}',
        {"max_tokens": 16, "target_tokens": 16, "min_tokens": 0},
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
    "nul-in-a-row-that-is-cut": (
        f"| a | b |\n|---|---|\n{f'| {WORDS} {chr(0)} pump | y |{chr(10)}' * 4}",
        {"max_tokens": 40, "target_tokens": 16, "min_tokens": 0},
    ),
    "tags-and-entities-in-the-caption-of-an-html-table": (
        (
            "<table>\n<caption>Table 1: <https://a.b> &amp; <i>x</i>y</caption>\n"
            f"{f'<tr><td>{WORDS}</td></tr>{chr(10)}' * 6}</table>\n"
        ),
        {"max_tokens": 128, "target_tokens": 128, "min_tokens": 0},
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
    "table-of-a-header-in-a-quote-below-a-heading-that-leaves-no-room": (
        (
            f'# {"Pump limits " * 5}<a name="{"x7" * 10}"></a>\n\n> Table 1: {"valve " * 11}\n> \n'
            f"> | {'valve ' * 12} | 20 |  | {'valve ' * 20} |  |\n> |---|---|---|---|---|\n"
        ),
        {"max_tokens": 100, "target_tokens": 20, "min_tokens": 0},
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
    "kept-table-without-rows-and-a-caption-below": (
        (
            f"Some text\n\n### Limits\n\n{'| a column of the table of limits ' * 24}|\n"
            f"|{'---|' * 24}\n\n*Table 2: limits*\n"
        ),
        {"max_tokens": 128, "target_tokens": 128, "oversize_table": "keep"},
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
}
