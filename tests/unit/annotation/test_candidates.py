"""Candidates: distinct texts, one drawn reference, canonical numbers that say nothing about who wrote them."""

from collections import Counter

from annotation.task_types import Material
from annotation.task_types._candidates import CandidateMaker, shown_references

REFERENCES = ["r0", "r1", "r2", "r3"]


def material(number: int = 0, outputs: tuple[str, ...] = ("a", "b", "c")) -> Material:
    return Material(number, "the source", REFERENCES, outputs)


def test_outputs_that_are_the_same_text_are_one_candidate() -> None:
    candidates = CandidateMaker(1).candidates(material(outputs=("Good .", " good . ", "bad", "", "  ")))
    assert sorted(text.casefold() for text in candidates) == ["bad", "good ."]


def test_the_reference_is_drawn_by_seed_and_sentence_and_all_get_their_turn() -> None:
    drawn = [CandidateMaker(7, rate_reference=True).reference(material(number)) for number in range(400)]
    again = [CandidateMaker(7, rate_reference=True).reference(material(number)) for number in range(400)]
    other = [CandidateMaker(8, rate_reference=True).reference(material(number)) for number in range(400)]
    assert drawn == again
    assert drawn != other
    assert set(drawn) == set(REFERENCES)
    assert min(Counter(drawn).values()) > 60  # 100 expected; the seed is fixed


def test_reference_and_source_are_rated_only_where_asked() -> None:
    assert sorted(CandidateMaker(1).candidates(material())) == ["a", "b", "c"]
    whole = CandidateMaker(1, rate_reference=True, rate_source=True).candidates(material())
    assert len(whole) == 5
    assert "the source" in whole
    assert len(set(whole) & set(REFERENCES)) == 1
    bare = Material(1, "s", (), ("a",))
    assert CandidateMaker(1, rate_reference=True).candidates(bare) == ["a"]


def test_a_role_keeps_its_number_within_a_campaign_but_not_across_seeds() -> None:
    maker = CandidateMaker(3, rate_reference=True)
    places = {maker.candidates(material(number)).index("b") for number in range(20)}
    assert len(places) == 1
    last = {CandidateMaker(seed, rate_reference=True).candidates(material())[-1] in REFERENCES for seed in range(30)}
    assert last == {True, False}


def test_chunks_hold_every_candidate_once_and_differ_by_one_at_most() -> None:
    outputs = tuple("abcdefgh")
    for size in range(1, 10):
        chunks = list(CandidateMaker(5).chunks(material(outputs=outputs), size))
        assert sorted(text for chunk in chunks for text in chunk) == sorted(outputs)
        lengths = [len(chunk) for chunk in chunks]
        assert max(lengths) <= size
        assert max(lengths) - min(lengths) <= 1
    assert list(CandidateMaker(5).chunks(material(outputs=("", " ")), 2)) == []


def test_chunks_do_not_always_keep_the_same_company() -> None:
    maker = CandidateMaker(5)
    companies = {frozenset(next(maker.chunks(material(number, tuple("abcd")), 2))) for number in range(40)}
    assert len(companies) > 3


def test_a_reference_that_is_judged_does_not_stand_beside_itself() -> None:
    assert shown_references(["r0", "r1", " "], ["a", "R0 "]) == ["r1"]
    assert shown_references(["r0"], ["r0"]) == ["r0"]
