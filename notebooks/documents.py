"""The documents of the notebooks: an act and a datasheet, made up, as long as real ones."""

from collections.abc import Iterator, Sequence
from typing import Final

_CHAPTERS: Final = (
    ("Supervision", ("Competent authority", "Register of operators", "Inspections", "Costs")),
    ("Duties of operators", ("Risk assessment", "Measures", "Staff", "Records", "Suppliers")),
    ("Incidents", ("Notification", "Final report", "Information of users", "Publication")),
    ("Certificates", ("Application", "Test", "Validity", "Withdrawal", "Foreign certificates")),
    ("Remedies", ("Orders", "Objection", "Appeal", "Penalties")),
)
_OPERATORS: Final = ("water", "gas", "heat", "power", "rail", "harbour")
_MEASURES: Final = (
    "keep a plan of all connections and of the valves in them",
    "train each person who may open or close a main valve",
    "store spare parts for at least one repair of each kind",
    "test the way in which users are warned",
    "name a person who can be reached at any time",
)
_TERMS: Final = (
    ("network", "pipes, lines and tracks with all that is needed to run them"),
    ("operator", "whoever decides how a network is run"),
    ("incident", "an event that makes a service fail, or makes it likely to fail"),
    ("user", "whoever is connected to a network"),
    ("authority", "the authority that Article 4 names"),
)


def act() -> str:
    """An act of five chapters and two annexes, in markdown, about 8,000 tokens."""
    lines = ["# Network Safety Act", "", "## Chapter I General provisions", ""]
    lines += _article(1, "Subject", ["This Act lays down how networks are kept safe."])
    lines += _article(
        2,
        "Scope",
        [
            "This Act applies to networks with more than 1,000 users.",
            "It does not apply to networks inside of a building, with the exception of Article 9.",
        ],
    )
    lines += ["### Article 3 Definitions", "", "For the purposes of this Act:", ""]
    for number, (term, meaning) in enumerate(_TERMS, 1):
        lines += [f"({number}) “{term}” means {meaning};", ""]
    number = 4
    for chapter, (title, articles) in zip(("II", "III", "IV", "V", "VI"), _CHAPTERS, strict=True):
        lines += [f"## Chapter {chapter} {title}", ""]
        for name in articles:
            lines += _article(number, name, _paragraphs(number, name))
            number += 1
    lines += ["## Annex I Limits of outages", "", "Table 1: Hours in a year", ""]
    lines += ["| Network | Class | Planned | Unplanned | Article |", "|---|---|--:|--:|---|"]
    lines += [
        f"| {network} | {grade} | {8 * level + at} | {2 * level + at % 3} | {8 + at % 5} |"
        for level, grade in enumerate("ABCDEF", 1)
        for at, network in enumerate(_OPERATORS)
    ]
    lines += ["", "## Annex II Form of a notification", ""]
    lines += [f"{at}. {item}" for at, item in enumerate(_form(), 1)]
    return "\n".join(lines) + "\n"


def _article(number: int, title: str, paragraphs: Sequence[str]) -> list[str]:
    lines = [f"### Article {number} {title}", ""]
    for at, text in enumerate(paragraphs, 1):
        lines += [f"({at}) {text}", ""]
    return lines


def _paragraphs(number: int, name: str) -> Iterator[str]:
    network = _OPERATORS[number % len(_OPERATORS)]
    days, euros = 3 * number + 1, 500 * number
    yield (
        f"Whoever operates a {network} network shall meet the requirements of this Article on "
        f"{name.lower()} no later than {days} days after the network is put into service. The "
        "authority may extend this once, on a reasoned request, by half of that time."
    )
    points = "\n\n".join(
        f"({letter}) {measure} and, where {_OPERATORS[(number + at) % 6]} is concerned, show it to "
        f"the authority every {at + number % 4 + 2} years;"
        for at, (letter, measure) in enumerate(zip("abcde", _MEASURES, strict=True))
    )
    yield f"For {name.lower()}, the operator shall in particular:\n\n{points}"
    yield (
        f"The authority checks compliance with paragraph 2({'abcde'[number % 5]}) at least every "
        f"{number % 4 + 2} years. It notes the result in the register of Article 5, informs the "
        f"operator within {days + 7} days, and may ask for further evidence under Article "
        f"{(number * 7) % 22 + 4}(1)."
    )
    yield (
        f"An operator who does not comply with paragraph 1 pays up to {euros:,} euros for each day "
        "of delay. Outages that stay below the limits of Annex I are not counted. Article 22 "
        "applies."
    )


def _form() -> list[str]:
    return [
        "Name of the operator, and of the person who notifies",
        "Network, and class by Annex I",
        "Beginning and, if known, end of the incident",
        "Number of users without service",
        "Measures taken under Article 9(2)",
    ]


_PINS: Final = ("VDD", "GND", "RESET", "XIN", "XOUT", "SDA", "SCL", "MOSI", "MISO", "SCK", "CS")
_BLOCKS: Final = (
    ("UART", "serial port", 0x4000),
    ("SPI", "serial bus", 0x4100),
    ("I2C", "two-wire bus", 0x4200),
    ("ADC", "analog-to-digital converter", 0x4300),
    ("TIM", "timer", 0x4400),
    ("DMA", "memory access without the core", 0x4500),
)
_REGISTERS: Final = ("CTRL", "STATUS", "DATA", "CLOCK", "MASK", "COUNT")
_FIELDS: Final = (
    ("EN", "Enables the block"),
    ("IE", "Raises an interrupt when the work is done"),
    ("OVR", "A value was lost because the one before had not been read"),
    ("MODE", "Chooses the way of working; see the table of modes"),
    ("DIV", "Divides the clock by this number and one"),
    ("RDY", "Ready to take a value"),
    ("ERR", "What was received has a wrong parity"),
    ("RES", "Reserved; write 0"),
)


def datasheet() -> str:
    """A datasheet of a controller with 36 registers, in markdown, about 9,000 tokens."""
    lines = ["# TP100 8-bit controller", "", "## 1 Features", ""]
    lines += [f"- {name}: {what} at 0x{base:04X}" for name, what, base in _BLOCKS]
    lines += ["", "## 2 Pins", "", "| Pin | Name | Direction | Pull-up |", "|---|---|---|---|"]
    lines += [
        f"| {at} | {name}{at // 11 or ''} | {'in' if at % 3 else 'in/out'} | {at * 10} kΩ |"
        for at, name in enumerate(_PINS * 3, 1)
    ]
    lines += ["", "## 3 Electrical characteristics", "", "### 3.1 Absolute maximum ratings", ""]
    lines += ["Stress above these values damages the device for good.", ""]
    lines += ["| Symbol | Parameter | Min | Max | Unit |", "|---|---|--:|--:|---|"]
    lines += [
        f"| V{at} | Voltage at {pin} | -0.3 | {3.6 + at / 10:.1f} | V |"
        for at, pin in enumerate(_PINS)
    ]
    lines += ["", "### 3.2 Start-up", ""]
    lines += ["Hold RESET low for at least 10 µs after VDD has reached 2.7 V.", ""]
    lines += ["```c", "void start(void) {"]
    lines += [f"    {name}->CTRL = 0x{at:02X}; /* {what} */" for at, (name, what, _) in _numbered()]
    lines += ["}", "```", "", "## 4 Registers", ""]
    for chapter, (name, what, base) in _numbered():
        lines += [f"### 4.{chapter} {name}: {what}", ""]
        lines += [f"All registers of {name} are 8 bits wide and 0 after a reset.", ""]
        for at, register in enumerate(_REGISTERS):
            lines += [f"#### 4.{chapter}.{at + 1} {name}_{register} (0x{base + 4 * at:04X})", ""]
            lines += ["| Bits | Field | Access | Meaning |", "|---|---|---|---|"]
            lines += [
                f"| {7 - bit} | {_FIELDS[(bit + at) % 8][0]} | {'R' if at == 1 else 'R/W'} | "
                f"{_FIELDS[(bit + at) % 8][1]} ({name}) |"
                for bit in range(8)
            ]
            lines += ["", f"Write {name}_{register} only while {name}_CTRL.EN is 0. See 3.2.", ""]
    return "\n".join(lines)


def _numbered() -> Iterator[tuple[int, tuple[str, str, int]]]:
    yield from enumerate(_BLOCKS, 1)
