"""Marked sentences, by hand: what the polisher reads, what it copies, and what it is to write."""

from modelserving.lexical_simplification.word_pieces import Example, Sentence, aim, copied, interpreted, runs

MARK = 4
# no(10) sob(11) ,(12) cad(13 14) mi(15) today(16): sob has two full forms, mi one.
WORDS = [[10], [11], [12], [13, 14], [15], [16]]
FORMS = {1: [[20, 21], [22]], 4: [[23]]}
LOCATED = [False, True, False, True, True, False]


def test_runs_are_located_words_side_by_side():
    assert runs(LOCATED) == [(1, 2), (3, 5)]
    assert runs([True, True]) == [(0, 2)]
    assert runs([False]) == []
    assert runs([]) == []


def test_full_forms_take_the_place_of_their_terms_within_marks():
    sentence = Sentence(WORDS, FORMS)
    assert interpreted(sentence, LOCATED, {1: 1, 4: 0}, MARK) == [10, 4, 22, 4, 12, 4, 13, 14, 23, 4, 16]
    assert interpreted(sentence, LOCATED, {}, MARK) == [10, 4, 11, 4, 12, 4, 13, 14, 15, 4, 16]
    assert interpreted(sentence, [False] * 6, {1: 0}, MARK) == [10, 11, 12, 13, 14, 15, 16]
    assert interpreted(sentence, [True] * 6, {4: 0}, MARK) == [4, 10, 11, 12, 13, 14, 23, 16, 4]


def test_what_is_copied_stands_around_the_runs():
    sentence = Sentence(WORDS, FORMS)
    assert copied(sentence, LOCATED, MARK) == [[10, 4], [4, 12, 4], [4, 16]]
    assert copied(sentence, [False] * 6, MARK) == [[10, 11, 12, 13, 14, 15, 16]]
    assert copied(sentence, [True] * 6, MARK) == [[4], [4]]


def test_the_aim_is_the_rewrites_among_what_is_copied():
    example = Example(WORDS, FORMS, LOCATED, {1: 0}, [[30, 31], []])
    pieces, own = aim(example, MARK)
    assert pieces == [10, 4, 30, 31, 4, 12, 4, 4, 16]
    assert [piece for piece, is_own in zip(pieces, own, strict=True) if is_own] == [30, 31, 4, 4]
