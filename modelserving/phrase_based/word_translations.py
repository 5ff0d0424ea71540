"""What stands for a single word in rewrites: of the phrases of a phrase table, those whose source is one word."""

from collections.abc import Callable

import numpy as np

from modelserving.phrase_based import bitext, table_builder
from modelserving.phrase_based.phrase_table import PhraseTable
from modelserving.phrase_based.word_alignment import align
from modelserving.phrase_based.word_translation_file import WordTranslations


def learn_word_translations(
    texts: bitext.Bitext, shape: table_builder.Shape, seed: int, pulse: Callable[[], None]
) -> WordTranslations:
    """Align the words of the pairs, extract their phrases, and take the best one of each source word.

    Args:
        texts: The pairs; their folder takes what is written on the way.
        shape: Of the phrase table.
        seed: Equal seeds give equal translations.
        pulse: Called while it works; what it raises ends it.
    """
    if not len(texts):
        return {}
    return word_translations(table_builder.build(texts, align(texts, seed, pulse), shape, pulse))


def word_translations(table: PhraseTable) -> WordTranslations:
    """The most frequent translation of each source phrase of one word, but where that is the word itself.

    Of equally frequent ones the best by the other three scores counts, and of such the first of the table.
    """
    names = sorted(table.words, key=table.words.__getitem__)
    found = {}
    for phrase in np.flatnonzero(np.diff(table.source_offsets) == 1).tolist():
        best = _best(table, int(table.options[phrase]), int(table.options[phrase + 1]))
        word = names[table.source[table.source_offsets[phrase]]]
        ids = table.target[table.target_offsets[best] : table.target_offsets[best + 1]]
        written = [names[number] for number in ids.tolist()]
        if written != [word]:
            found[word] = written
    return found


def _best(table: PhraseTable, first: int, last: int) -> int:
    scores = table.scores[first:last].astype(np.float64)
    return first + max(range(last - first), key=lambda at: (scores[at, 0], scores[at, 1:].sum()))
