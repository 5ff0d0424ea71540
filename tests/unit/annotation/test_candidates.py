"""Candidates: distinct texts, one drawn reference, canonical numbers that say nothing about who wrote them."""

from collections import Counter
from collections.abc import Iterable

from annotation.presentation_order import latin_square
from annotation.presentation_order.candidates import CandidateMaker, order_of, shown_references
from annotation.task_types import Material

REFERENCES = ["r0", "r1", "r2", "r3"]


def material(number: int = 0, outputs: tuple[str, ...] = ("a", "b", "c")) -> Material:
    return Material(number, "the source", REFERENCES, outputs)


def test_outputs_that_are_the_same_text_are_one_candidate() -> None:
    candidates = CandidateMaker(1).candidates(material(outputs=("Good  .", " Good . ", "bad", "", "  ")))
    assert sorted(" ".join(text.split()) for text in candidates) == ["Good .", "bad"]


def test_outputs_that_differ_in_capitals_alone_are_judged_apart() -> None:
    candidates = CandidateMaker(1).candidates(material(outputs=("He left.", "he left.")))
    assert sorted(candidates) == ["He left.", "he left."]


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
    assert shown_references(["r0", "r1", " "], ["a", "r0 "]) == ["r1"]
    assert shown_references(["r0"], ["r0"]) == ["r0"]


def test_extra_texts_are_candidates_like_any_other_and_each_text_is_one() -> None:
    given = Material(1, "s", (), ("a", "b"), extras=("broken", " a ", "", "broken"))
    assert sorted(text.casefold() for text in CandidateMaker(4).candidates(given)) == ["a", "b", "broken"]
    places = {
        CandidateMaker(seed).candidates(Material(1, "s", (), ("a", "b"), extras=("broken",))).index("broken")
        for seed in range(20)
    }
    assert places == {0, 1, 2}


def shown_at(material: Iterable[Material], size: int, assignments: int, seed: int = 11) -> Counter[tuple[str, int]]:
    """How often each text came at each place, over all items and assignments."""
    maker, places, number = CandidateMaker(seed), Counter(), 0
    for one in material:
        for content in maker.contents(one, size):
            number += 1
            for assignment in range(1, assignments + 1):
                for place, index in enumerate(order_of(content, number, assignment)):
                    places[content["candidates"][index], place] += 1
    return places


def test_an_extra_text_at_regular_intervals_still_comes_at_each_place_equally_often() -> None:
    """Six candidates in each sixth item: by the item's number their order would always be the same one."""
    material = [
        Material(number, "s", (), tuple("abcde"), extras=("x",) if number % 6 == 0 else ()) for number in range(180)
    ]
    assert [shown_at(material, 0, 1)["x", place] for place in range(6)] == [5] * 6
    by_number = Counter(order_of({"candidates": list("abcdex")}, number, 1)[0] for number in range(0, 180, 6))
    assert len(by_number) == 1


def test_many_texts_on_several_pages_come_at_each_place_equally_often() -> None:
    texts = tuple(f"t{number}" for number in range(12))
    count, size, assignments = 400, 4, 3
    places = shown_at([Material(number, "s", (), texts) for number in range(count)], size, assignments)
    expected = count * assignments / size  # each text is on one of the three pages of each source
    assert sum(places.values()) == count * assignments * len(texts)
    assert max(abs(places[text, place] / expected - 1) for text in texts for place in range(size)) < 0.02
    two = shown_at([Material(number, "s", (), tuple("abcd")) for number in range(count)], 2, 1)
    assert all(two[text, place] == count / 2 for text in "abcd" for place in range(2))


def test_items_from_before_there_were_turns_go_by_their_number() -> None:
    content = {"candidates": list("abcd")}
    assert order_of(content, 3, 1) == order_of({**content, "turn": 3}, 99, 1)


def test_where_all_sources_have_as_many_texts_the_whole_design_is_gone_through_in_turn() -> None:
    """So that each text follows each other equally often too, which places alone do not say."""
    for size in range(2, 9):
        maker, rows = CandidateMaker(1), latin_square.rows(size)
        texts = tuple(f"t{number}" for number in range(size))
        turns = [next(maker.contents(Material(number, "s", (), texts)))["turn"] for number in range(2 * rows)]
        assert [(turn + 1) % rows for turn in turns] == [*range(rows)] * 2
