"""Highlighted concepts in a text."""

from annotation.text_marks import Piece, note_of, pieces

TEXT = "Many cause dyspnea, or chest pain."


def concept(start, end, **more):
    return {"start": start, "end": end, "term": TEXT[start:end], **more}


def test_a_text_is_cut_at_its_concepts_and_stays_whole():
    found = list(pieces(TEXT, [concept(23, 33, definition="Pain."), concept(11, 18)]))
    assert [one for one in found if one.concept] == [Piece("dyspnea", True), Piece("chest pain", True, "Pain.")]
    assert "".join(one.text for one in found) == TEXT


def test_of_two_that_overlap_the_longer_at_the_earlier_place_stands():
    found = [piece.text for piece in pieces(TEXT, [concept(29, 33), concept(23, 28), concept(23, 33)]) if piece.concept]
    assert found == ["chest pain"]


def test_what_lies_outside_the_text_is_left_out():
    assert list(pieces("ab", [concept(1, 9), concept(1, 1)])) == [Piece("ab")]
    assert list(pieces("", [])) == []


def test_without_a_definition_its_other_names_are_said():
    assert note_of(concept(11, 18, definition="", names=["Dyspnea", "Shortness of breath"])) == "Shortness of breath"
    assert note_of(concept(11, 18)) == ""
