"""CWR, the common word ratio of MedLane (Luo et al. 2022, section 5.1): the share of an output's words that are common.

After the readability formula of Dale and Chall, which counts the words outside a list of easy ones.
"""

import re
from collections.abc import Mapping, Sequence

import numpy as np

from corpora.knowledge import abbreviations, common_words, word_lists
from corpora.knowledge.lemmas import lemma
from evaluation.languages import ENGLISH
from evaluation.metrics._base import Metric, MetricInput, Result, Setting
from foundation.papers import MEDLANE

PAPER, PROGRAM = LIKE = ("paper", "program")
NUMBER = re.compile(r"-?\d+\.?\d*e?-?")  # which the program reads as the word 'num'
CUT_OFF = frozenset(("s", "t", "d", "m", "o", "y", "ll", "re", "ve"))  # of NLTK's stop words, those that lists lack
LEAST = 1e-3  # the program divides by this more than there are tokens


class Cwr(Metric):
    """n_c / n: the words of an output whose lemma is among the common words, of all its words.

    The list is `common_words.txt` of RESTYLE_KNOWLEDGE, or the one that is shipped; the signature says which. The
    authors' list of 3,000 words holds lemmas, lists by frequency hold inflected forms: a list stands for its words'
    lemmas too (`corpora.knowledge.common_words`), so either will do. Numbers are words, and no common ones;
    punctuation is none, and 'don't' is one word. The corpus score is the mean of the sentences', as in the authors'
    program. An output without words has no common word and scores 0.

    With `like = "program"` tokens are counted as the authors' program does (count_common of bleu_eval_new.py): of all
    tokens those that are listed, and those that are not of letters alone, such as punctuation, `self-referred` and
    `n't`; a number is the word 'num', which is not listed; and no entry of the dictionary of abbreviations
    (`abbreviations.tsv`) is common. The program has WordNet's lemmas by the tags of NLTK's tagger; here lemmas are
    simplemma's. Over the 100 published outputs that is 0.702 where the program has 0.694, with its list and without
    its dictionary.
    """

    name = "cwr"
    label = "CWR"
    paper = MEDLANE
    unit = "0 to 1"
    aspect = "simplicity"
    languages = ENGLISH
    because = "its words, lemmas and list of common words are"
    defaults: Mapping[str, Setting] = {"like": PAPER}
    choices: Mapping[str, Sequence[str]] = {"like": LIKE}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Result:
        common = common_words.load()
        if chosen["like"] == PROGRAM:
            terms = frozenset(abbreviations.load().forms)
            counts = np.array([_program_counts(output, common, terms) for output in batch.outputs], dtype=np.float64)
            sentences = counts[:, 0] / (counts[:, 1] + LEAST)
        else:
            counts = np.array([_counts(output, common) for output in batch.outputs], dtype=np.float64)
            sentences = counts[:, 0] / np.maximum(counts[:, 1], 1)
        return Result(sentences, dict(zip(("common", "words"), map(float, counts.sum(axis=0)), strict=True)))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        how = {"list": common_words.digest(), "lemmas": "simplemma", "words": "nltk", "corpus": "mean"}
        if chosen["like"] == PROGRAM:
            return {"like": PROGRAM, "terms": word_lists.digest(word_lists.chosen(abbreviations.FILE))} | how
        return how


def _counts(text: str, common: frozenset[str]) -> tuple[int, int]:
    """The common words of a text, and all its words."""
    from corpora.knowledge.words import words  # NLTK takes 100 MB: only where something is scored

    text_words = words(text)
    return sum(lemma(word.lower()) in common for word in text_words), len(text_words)


def _program_counts(text: str, common: frozenset[str], terms: frozenset[str]) -> tuple[int, int]:
    """What the authors' program takes for common, and all tokens; it cuts a text twice, before numbers and after."""
    from corpora.knowledge.words import tokens

    once = " ".join(tokens(text.lower()))
    found = [lemma(token) for token in tokens(NUMBER.sub(" num ", once))]
    listed = common | CUT_OFF
    return sum(word not in terms and (word in listed or not word.isalpha()) for word in found), len(found)


METRIC = Cwr()
