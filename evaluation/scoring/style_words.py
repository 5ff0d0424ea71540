"""Words that mark a style: a study's own list, else what its texts give away."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

import numpy as np
import regex

from corpora.models import Study
from evaluation.languages.pieces import pieces
from evaluation.languages.writing import writes_spaces
from evaluation.snapshot.units import Units

WORD = regex.compile(r"\p{L}[\p{L}\p{M}]*(?:['’][\p{L}\p{M}]+)*")
WORDS = 50  # of a style
FEWEST = 2  # times that a word must stand in a style to mark it
PRIOR = 500.0  # how many words the prior weighs, as against those of the texts


def style_words_of(study: Study, units: Units, language: str = "") -> dict[str, Sequence[str]]:
    """The strongest words of each style of the study's directions, strongest first.

    The study's own words belong to that style whose texts hold them more often. Without a list: by the log-odds ratio
    with a prior from all texts (Monroe, Colaresi and Quinn 2008, 'Fightin' Words').
    """
    counts = _counts(units, language)
    strength = _strengths(counts)
    own = {word.casefold() for word in study.style_words}
    by_style: dict[str, Sequence[str]] = {}
    for style in counts:
        marking = [word for word, value in strength[style] if value > 0]
        chosen = (
            [word for word in marking if word in own] if own else [w for w in marking if counts[style][w] >= FEWEST]
        )
        by_style[style] = chosen[:WORDS]
    return by_style


def _counts(units: Units, language: str) -> dict[str, Counter[str]]:
    """How often each word stands in a style: sources in their own, references in that of the target."""
    counts: dict[str, Counter[str]] = {style: Counter() for pair in units.directions for style in pair}
    for place, source, references in zip(units.direction, units.sources, units.references, strict=True):
        source_style, target_style = units.directions[place]
        counts[source_style].update(_words([source], language))
        counts[target_style].update(_words(references, language))
    return counts


def _words(texts: Iterable[str], language: str) -> Iterable[str]:
    for text in texts:
        if writes_spaces(language):
            yield from WORD.findall(text.casefold())
        else:
            yield from (piece for piece in pieces(text.casefold(), language) if WORD.fullmatch(piece))


def _strengths(counts: Mapping[str, Counter[str]]) -> dict[str, list[tuple[str, float]]]:
    """For each style its words by the z of their log-odds against the other styles, strongest first."""
    words = sorted(set().union(*counts.values())) if counts else []
    table = np.array([[of[word] for word in words] for of in counts.values()], dtype=np.float64)
    if not words:
        return {style: [] for style in counts}
    prior = PRIOR * table.sum(axis=0) / table.sum()
    by_style = {}
    for style, own in zip(counts, table, strict=True):
        odds = [_log_odds(counted, prior) for counted in (own, table.sum(axis=0) - own)]
        spread = np.sqrt(1 / (own + prior) + 1 / (table.sum(axis=0) - own + prior))
        z = (odds[0] - odds[1]) / spread
        by_style[style] = [(words[number], float(z[number])) for number in np.argsort(-z, kind="stable")]
    return by_style


def _log_odds(counts: np.ndarray, prior: np.ndarray) -> np.ndarray:
    with_prior = counts + prior
    return np.asarray(np.log(with_prior / (with_prior.sum() - with_prior + 1e-12)))
