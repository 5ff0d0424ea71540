"""Flags of likely identifiers; all names and numbers are made up."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corpora.knowledge.identifiers import Flag, find, holds_url, whole_names


def masked(text, flags):
    """`text` with [NAME], [DATE] ... in the place of each flag."""
    for flag in sorted(flags, key=lambda flag: -flag.start):
        text = f"{text[: flag.start]}[{flag.kind.upper()}]{text[flag.end :]}"
    return text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("Mr. Osgood saw Dr. A. Pell today.", "Mr. [NAME] saw Dr. [NAME] today."),
        ("Maria Lundqvist-Ray went home.", "[NAME] went home."),
        ("Reviewed by Wilma Torvald, MD.", "Reviewed by [NAME], MD."),
        ("Seen on 3/4/2020, 2019-12-31 and again on 12/5.", "Seen on [DATE], [DATE] and again on [DATE]."),
        ("Born March 3rd, 1951; back 5 May and in June 2012.", "Born [DATE]; back [DATE] and in [DATE]."),
        ("Call 617-555-0134 or (617) 555-0134.", "Call [NUMBER] or [NUMBER]."),
        ("SSN 123-45-6789, MRN: 00123456.", "SSN [NUMBER], MRN: [NUMBER]."),
        ("The code is 948703451.", "The code is [NUMBER]."),
        ("At 12 Elm Street, Salem, MA 01970.", "At [ADDRESS], [ADDRESS]."),
        ("Write to SW1A 1AA or P.O. Box 77.", "Write to [ADDRESS] or [ADDRESS]."),
        ("Mail jo.doe@example.org, see https://example.org/a?b=1.", "Mail [EMAIL], see [URL]."),
        ("El Dr. García y la Dr. Ibáñez-García operaron.", "El Dr. [NAME] y la Dr. [NAME] operaron."),
        ("El Dr. Jose\u0301 Nu\u0301n\u0303ez vino.", "El Dr. [NAME] vino."),
        (
            "Dr. Müller saw Ms. DeLuca, Mr. O’Brien-Smith and Dr. Иван Петров.",
            "Dr. [NAME] saw Ms. [NAME], Mr. [NAME] and Dr. [NAME].",
        ),
        ("Prof. Gabriel García Márquez and Dr. J. R. Ñuñez wrote.", "Prof. [NAME] and Dr. [NAME] wrote."),
        ("Maria Ñúñez went home. Reviewed by Álvaro Łoś, MD.", "[NAME] went home. Reviewed by [NAME], MD."),
        ("At 12 Peñíscola Street, Cañón City, CO 81212.", "At [ADDRESS], [ADDRESS]."),
        ("Mail josé@muñoz.es, see muñoz.com", "Mail [EMAIL], see [URL]"),
        ("look at www.example.net and example.com", "look at [URL] and [URL]"),
    ],
)
def test_what_is_flagged(text, expected):
    assert masked(text, find(text)) == expected


@pytest.mark.parametrize(
    "text",
    [
        "A 65-year-old man took 40 mg of aspirin, 1.5 tablets b.i.d.",
        "BP 120/80, HR 72, T 98.6, WBC 12.3, platelets 250000, 5/5 strength.",
        "Mr. [**Known lastname 1234567**] came on [**2101-10-02**] to [**Hospital 12 Elm Street**].",
        "It may be Crohn disease, and in May be worse.",
        "The ratio was 3:1 in 54 trials with 6545 patients (95% CI 1.53 to 13.85).",
        "He has no pain. The doctor said so.",
        "He received 10000000 units of penicillin.",
        "",
    ],
)
def test_what_is_not_flagged(text):
    assert find(text) == []


def test_stored_flags_of_names_end_with_their_words():
    name = {"start": 7, "end": 9, "kind": "name"}
    assert whole_names("El Dr. Ibáñez-García operó.", [name]) == [name | {"end": 20}]
    assert whole_names("El Dr. Nu\u0301n\u0303ez.", [name]) == [name | {"end": 14}]
    assert whole_names("El Dr. Al-azar vino.", [name]) == [name]
    date = name | {"kind": "date"}
    assert whole_names("El Dr. Ibáñez", [date]) == [date]


def test_a_flag_says_where_and_what():
    assert [flag.json() for flag in find("on 2/3/2019")] == [{"start": 3, "end": 11, "kind": "date"}]


def test_masking_leaves_out_flags_that_are_not_given():
    text = "Mr. Osgood on 2/3/2019"
    assert masked(text, [Flag(14, 22, "date")]) == "Mr. Osgood on [DATE]"


def test_web_addresses():
    assert holds_url("see www.example.org")
    assert not holds_url("e.g. this one.It has no address")


PIECES = [
    "Mr. Osgood ",
    "3/4/2020",
    " 617-555-0134 ",
    "a@b.org",
    " http://x.org ",
    "[**Name 1**]",
    " 12 Elm Street ",
    "x ",
]


@given(st.one_of(st.text(max_size=60), st.lists(st.sampled_from(PIECES), max_size=8).map("".join)))
def test_flags_lie_in_the_text_in_order_and_apart(text):
    flags = find(text)
    ends = [0, *(flag.end for flag in flags)]
    assert all(end <= flag.start < flag.end <= len(text) for end, flag in zip(ends, flags, strict=False))
    assert all("[**" not in text[flag.start : flag.end] for flag in flags)
