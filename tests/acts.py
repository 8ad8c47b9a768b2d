"""An act with articles in three chapters, for tests that look for an article or a chapter."""


def act(articles: int, *, long: int, times: int, point: str = "") -> str:
    """Markdown of an act.

    Args:
        articles: How many articles each chapter has.
        long: The number of the article that is longer than some caps.
        times: How often that article repeats a sentence of five tokens.
        point: A point after the paragraphs of each article.
    """
    lines = ["# Act"]
    for chapter, name in enumerate(("I", "II", "III")):
        lines.append(f"# CHAPTER {name}")
        for n in range(chapter * articles + 1, (chapter + 1) * articles + 1):
            more = "Words are said again. " * times if n == long else ""
            lines.append(f"## Article {n} — Duty")
            lines.append(f"1. The operator shall do {n}. {more}")
            lines.append("2. It shall report as Article 3(1) says.")
            lines += [point] if point else []
    return "\n\n".join(lines) + "\n\n"
