"""Texts that several tests of the adapters split."""

TERMS = "# Terms\n\n" + "".join(
    f"## Clause {i}\n\n" + f"Sentence number {i} about topic {i}. " * 20 + "\n\n" for i in range(6)
)

ACT = """\
# Act on pumps

## Article 12 Duties of the operator

(1) The operator shall notify. The notice names the pump and its place.

(2) The following are kept:

(a) the records of each test, with the date and the name of the tester;

(b) the limits.

## Article 13 Limits

(1) No pump exceeds these limits.

Table 4: Limits of pressure and temperature for each kind of pump

| Kind | Pressure | Temperature |
|---|---|---|
| small | 16 bar | 90 °C |
| large | 18 bar | 110 °C |
| very large | 20 bar | 120 °C |
"""
