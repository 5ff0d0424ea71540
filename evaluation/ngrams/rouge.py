"""ROUGE's arithmetic, with Google's numbers: tokens, and precision, recall and F1 of what two texts share."""

import re
from collections.abc import Callable, Sequence

import numpy as np
import regex
from numpy.typing import NDArray

from corpora.knowledge.sentences import split as split_sentences
from evaluation.languages import is_english, lowered, primary
from evaluation.ngrams.punkt import punkt_splitter
from evaluation.ngrams.tokenizers import BY_LANGUAGE, tokenizer_for, tokenizer_of
from evaluation.readability.sentence_splitting import sentences
from evaluation.word_matching import stemmer

Floats = NDArray[np.float64]
RUNS = {"ascii": re.compile(r"[a-z0-9]+"), "unicode": regex.compile(r"[\p{L}\p{M}\p{N}]+")}
CUT = ("zh", "ja-mecab", "ko-mecab", "char")  # sacreBLEU's, for texts without spaces
SPACES = "none"  # as sacreBLEU calls it
TOKENS = (BY_LANGUAGE, *RUNS, SPACES, *CUT)
BETA = 1.2  # of pycocoevalcap: what recall weighs beside precision
WORDED = regex.compile(r"[\p{L}\p{M}\p{N}]")
BEST, PRINTED = "best", "printed"
REFERENCES = {BEST: "best-f1", PRINTED: "printed-list-datasets-2.0"}  # how a signature says it
PUNKT = "nltk-punkt"
SHORT = 3  # characters of the longest word that is not stemmed


def precision_recall_f1(overlaps: Floats) -> Floats:
    """Precision, recall and F1 of what outputs and references share.

    Args:
        overlaps: (n, 3), the units that a pair shares, the output's units and the reference's.

    Returns:
        (n, 3) of precision, recall and F1, 0 to 1; 0 where a side has no units.
    """
    shared, output, reference = overlaps.T
    precision, recall = _share(shared, output), _share(shared, reference)
    return np.column_stack((precision, recall, _share(2 * precision * recall, precision + recall)))


def _share(part: Floats, whole: Floats) -> Floats:
    share: Floats = np.divide(part, whole, out=np.zeros_like(part), where=whole > 0)
    return share


def rouge_tokens_of(language: str) -> str:
    """Google's of English; Unicode's words where white space parts them, else what sacreBLEU cuts the texts by."""
    if is_english(language):
        return "ascii"
    chosen = tokenizer_of(language)
    return chosen if chosen in CUT and chosen != "ko-mecab" else "unicode"


def rouge_tokenizer(tokens: str, stem: bool, language: str = "") -> Callable[[str], list[str]]:
    """A function from a text to its lower-case tokens.

    Args:
        tokens: Which letters and digits a token is a run of, "ascii" or "unicode", or sacreBLEU's tokenizer, of whose
            tokens those without letter and digit are left out.
        stem: Whether words of more than three letters are stemmed by Porter's rules.
        language: The language of the texts, for their small letters.
    """
    find = _finder(tokens, language)
    if not stem:
        return find
    stemmed = stemmer()
    return lambda text: [stemmed(word) if len(word) > SHORT else word for word in find(text)]


def printed_list(references: Sequence[str], language: str = "") -> str:
    """All references of a text as the one text that PLABA's program compares with (Attal et al. 2023).

    It gives a list of references, a sentence a line, to a library that takes one text (datasets 2.0); this takes the
    list as Python prints it. A line break is printed as a backslash and an n, which so begins the first word of the
    next sentence: that word matches nothing. Sentences are split by NLTK's Punkt, as there, or where its parameters are
    not on this machine as for FKGL; `sentence_rules` says which.

    Args:
        references: The references of one text, one at least.
        language: Their language.
    """
    return repr(["\n".join(_sentences(reference, language)) for reference in references])


def sentence_rules(language: str = "") -> str:
    """Whose rules part the sentences of a printed list, for signatures."""
    if not is_english(language):
        return "sentencex"
    return "restyle-rules" if punkt_splitter() is None else PUNKT


def _sentences(text: str, language: str) -> list[str]:
    if not is_english(language):
        return split_sentences(text, primary(language))
    split = punkt_splitter()
    return [" ".join(tokens) for tokens in sentences(text)] if split is None else split(text.strip())


def _finder(tokens: str, language: str) -> Callable[[str], list[str]]:
    if tokens in RUNS:
        find = RUNS[tokens].findall
        return lambda text: find(lowered(text, language))
    split = tokenizer_for(tokens, lowercase=True, language=language)
    if tokens == SPACES:
        return lambda text: list(split(text))
    return lambda text: [token for token in split(text) if WORDED.search(token)]
