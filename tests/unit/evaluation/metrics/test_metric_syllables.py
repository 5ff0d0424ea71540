from evaluation.metrics._syllables import syllables


def test_hand_counted_words(golden):
    counted = golden("syllables")["words"]
    wrong = {word: (syllables(word), count) for word, count in counted.items() if syllables(word) != count}
    assert not wrong, "found and counted by hand"


def test_unseen_words_come_out_mostly_right(golden):
    """Words that the rules were not fitted to."""
    counted = golden("syllables")["unseen"]
    right = sum(syllables(word) == count for word, count in counted.items())
    assert right / len(counted) >= 0.9


def test_around_the_word():
    assert syllables('"table,"') == 2
    assert syllables("(table)") == 2
    assert syllables("TABLE") == 2
    assert syllables("table's") == 2
    assert syllables("well-known") == 2
    assert syllables("don’t") == 1
    assert syllables("--") == 0
    assert syllables("") == 0


def test_numbers_and_letters_are_read_out():
    assert syllables("5") == 1
    assert syllables("2.5") == 3
    assert syllables("1,200") == 4
    assert syllables("b.i.d.") == 3
    assert syllables("HPV") == 3
    assert syllables("WBC") == 5
    assert syllables("Dr.") == 2


def test_nearly_all_frequent_words_are_counted_as_by_cmudict(golden):
    counted = golden("syllables")["cmudict"]
    right = sum(syllables(word) in pronounced for word, pronounced in counted.items())
    assert right / len(counted) >= 0.97
