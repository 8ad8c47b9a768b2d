"""Makes the picture of the report page in the README: the lease below, shown in chromium.

    python integration_tests/report_picture.py [FILE]    # docs/images/report.png if none is named

Needs the extra ``report``; apt installs chromium if it is missing, as for ``tox -e browser``.
"""

import subprocess
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Final

import apt_get
import chromium

import treepack
from treepack import PackConfig, pack

PICTURE: Final = Path(__file__).parents[1] / "docs" / "images" / "report.png"
SIZE: Final = (1280, 1240)
CONFIG: Final = PackConfig(max_tokens=140, target_tokens=110)
ROOMS: Final = "".join(
    f"| {floor}.{room} | {use} | {area} m² | {area * 11} EUR |\n"
    for floor, uses in enumerate((("shop", 64), ("office", 31), ("flat", 78), ("flat", 75)))
    for room, (use, area) in enumerate((uses, (uses[0], uses[1] + 6)), 1)
)
LEASE: Final = f"""\
# Lease of Mill Street 5

## 1 Parties and premises

1.1 The landlord lets to the tenant the rooms of Table 1, with the cellar and two parking places.

1.2 The tenant uses the shop for the sale of books. Another use needs the landlord's consent, which
the landlord refuses only for a good reason.

Table 1: The rooms

| Room | Use | Area | Rent |
|---|---|---|---|
{ROOMS}
<!-- page 2 -->

## 2 Term

2.1 The lease begins on 1 May and runs for five years.

2.2 It goes on for a year at a time unless one party ends it. Notice is given six months before the
end of the year, in writing.

2.3 The landlord may end the lease at once if the tenant

(a) is two months behind with the rent;

(b) uses the rooms for another purpose than Section 1.2 names, and goes on after a warning;

(c) lets the rooms to others without consent.

## 3 Rent

3.1 The rent is the sum of Table 1. It is paid by the third working day of each month.

3.2 A later payment bears interest of 5 % a year. The landlord need not send a reminder.

3.3 The rent follows the index of consumer prices. It changes when the index has changed by more
than 5 % since the last change, from the month after the notice.

<!-- page 3 -->

## 4 Repairs

4.1 The landlord keeps the roof, the walls and the pipes in good order.

4.2 The tenant repairs what costs less than 100 EUR, up to 8 % of the yearly rent in one year.
Damage is reported at once; until it is mended, the rent falls as the use of the rooms does.

4.3 At the end of the lease the tenant returns the rooms clean and with all keys. Shelves may stay
if the next tenant takes them over.
"""


def take(picture: Path) -> None:
    """Write the picture of the report.

    Raises:
        CalledProcessError: Chromium failed; its output is in the error.
    """
    if unsolved := apt_get.install("chromium", chromium.problem):
        sys.exit(f"no browser: {unsolved}")
    browser = chromium.find()
    assert browser is not None, "it was installed"
    chunks = pack(LEASE, CONFIG, name="lease.md")
    with TemporaryDirectory() as folder:
        page = Path(folder, "report.html")
        page.write_text(treepack.report(chunks, LEASE, CONFIG), encoding="utf-8")
        flags = ("--headless", "--no-sandbox", "--disable-gpu", "--hide-scrollbars")
        size = ",".join(map(str, SIZE))
        where = (f"--window-size={size}", f"--screenshot={picture.resolve()}", page.as_uri())
        subprocess.run([browser, *flags, *where], check=True, capture_output=True, timeout=120)


if __name__ == "__main__":
    take(Path(sys.argv[1]) if sys.argv[1:] else PICTURE)
