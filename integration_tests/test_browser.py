"""The report page in a real browser; ``tox -e browser`` installs what this needs.

Screenshots are written to the folder that TREEPACK_SCREENSHOTS names.
"""

import os
import re
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import chromium
import pytest

import treepack
from treepack import PackConfig, Source
from treepack.presets import Preset

playwright = pytest.importorskip(
    "playwright.sync_api", reason="the browser tests need playwright: tox -e browser"
)

FLAGS: Final = (
    "--no-sandbox",  # chromium refuses to run as root, as in CI, without this
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
)
NARROW, MIDDLE, WIDE = 390, 820, 1400
READABLE: Final = 4.5
"""The contrast that WCAG 2.2 requires of text at level AA."""

ROWS = "".join(f"| Pressure {n} | {n} bar | a | b | c | d |\n" for n in range(24))
STEPS = "".join(f"pump --step {n} --and-a-long-option --and-another | tail\n" for n in range(12))
WORD = "Unbreakable" * 40
MANUAL = f"""\
---
product: P100
---
# Pump manual

Read this before use. <script>document.title = "changed"; console.log("run")</script>

<script>document.title = "changed"; console.log("run")</script>

<img src="picture.png" onerror="console.log('run')"> [A link](javascript:console.log("run"))

## 1 Installation

Mount the pump on a level floor. Leave 30 cm of free space around it. The floor must carry 80 kg.
Keep the pump away from frost. Keep the pump away from fire. {WORD}

## 2 Limits

### 2.1 Pressure

Table 1: Limits of the pump

| Quantity | Limit | Where it was measured | By whom | With what | For how long |
|---|---|---|---|---|---|
{ROWS}
```sh
{STEPS}```
"""
TIGHT = PackConfig(max_tokens=160, target_tokens=80, min_tokens=0, overlap_tokens=16)

CORPUS = os.environ.get("TREEPACK_CORPUS")
REAL: Final[dict[str, tuple[str, Preset]]] = {
    "law": ("law/eu-gdpr.md", "standards"),
    "registers": ("tables/svd-max32660.md", "datasheet"),
    "manual": ("docs/oci-runtime-specs-config-linux.md", "default"),
    "contract": ("contracts/community-spec-license-1.0.md", "default"),
    "pages": ("converters/docling/pdf/sources/normal_4pages.pdf", "default"),
}


WITHOUT_DRAWN: Final = """[...document.querySelectorAll("section.chunk .text")].map(text => {
    const copy = text.cloneNode(true);
    copy.querySelectorAll(".drawn").forEach(each => each.remove());
    return copy.textContent;
})"""
"""The texts of all chunks, without drawn tables: each is beside the text that it draws."""


class Window:
    """A page in the browser, with all that it requested and all that it logged."""

    def __init__(self, page: Any) -> None:  # noqa: ANN401 - playwright's, which may be missing
        self.page = page
        self.requests: list[str] = []
        self.messages: list[str] = []
        page.on("request", lambda request: self.requests.append(request.url))
        page.on("console", lambda message: self.messages.append(message.text))
        page.on("pageerror", lambda error: self.messages.append(str(error)))

    def eval(self, script: str) -> Any:  # noqa: ANN401 - any JSON
        """Return the value of an expression on the page."""
        return self.page.evaluate(script)

    @property
    def too_wide(self) -> list[str]:
        """The elements that do not fit into the window, or whose content is cut off at the right.

        Elements that can be scrolled, or show an ellipsis, are left out. Chunks out of view are
        laid out first.
        """
        found: list[str] = self.eval("""(() => {
            const chunks = document.querySelectorAll(".chunk");
            chunks.forEach(each => each.style.contentVisibility = "visible");
            const boxes = [...document.querySelectorAll("body, body *")].filter(each =>
                each.clientWidth && each.scrollWidth > each.clientWidth + 1);
            const cut = boxes.filter(each => !each.closest(".wide") && !each.closest("svg")
                && getComputedStyle(each).textOverflow != "ellipsis");
            const page = document.documentElement;
            if (page.scrollWidth > innerWidth) cut.push(page);
            return cut.map(each => `${each.tagName}.${each.className}`);
        })()""")
        return found

    def settle(self) -> None:
        """Wait until what came into view is painted; to save time, chunks out of view are not."""
        frames = "requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done)))"
        for _ in range(2):
            self.eval(f"new Promise(done => {frames})")

    def texts(self, selector: str) -> list[str]:
        """Return the texts of all elements that a selector finds."""
        found: list[str] = self.page.locator(selector).all_text_contents()
        return found


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    path = chromium.find()
    if path is None:
        reason = "there is no chromium: apt-get install chromium"
        assert "CI" not in os.environ, reason
        pytest.skip(reason)
    with playwright.sync_playwright() as started:
        running = started.chromium.launch(executable_path=path, args=FLAGS)
        yield running
        running.close()


@pytest.fixture
def open_window(browser: Any, tmp_path: Path) -> Iterator[Callable[..., Window]]:  # noqa: ANN401 - playwright's
    """Opens pages; none of them may load or log anything."""
    windows: list[Window] = []

    def open_page(html: str, width: int = WIDE, scheme: str = "light") -> Window:
        file = tmp_path / f"{len(windows)}.html"
        file.write_text(html, encoding="utf-8")
        size = {"width": width, "height": 800}
        context = browser.new_context(offline=True, viewport=size, color_scheme=scheme)
        windows.append(Window(context.new_page()))
        windows[-1].page.goto(file.as_uri())
        return windows[-1]

    yield open_page
    for window in windows:
        assert 1 == len(window.requests), window.requests
        assert [] == window.messages
        window.page.context.close()


def shoot(window: Window, name: str, tmp_path: Path) -> None:
    folder = Path(os.environ.get("TREEPACK_SCREENSHOTS", tmp_path))
    folder.mkdir(parents=True, exist_ok=True)
    file = folder / f"{name}.png"
    window.settle()
    window.page.screenshot(path=file)
    assert file.read_bytes().startswith(b"\x89PNG")


def html_of(text: str, config: PackConfig, name: str = "manual.md") -> str:
    return treepack.report(treepack.pack(Source(text, name), config))


def large_document(size: int) -> str:
    """Return a document of about ``size`` characters: prose, tables and code in small sections."""
    prose = "The pressure must not exceed the limit. " * 12
    table = "| a | b |\n|---|---|\n" + "| 1 | two words |\n" * 12
    code = "```sh\n" + "pump --start\n" * 6 + "```\n"
    count = size // len(f"## 1\n\n{prose}\n\n{table}\n{code}\n") + 1
    return "# Large\n\n" + "".join(
        f"## {number}\n\n{prose}\n\n{table}\n{code}\n" for number in range(1, count)
    )


# --- what it shows ---


def test_sections_are_the_chunks_and_their_own_text_is_the_source(
    open_window: Callable[..., Window],
) -> None:
    window = open_window(html_of(MANUAL, TIGHT))
    chunks = treepack.pack(MANUAL, TIGHT, name="manual.md")
    assert len(chunks) > 8
    ids = window.eval("[...document.querySelectorAll('section')].map(each => each.id)")
    assert [f"a{chunk.index}" for chunk in chunks] == ids
    own = window.texts("section.chunk .text .b")
    assert MANUAL[MANUAL.index("# Pump") :].split() == "\n".join(own).split()
    assert [chunk.text for chunk in chunks] == window.eval(WITHOUT_DRAWN)


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("width", [NARROW, MIDDLE, WIDE])
def test_a_view_fits_its_window_and_folds_what_is_repeated(
    open_window: Callable[..., Window], tmp_path: Path, width: int, scheme: str
) -> None:
    chunks = treepack.pack(MANUAL, TIGHT, name="manual.md")
    window = open_window(treepack.show(chunks).to_html(), width, scheme)
    assert [] == window.too_wide
    assert [chunk.text for chunk in chunks] == window.eval(WITHOUT_DRAWN)
    assert not window.page.locator(".again > :not(summary)").first.is_visible()
    window.page.locator("nav a").nth(5).click()
    window.settle()
    assert window.page.locator("section.chunk").nth(5).bounding_box()["y"] < 800
    shoot(window, f"view-{width}-{scheme}", tmp_path)


def test_a_script_in_the_source_stays_text(open_window: Callable[..., Window]) -> None:
    """The fixture checks for every page that nothing was logged or requested."""
    window = open_window(html_of(MANUAL, TIGHT))
    assert "manual.md: chunks" == window.page.title()
    assert 0 == window.eval("document.scripts.length + document.images.length")
    assert 2 == "".join(window.texts("section.chunk .b")).count(
        '<script>document.title = "changed"'
    )


# --- how it is used ---


def test_links_lead_to_existing_targets(open_window: Callable[..., Window]) -> None:
    window = open_window(html_of(MANUAL, TIGHT))
    dead = "[...document.links].filter(a => !document.getElementById(a.hash.slice(1))).length"
    assert 0 == window.eval(dead)
    entry = window.page.locator(".outline a", has_text="2.1 Pressure")
    entry.click()
    window.settle()
    target = entry.get_attribute("href")
    assert window.page.url.endswith(target)
    assert window.page.locator(target).bounding_box()["y"] == pytest.approx(0, abs=40)
    assert "2.1 Pressure" in window.page.locator(f"{target} .text").inner_text()


def test_the_page_can_be_used_with_the_keyboard_alone(open_window: Callable[..., Window]) -> None:
    window = open_window(html_of(MANUAL, TIGHT))
    keys = window.page.keyboard
    keys.press("Tab")
    assert "Skip to the chunks" == window.eval("document.activeElement.textContent")
    assert "none" != window.eval("getComputedStyle(document.activeElement).outlineStyle")
    keys.press("Enter")
    assert window.page.url.endswith("#chunks")
    keys.press("Tab")
    assert window.eval("document.activeElement.checked"), "all chunks are shown"
    keys.press("Tab")
    assert "bare" == window.eval("document.activeElement.id")
    folded = window.page.locator("section.chunk .again").first
    repeated = window.page.locator("section.chunk .again > .o").first
    assert folded.is_visible()
    assert not repeated.is_visible()
    keys.press("Space")
    assert not folded.is_visible()
    keys.press("Space")
    folded.locator("summary").focus()
    keys.press("Enter")
    assert repeated.is_visible()
    block = window.page.locator(".map a").nth(3)
    block.focus()
    keys.press("Enter")
    assert window.page.url.endswith("#a3")
    window.page.locator("#only-repeats").focus()
    keys.press("Space")
    shown = window.page.locator("section.chunk:visible")
    assert 0 < shown.count() < window.page.locator("section.chunk").count()
    assert all(each.locator(".again, .text > .f").count() for each in shown.all())
    window.page.locator("#laws summary").focus()
    keys.press("Enter")
    assert window.page.locator("#laws table").is_visible()


@pytest.mark.parametrize("width", [NARROW, MIDDLE, WIDE])
def test_no_page_is_wider_than_its_window(
    open_window: Callable[..., Window], tmp_path: Path, width: int
) -> None:
    window = open_window(html_of(MANUAL, TIGHT), width)
    assert [] == window.too_wide
    shoot(window, f"page-{width}", tmp_path)


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_text_has_enough_contrast_in_light_and_dark_mode(
    open_window: Callable[..., Window], tmp_path: Path, scheme: str
) -> None:
    window = open_window(html_of(MANUAL, TIGHT), scheme=scheme)
    ground = window.eval("getComputedStyle(document.body).backgroundColor")
    background = luminance(over(ground, ground))
    assert (background < 0.1) == (scheme == "dark")
    for selector in (
        "h1",
        ".outline a",
        "small",
        ".facts",
        ".good",
        ".text .b",
        ".text .g",
    ):
        colour = window.eval(f"getComputedStyle(document.querySelector('{selector}')).color")
        assert contrast(luminance(over(colour, ground)), background) >= READABLE, selector
    shoot(window, scheme, tmp_path)


def test_printing_shows_all_text_and_hides_controls(open_window: Callable[..., Window]) -> None:
    window = open_window(html_of(large_document(40_000), TIGHT))
    cropped = "filter(each => each.scrollHeight > each.clientHeight + 1).length"
    assert 1 == window.eval(f"[...document.querySelectorAll('.outline, .text')].{cropped}")
    window.page.emulate_media(media="print")
    for selector in (".skip-link", ".filters", ".map"):
        assert not window.page.locator(selector).is_visible(), selector
    assert 0 == window.eval(f"[...document.querySelectorAll('.outline, .text')].{cropped}")
    assert window.page.pdf().startswith(b"%PDF")


# --- how long it takes, and real documents ---


def test_a_megabyte_opens_and_its_last_section_is_reached(
    open_window: Callable[..., Window], capsys: pytest.CaptureFixture[str]
) -> None:
    text = large_document(1_000_000)
    window = open_window(html_of(text, PackConfig()))
    milliseconds = window.eval("performance.getEntriesByType('navigation')[0].duration")
    with capsys.disabled():
        sys.stdout.write(f"\n{len(text):,} characters open in {milliseconds / 1000:.2f} s\n")
    entry = window.page.locator(".outline a").last
    entry.click()
    window.settle()
    assert window.page.locator(entry.get_attribute("href")).bounding_box()["y"] < 800


@pytest.mark.skipif(CORPUS is None, reason="TREEPACK_CORPUS is not set")
@pytest.mark.parametrize("width", [NARROW, MIDDLE, WIDE])
@pytest.mark.parametrize("kind", REAL)
def test_pages_of_real_documents_fit_and_contain_all_text(
    open_window: Callable[..., Window], tmp_path: Path, kind: str, width: int
) -> None:
    assert CORPUS is not None
    path, preset = REAL[kind]
    config = PackConfig.preset(preset)
    source = treepack.read(Path(CORPUS, path))
    chunks = treepack.pack(source, config)
    window = open_window(treepack.report(chunks), width)
    assert [] == window.too_wide
    assert [chunk.lexical_text for chunk in chunks] == window.eval(
        "[...document.querySelectorAll('section.chunk .text')].map(text => "
        "[...text.querySelectorAll('.b')].map(each => each.textContent).join(''))"
    )
    shoot(window, f"{kind}-{width}-top", tmp_path)
    window.page.locator("section.chunk").nth(len(chunks) // 2).evaluate("e => e.scrollIntoView()")
    shoot(window, f"{kind}-{width}-chunk", tmp_path)


def over(colour: str, ground: str) -> tuple[float, float, float]:
    """Red, green and blue, from 0 to 1, of a colour that may be transparent, on a ground."""

    def parts(text: str) -> list[float]:
        scale = 1 if text.startswith("color(") else 255
        numbers = [float(each) for each in re.findall(r"[0-9.]+", text)]
        return [*(each / scale for each in numbers[:3]), *(numbers[3:] or [1])]

    *above, alpha = parts(colour)
    red, green, blue = (
        alpha * one + (1 - alpha) * other for one, other in zip(above, parts(ground), strict=False)
    )
    return red, green, blue


def luminance(colour: tuple[float, float, float]) -> float:
    """Relative luminance, as WCAG defines it."""
    red, green, blue = (c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: float, other: float) -> float:
    lighter, darker = max(one, other), min(one, other)
    return (lighter + 0.05) / (darker + 0.05)
