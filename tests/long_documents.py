"""Long documents of ordinary content, made for tests."""


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
