"""Statistics of a corpus: edit distances, FKGL, words, tokens and lengths, as the papers' tables count them."""

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from itertools import accumulate, pairwise

import numpy as np
import regex
from rapidfuzz.distance import Levenshtein

from corpora.knowledge.sentences import split as split_sentences
from evaluation.languages import WORDED, count_words, is_english, lowered, pieces, primary, writes_spaces
from evaluation.metric_contract import Floats, Setting
from evaluation.metrics import METRICS, MetricInput, Scores
from evaluation.ngrams import BEST, FOLDER, REFERENCES, TOKENS, punkt_splitter
from evaluation.readability import coleman_liau, flesch_kincaid, gunning_fog, sentences, text_counts
from evaluation.snapshot import StudySnapshot
from foundation.translation import translatable

# The distance of sources from their first reference, in edits of characters.

NO_REFERENCE = translatable("No sentence has a reference: add some on the page Add references.")
MASKED = "Edits are of characters, from source to first reference, each concept masked as one character."
PLAIN = "Edits are of characters, from source to first reference; no concepts are linked, so that none is masked."


def apart_of(snapshot: StudySnapshot) -> tuple[Floats, str]:
    """The distances (n,), NaN without a reference, and how they are counted: as the paper does, where it can be."""
    units = snapshot.units
    if (units.apart >= 0).any():
        return units.apart, MASKED
    pairs = zip(units.sources, units.references, strict=True)
    distances = [float(Levenshtein.distance(source, given[0])) if given else np.nan for source, given in pairs]
    return np.array(distances, dtype=np.float64), PLAIN


# The settings of a study's own metric, read from its signature: numbers beside its scores are computed alike.


def signed_parts(snapshot: StudySnapshot, metric: str) -> dict[str, str]:
    """The parts of the signature of the first system that has a score; none where no system has one."""
    signed = (scored.signature for scored in snapshot.scores.get(metric, ()) if scored is not None and scored.signature)
    return dict(part.split(":", 1) for part in next(signed, "").split("|") if ":" in part)


def rouge_settings(snapshot: StudySnapshot, metric: str) -> dict[str, Setting]:
    """A ROUGE's settings: references, tokens, stemming, and which of precision, recall and F1 it is."""
    said = signed_parts(snapshot, metric)
    if "refs" not in said:
        return {}
    references = {signed: name for name, signed in REFERENCES.items()}
    tokens = {"tokens": said["tok"]} if said["tok"] in TOKENS else {}  # a dictionary's is signed with its version
    like = {"like": said["like"]} if "like" in said else {}
    taken = references.get(said["refs"], BEST)
    return {"of": said["of"], "stem": said["stem"] != "no", "references": taken, **tokens, **like}


def fkgl_settings(snapshot: StudySnapshot, metric: str) -> dict[str, Setting]:
    """The program that FKGL follows, its count of figures, and whether it pools counts."""
    said = signed_parts(snapshot, metric)
    figures = {"figures": said["figures"]} if "figures" in said else {}
    return {"like": "textstat" if "like" in said else "restyle", "pooled": "corpus" not in said, **figures}


# FKGL of texts that are no system's outputs: of sources and references, which PLABA and MedLane set beside them.

FKGL = "fkgl"


def fkgl_of_sources(snapshot: StudySnapshot) -> Scores:
    """FKGL of each source, (n,), and of all; as for references, with the settings of the systems' own scores."""
    return _fkgl(tuple(snapshot.units.sources), _settings(snapshot), snapshot.language)


def fkgl_of_references(snapshot: StudySnapshot) -> Scores | None:
    """FKGL of each reference, and of all; None without any."""
    texts = tuple(text for given in snapshot.units.references for text in given)
    return _fkgl(texts, _settings(snapshot), snapshot.language) if texts else None


def mean_grades_of_references(snapshot: StudySnapshot, grades: Floats) -> Floats:
    """From the grades of all references, unit after unit, to each unit's mean (n,); NaN where it has none."""
    ends = [0, *accumulate(len(given) for given in snapshot.units.references)]
    return np.array([mean_of(grades[start:end]) for start, end in pairwise(ends)], dtype=np.float64)


def mean_of(grades: Floats) -> float:
    """The mean of the finite grades; NaN where there is none."""
    known = grades[np.isfinite(grades)]
    return float(known.mean()) if len(known) else float("nan")


def _settings(snapshot: StudySnapshot) -> tuple[tuple[str, Setting], ...]:
    return tuple(fkgl_settings(snapshot, FKGL).items())


@lru_cache(maxsize=2)  # two tables of one report ask for the same
def _fkgl(texts: tuple[str, ...], settings: tuple[tuple[str, Setting], ...], language: str) -> Scores:
    return METRICS[FKGL].score(MetricInput([], list(texts), [], language=language), **dict(settings))


# A corpus in numbers: its sentences, words, and how hard they are to read (Cao et al. 2020, Table 2).

JOINED_WORD = re.compile(r"[^\W_]+(?:['’-][^\W_]+)*")
MARKED_JOINED_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+(?:['’-][\p{L}\p{M}\p{N}]+)*")
MARK = re.compile(r"[.!?]")
GRADES = "The grades are defined for English, and the study's language is {language}."


@dataclass(frozen=True)
class Corpus:
    """Numbers of some texts; `grades` are FKGL, Gunning fog, Coleman-Liau and their mean, or `ungraded` why not."""

    sentences: int
    vocabulary: int
    grades: tuple[float, float, float, float] | None
    ungraded: str = "There are no texts."


def corpus_of(texts: Sequence[str], language: str = "") -> Corpus:
    """The numbers of some texts; each text counts as often as it occurs.

    Words are parted at spaces, without their punctuation and in lower case; in a language without spaces they are
    single characters. English sentences are NLTK's where its parameters are here (`punkt`), else those of FKGL; in
    other languages they are sentencex's.
    """
    times = Counter(text for text in texts if text.strip())
    if not times:
        return Corpus(0, 0, None)
    words = {word for text in times for word in _words(lowered(text, language), language)}
    if not is_english(language):
        split = sum(n * len(split_sentences(text, primary(language))) for text, n in times.items())
        return Corpus(split, len(words), None, GRADES.format(language=language))
    counts = np.array([text_counts(text) for text in times], dtype=np.float64)
    if punkt := punkt_splitter():
        counts[:, 0] = [len(punkt(text)) if _may_break(text) else 1 for text in times]
    sums = counts.T @ np.array(list(times.values()), dtype=np.float64)
    if not sums[1]:
        return Corpus(int(sums[0]), len(words), None)
    three = [float(grade(sums)) for grade in (flesch_kincaid, gunning_fog, coleman_liau)]
    return Corpus(int(sums[0]), len(words), (*three, sum(three) / 3))  # type: ignore[arg-type]


def _words(text: str, language: str) -> list[str]:
    if writes_spaces(language):
        return (JOINED_WORD if is_english(language) else MARKED_JOINED_WORD).findall(text)
    return [piece for piece in pieces(text, language) if WORDED.search(piece)]


def _may_break(text: str) -> bool:
    """Whether a full stop, or a line break, stands anywhere before the last word."""
    parts = text.rsplit(maxsplit=1)
    return "\n" in text or (len(parts) == 2 and MARK.search(parts[0]) is not None)


# Words, tokens and sentences of texts, counted alike in every table that counts them.

TOKEN = regex.compile(r"[\w\p{M}]+(?:['’-][\w\p{M}]+)*|[^\w\s]")
WORD, MARKED_WORD = re.compile(r"\w+"), regex.compile(r"[\w\p{M}]+")
HOW = (
    "A token is a run of letters and digits, with what hyphens and apostrophes join, or any other single character; of "
    "a language without spaces it is a single character."
)
HOW_WORDS = (
    "A word is a run of letters, digits and underscores, so that '2.5' and 'well-known' are two each, as the authors' "
    "program counts; of a language without spaces it is a single character. Beneath is the standard deviation (n - 1)."
)
HOW_SPLIT = {
    True: "Sentences are split by NLTK's Punkt, as in the authors' program.",
    False: "Sentences are split by the rules of FKGL; the authors' program takes NLTK's Punkt, which needs "
    f"{FOLDER} of NLTK's data below RESTYLE_MODELS.",
}
OTHER_LANGUAGE = "Sentences are split by sentencex."


@dataclass(frozen=True)
class Lengths:
    """Words and sentences of some texts: means, and standard deviations (n - 1), None of a single text."""

    words: float
    sentences: float
    words_deviation: float | None
    sentences_deviation: float | None


def tokens(text: str, language: str = "") -> list[str]:
    """Words and marks of punctuation, in order."""
    return TOKEN.findall(text) if writes_spaces(language) else pieces(text, language)


def mean_tokens(texts: Sequence[str], language: str = "") -> float | None:
    """Tokens a text; None without texts."""
    return sum(len(tokens(text, language)) for text in texts) / len(texts) if texts else None


def distinct_tokens(texts: Iterable[str], language: str = "") -> set[str]:
    """The different tokens of texts, as they are written."""
    return {token for text in texts for token in tokens(text, language)}


def words_and_sentences(texts: Sequence[str], language: str = "") -> Lengths | None:
    """How long texts are; None without texts."""
    if not texts:
        return None
    counts = np.array([(_count_words(text, language), _count_sentences(text, language)) for text in texts])
    words, split = counts.mean(axis=0).tolist()
    spread = counts.std(axis=0, ddof=1).tolist() if len(texts) > 1 else (None, None)
    return Lengths(words, split, *spread)


def how_lengths_are_counted(language: str = "") -> list[str]:
    """The definition of a word and the splitter of sentences, for the notes of a table."""
    return [HOW_WORDS, HOW_SPLIT[punkt_splitter() is not None] if is_english(language) else OTHER_LANGUAGE]


def _count_words(text: str, language: str) -> int:
    if not writes_spaces(language):
        return count_words(text, language)
    return len((WORD if is_english(language) else MARKED_WORD).findall(text))


def _count_sentences(text: str, language: str) -> int:
    if not is_english(language):
        return len(split_sentences(text, primary(language)))
    return len((punkt_splitter() or sentences)(text))
