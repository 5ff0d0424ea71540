"""Which texts from elsewhere are like one's own."""

from modelserving.phrase_based.self_training import select_in_domain

OWN = ["dear sir , i thank you very much .", "i thank you , dear madam .", "i am very glad , dear sir ."] * 4
OTHERS = ["lol wat u doin", "dear madam , i am glad .", "", "u r so kewl lol", "i thank you very much .", "wat r u lol"]


def test_the_most_alike_are_taken_in_their_order() -> None:
    assert select_in_domain(OWN, OTHERS, 1 / 3, 1, str.split, lambda: None) == [1, 4]


def test_an_empty_text_is_never_taken() -> None:
    assert select_in_domain(OWN, OTHERS, 1.0, 1, str.split, lambda: None) == [0, 1, 3, 4, 5]


def test_none_are_taken_of_none() -> None:
    assert select_in_domain(OWN, [], 1.0, 1, str.split, lambda: None) == []
    assert select_in_domain(OWN, OTHERS, 0.0, 1, str.split, lambda: None) == []
