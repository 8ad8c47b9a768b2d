"""The report page of a text, for tests."""

import re

from pages import Page

from treepack import PackConfig, Source
from treepack.report_page import render
from treepack.report_page.packing import packed

MANUAL = """\
---
product: P100
---
# Pump manual

Read this before use.

## 1 Installation

Mount the pump on a level floor. Leave 30 cm of free space around it. The floor must carry 80 kg.
Keep the pump away from frost. Keep the pump away from fire. See 2.1 for the pressure.

## 2 Limits

### 2.1 Pressure

Table 1: Limits of the pump

| Quantity | Limit |
|---|---|
| Pressure | 16 bar |
| Temperature | 110 °C |
| Flow | 12 l/min |
| Voltage | 230 V |
| Current | 4 A |
| Power | 900 W |

```sh
pump --start
pump --stop
pump --status
pump --reset
pump --log | tail
pump --version
```
"""

TIGHT = PackConfig(max_tokens=48, target_tokens=40, min_tokens=0)


def page_of(text: str, config: PackConfig | None = None, name: str = "manual.md") -> Page:
    return Page(html_of(text, config, name))


def html_of(text: str, config: PackConfig | None = None, name: str = "manual.md") -> str:
    return render(packed(Source(text, name), config or PackConfig()))


def visible_text(text: str) -> str:
    """Return a text without whitespace, characters that HTML cannot show, and their substitutes."""
    return "".join(
        re.findall(r"[^\s\x00-\x1f\x7f-\x9f\ufeff\u2400-\u2421\ufffd\ud800-\udfff]", text)
    )
