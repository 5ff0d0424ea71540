import unicodedata

from evaluation.readability import SPOKEN, syllables


def test_hand_counted_words(golden):
    counted = golden("syllables")["words"]
    found = {word: syllables(word, SPOKEN) for word in counted}
    wrong = {word: (found[word], count) for word, count in counted.items() if found[word] != count}
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


def test_numbers_and_letters_are_one_syllable_or_are_read_out():
    counted = {
        "5": (1, 1), "2.5": (1, 3), "1,200": (1, 4), "120/80": (1, 5), "b.i.d.": (1, 3), "HPV": (1, 3), "WBC": (1, 5),
        "mg": (1, 3), "20%": (1, 2), "2.5mg": (2, 6), "12-year": (2, 3), "Dr.": (2, 2),
    }  # fmt: skip
    assert {token: (syllables(token), syllables(token, SPOKEN)) for token in counted} == counted


def test_nearly_all_frequent_words_are_counted_as_by_cmudict(golden):
    counted = golden("syllables")["cmudict"]
    right = sum(syllables(word) in pronounced for word, pronounced in counted.items())
    assert right / len(counted) >= 0.97


def test_a_diaeresis_is_spoken_apart_and_accents_do_not_hide_a_word():
    """Counted by hand: na-ïve, Zo-ë, No-ël, co-öp-er-ate, na-ïve-té, ca-fé, ré-su-mé; composed or not."""
    counted = {"naïve": 2, "Zoë": 2, "Noël": 2, "coöperate": 4, "naïveté": 3, "café": 2, "résumé": 3, "über": 2}
    for word, count in counted.items():
        assert syllables(word) == count, word
        assert syllables(unicodedata.normalize("NFD", word)) == count, word
