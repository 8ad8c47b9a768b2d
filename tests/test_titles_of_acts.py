"""Titles and numbers of acts: gaps, inserted sections, parts, and acts of many languages."""

import pytest
from title_texts import BODY, outline, titled

from treepack import parse
from treepack.clauses.walk import find_clauses
from treepack.model.source import Source

THREE = f"{BODY}\n{BODY}\n{BODY}"


# -------------------------------------------------------------------- acts that were changed


def test_numbers_with_letters_are_titles_beside_plain_numbers() -> None:
    """§ 39 and § 39a once shared a position in the outline, so only one of them was found."""
    labels = [
        "§ 38",
        "§ 39",
        "§ 39a",
        "§ 39b",
        "§ 39c",
        "§ 40",
        "Art. 41",
        "Art. 41 bis",
        "Art. 41 ter",
    ]
    for first, after in ((0, 6), (6, 9)):
        titles = [f"{label} Pipes" for label in labels[first:after]]
        assert outline(titled("§ 37 Water" if not first else "Art. 40 Water", *titles))[1:] == [
            (1, title) for title in titles
        ]


def test_an_outline_continues_after_a_gap_in_the_numbers() -> None:
    """Repealed sections leave gaps; the outline once began after the gap."""
    titles = [f"§ {number} Pipes" for number in (1, 2, 3, 10, 11, 12, 40, 41, 42)]
    assert outline(titled(*titles)) == [(1, title) for title in titles]


def test_the_first_line_of_a_paragraph_is_not_the_title_of_the_label_above() -> None:
    paragraph = "Lists of the pumps in the store by their owners\nshow which of them are new."
    text = "".join(f"§ {number}\n\n{paragraph}\n\n" for number in range(1, 7))
    assert outline(text) == [(1, f"§ {number}") for number in range(1, 7)]


def test_a_title_below_its_label_may_take_two_lines() -> None:
    title = "Duty to tell owners of pumps about any change of a part or\nof its place in the house"
    text = "".join(f"Article {number}\n\n{title}\n\n{BODY}\n" for number in range(1, 5))
    joined = " ".join(title.split())
    assert outline(text) == [(1, f"Article {number} {joined}") for number in range(1, 5)]


def test_inserted_sections_of_commonwealth_acts_are_titles() -> None:
    titles = ["3 Scope", "4 Terms", "4A Meaning of pump", "4AA Meaning of tank", "5 Duties"]
    assert outline(titled("Part II Water", *titles[:2], "Part IIA Pumps", *titles[2:])) == [
        (1, "Part II Water"),
        *[(2, title) for title in titles[:2]],
        (1, "Part IIA Pumps"),
        *[(2, title) for title in titles[2:]],
    ]


@pytest.mark.parametrize(
    "title", ["When the fee will be due", "Who may ask for it and when", "Access to houses etc."]
)
def test_a_numbered_phrase_between_blank_lines_is_a_title(
    title: str,
) -> None:
    text = titled("1. Scope", "2. Terms", f"3. {title}", "4. Use", body=THREE)
    assert (1, f"3. {title}") in outline(text)


def test_a_title_in_capitals_below_its_label_may_be_directly_above_its_text() -> None:
    text = "".join(f"ARTICLE {n}\n\nPIPES AND PUMPS\n{BODY}\n" for n in ("I", "II", "III"))
    assert outline(text) == [(1, f"ARTICLE {n} PIPES AND PUMPS") for n in ("I", "II", "III")]


# -------------------------------------------------------------------- Chinese


def test_an_article_followed_by_text_on_its_line_is_not_a_title() -> None:
    """Every article of a Chinese act was once a heading that contained the whole article."""
    sentence = "用户应当遵守本规定，网络应当及时答复。"
    articles = [f"第{number}条 {sentence}\n\n{sentence}" for number in "一二三四五六"]
    chapters = ["第一章 总则", *articles[:3], "第二章 责任", *articles[3:]]
    document = parse(Source("\n\n".join(chapters), "d.txt"))
    assert outline(document.source.text) == [(1, "第一章 总则"), (1, "第二章 责任")]
    assert len(find_clauses(document)) == 2 + len(articles)


def test_lines_that_begin_with_a_chinese_numeral_and_a_comma_are_titles() -> None:
    sentence = "用户应当遵守本规定，网络应当及时答复。"
    text = "".join(
        f"{number}、{title}\n\n{sentence}\n\n"
        for number, title in zip("一二三", "甲乙丙", strict=True)
    )
    assert outline(
        text.replace("甲", "总体要求").replace("乙", "工作职责").replace("丙", "其他")
    ) == [
        (1, "一、总体要求"),
        (1, "二、工作职责"),
        (1, "三、其他"),
    ]


@pytest.mark.parametrize(
    ("chapter", "title", "text"),
    [
        (
            "Розділ {} Умови",
            "Стаття {}. Мета",
            "Цей закон регулює відносини між продавцем і покупцем.",
        ),
        (
            "Capitolul {} Dispoziții",
            "Art. {}. Scopul",
            "Prezenta lege reglementează relațiile lor.",
        ),
        ("Hlava {} Obecné", "Článek {} Účel", "Tento zákon upravuje vztahy mezi nimi navzájem."),
        (
            "Bölüm {} Hükümler",
            "Madde {} - Amaç",
            "Bu kanun, alıcı ile satıcı arasındaki ilişkileri düzenler.",
        ),
        ("Κεφάλαιο {} Διατάξεις", "Άρθρο {} Σκοπός", "Ο νόμος ρυθμίζει τις σχέσεις τους."),
        (
            "Chương {} Quy định",
            "Điều {}. Phạm vi",
            "Luật này quy định quan hệ giữa người bán và mua.",
        ),
        ("BAB {} UMUM", "Pasal {} Tujuan", "Undang-undang ini mengatur hubungan antara mereka."),
        ("الفصل {} أحكام", "المادة {} الهدف", "تنظم هذه اللائحة العلاقة بين المورد والمشتري."),
        ("פרק {} הוראות", "סעיף {} מטרה", "חוק זה מסדיר את היחסים בין הספק לקונה."),
        ("제{}장 총칙", "제{}조 목적", "이 법은 공급자와 구매자의 관계를 정한다."),
    ],
)
def test_acts_of_many_languages_have_chapters_with_articles(
    chapter: str, title: str, text: str
) -> None:
    """An article whose text follows its number on the same line is not a heading."""
    label = title.rsplit(" ", 1)[0]
    with_titles = without = ""
    for part in (1, 2, 3):
        with_titles += f"{chapter.format(part)}\n\n"
        without += f"{chapter.format(part)}\n\n"
        for number in range(3 * part - 2, 3 * part + 1):
            with_titles += f"{title.format(number)}\n\n{text} {text}\n\n"
            without += f"{label.format(number)} {text}\n\n{text} {text}\n\n{text}\n\n"
    assert [level for level, _ in outline(with_titles)] == [1, 2, 2, 2] * 3
    assert [level for level, _ in outline(without)] == [1, 1, 1]
