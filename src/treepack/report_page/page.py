"""The report page: one file without scripts or external resources; only this uses Jinja2."""

import hashlib
from base64 import b64encode
from functools import cache
from importlib.resources import files

from jinja2 import Environment, StrictUndefined, Template
from markupsafe import Markup

from treepack.display import counted, escaped, one_line, ranged
from treepack.laws import LAWS
from treepack.report_page.packing import Packing
from treepack.report_page.view import view


def render(packing: Packing) -> str:
    """Render a packing."""
    style, laws = _read("page.css"), packing.audit.laws
    return _template().render(
        packing=packing,
        source=packing.document.source,
        config=packing.config,
        audit=packing.audit,
        **view(packing),
        passed=sum(not law.findings for law in laws if law.checked or not law.unchecked),
        in_part=[law.law for law in laws if law.unchecked and law.checked],
        style=Markup(style),  # noqa: S704 - our own file
        policy=_policy(style),
        counted=counted,
        ranged=ranged,
        laws=LAWS,
    )


@cache
def _template() -> Template:
    environment = Environment(
        autoescape=True, trim_blocks=True, lstrip_blocks=True, undefined=StrictUndefined
    )
    environment.filters["show"] = _show
    environment.filters["one_line"] = one_line
    return environment.from_string(_read("page.html.jinja"))


def _show(text: str) -> Markup:
    """Wrap text of a document in an element that isolates its writing direction."""
    return Markup(f"<bdi>{escaped(text)}</bdi>")  # noqa: S704 - escaped right here


def _policy(style: str) -> str:
    """Return a policy that allows only the page's own style, by its hash: no script, no loading."""
    digest = b64encode(hashlib.sha256(style.encode()).digest()).decode()
    return f"default-src 'none'; style-src 'sha256-{digest}'; base-uri 'none'; form-action 'none'"


def _read(name: str) -> str:
    return files("treepack.report_page").joinpath(name).read_text(encoding="utf-8")
