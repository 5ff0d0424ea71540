from collections import Counter

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from evaluation import ngrams
from evaluation.ngrams import count_ngrams, first_maxima, lengths_of, sentence_of_each

texts_of = st.lists(st.text("abcdé\U0001f600", max_size=9), min_size=1, max_size=6)


def counted(text, n):
    return Counter(text[at : at + n] for at in range(len(text) - n + 1))


@pytest.mark.parametrize("room", [ngrams.ROOM, 2**9])  # in the second n-grams have to be numbered anew
@given(texts=texts_of)
def test_each_n_gram_is_counted_in_each_text(room, texts):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(ngrams, "ROOM", room)
        for n, found in enumerate(count_ngrams(texts, 4), start=1):
            wanted = [counted(text, n) for text in texts]
            times = [sorted(found.times[found.owners == at].tolist()) for at in range(len(texts))]
            assert times == [sorted(each.values()) for each in wanted]
            for i, said in enumerate(wanted):  # what two texts share is the same number in both
                for j, other in enumerate(wanted):
                    mine = found.part(i, i + 1)
                    there = found.at(np.full(len(mine.grams), j), mine.grams)
                    assert np.minimum(mine.times, there).sum() == (said & other).total()


@given(texts=texts_of)
def test_texts_put_together_have_the_most_of_each(texts):
    groups = np.arange(len(texts)) // 2
    for n, found in enumerate(count_ngrams(texts, 2), start=1):
        joined = found.most(groups, int(groups[-1]) + 1)
        for group in range(joined.texts):
            most = Counter()
            for text in texts[2 * group : 2 * group + 2]:
                most |= counted(text, n)
            assert sorted(joined.times[joined.owners == group].tolist()) == sorted(most.values())


def test_words_or_characters():
    (words,) = count_ngrams([("to", "be", "to"), ("be",)], 1)
    assert words.times.tolist() == [1, 2, 1]  # in the words' own order, whatever texts come first
    assert words.owners.tolist() == [0, 0, 1]
    assert words.sums(words.times).tolist() == [3, 1]
    assert words.close().kinds == 2


def test_runs():
    counts = lengths_of([["a"], ["b", "c", "d"]])
    assert sentence_of_each(counts).tolist() == [0, 1, 1, 1]
    assert first_maxima(np.array([0.0, 1.0, 3.0, 3.0]), counts).tolist() == [0, 2]
