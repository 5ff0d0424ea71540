"""The demo's clinical sentences: three hundred that differ, and six systems with the faults that the demo tells of."""

import re

import pytest

from demo.clinical import FOLDER, GLOSSARY, SOURCES, SYSTEMS, VITAL, cases


@pytest.fixture(scope="module")
def found():
    return cases()


def test_three_hundred_sources_differ_and_are_the_same_each_time(found):
    assert len({case.source for case in found}) == len(found) == SOURCES == 300
    assert cases() == found


def test_every_frame_is_used_and_has_words_on_which_its_sense_hangs():
    frames = [block.splitlines() for block in (FOLDER / "clinical.txt").read_text().strip().split("\n\n")]
    assert len(frames) == 50
    for frame in frames:
        assert len(frame) == 3, frame
        assert len(VITAL.findall(frame[1])) == 1, frame
        assert not VITAL.search(frame[0] + frame[2]), frame


@pytest.mark.parametrize("system", SYSTEMS)
def test_a_system_writes_a_whole_text_for_each_source(found, system):
    for case in found:
        text = SYSTEMS[system](case)
        assert text == text.strip() and not re.search(r"[{}\[\]|]", text), text  # noqa: PT018
        assert text[0].isupper() or not text[0].isalpha(), text


def test_the_guesser_turns_most_references_round_and_says_the_others_word_for_word(found):
    said = [SYSTEMS["Fluent guesser"](case) for case in found]
    turned = [text == case.missed for text, case in zip(said, found, strict=True)]
    assert 0.6 < sum(turned) / len(found) < 0.8
    for text, case in zip(said, found, strict=True):
        assert text in {case.missed, case.reference}
        assert case.missed != case.reference


def test_the_writer_uses_no_term_of_the_glossary_s_abbreviations(found):
    abbreviations = {term for term in GLOSSARY if term.isupper() and len(term) > 1}
    for case in found:
        assert not abbreviations & set(re.findall(r"[\w/]+", case.other)), case.other


def test_the_shortener_drops_words_of_most_references(found):
    shorter = [len(SYSTEMS["Shortener"](case)) < len(case.reference) for case in found]
    assert sum(shorter) > len(found) / 2
