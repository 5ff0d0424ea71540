"""METEOR as NLTK has it (Lavie and Agarwal 2007): words, stems and synonyms that match, and in how many pieces."""

from collections.abc import Callable, Mapping, Sequence
from itertools import pairwise

import numpy as np

from evaluation.languages import ENGLISH
from evaluation.metrics._base import Metric, MetricInput, Scores, Setting
from evaluation.ngrams import BY_LANGUAGE, TOKENIZERS, Tokens, tokenizer_for, tokenizer_of, tokenizer_signature
from evaluation.word_matching import WORDNET_MISSING, stemmer, stemmer_version, wordnet, wordnet_folder
from foundation.errors import UserError
from foundation.papers import Paper

Synonyms = Callable[[str], frozenset[str]]
ALPHA, BETA, GAMMA = 0.9, 3.0, 0.5


class Meteor(Metric):
    """The number of `nltk.translate.meteor_score`, which is not that of the authors' METEOR 1.5 (`meteor_1_5`).

    Words are matched as they are, then by Porter's stems, then by WordNet; synonyms are looked up for the stems, as in
    NLTK. Matches are taken from the end, without a search for the fewest crossings, with the weights of 2007. Without
    `synonyms` it needs no WordNet. The best of the references counts; the corpus score is the sentences' mean.
    """

    name = "meteor"
    label = "METEOR (NLTK)"
    paper = Paper(
        "Lavie and Agarwal",
        2007,
        "METEOR: An Automatic Metric for MT Evaluation with High Levels of Correlation with Human Judgments",
        "https://aclanthology.org/W07-0734/",
    )
    unit = "0 to 1"
    needs = frozenset({"references"})
    higher_is_better = True
    defaults = {"tokenize": BY_LANGUAGE, "synonyms": True}
    choices = {"tokenize": TOKENIZERS}
    by_language = {"tokenize": tokenizer_of}
    languages = ENGLISH
    because = "its stems, synonyms and weights are"

    def unavailable(self, **settings: object) -> str:
        return WORDNET_MISSING if self.settings(**settings)["synonyms"] and wordnet_folder() is None else ""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        split = tokenizer_for(str(chosen["tokenize"]), lowercase=True)
        stem, synonyms = stemmer(), _synonyms(bool(chosen["synonyms"]))
        best = [
            max(_meteor(split(output), split(reference), stem, synonyms) for reference in references)
            for output, references in zip(batch.outputs, batch.references, strict=True)
        ]
        return Scores(np.array(best, dtype=np.float64))

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        place = wordnet_folder() if chosen["synonyms"] else None
        return {
            "like": "nltk",
            "weights": f"{ALPHA}-{BETA}-{GAMMA}",
            "stem": "porter",
            "synonyms": f"wordnet-{wordnet(place).version}" if place else ("wordnet" if chosen["synonyms"] else "no"),
            "refs": "best",
            "nltk": stemmer_version(),
            **tokenizer_signature({**chosen, "lowercase": True}),
        }


def _synonyms(asked: bool) -> Synonyms:
    """Without WordNet a word's only synonym is itself."""
    if not asked:
        return lambda word: frozenset((word,))
    place = wordnet_folder()
    if place is None:
        raise UserError(WORDNET_MISSING, where="metrics.meteor.synonyms")
    return wordnet(place).synonyms


def _meteor(output: Tokens, reference: Tokens, stem: Callable[[str], str], synonyms: Synonyms) -> float:
    """One sentence beside one reference, 0 to 1; 0 where nothing matches."""
    matches = _matches(output, reference, stem, synonyms)
    if not matches:
        return 0.0
    precision, recall = len(matches) / len(output), len(matches) / len(reference)
    mean = precision * recall / (ALPHA * precision + (1 - ALPHA) * recall)
    penalty: float = GAMMA * (_pieces(matches) / len(matches)) ** BETA
    return (1 - penalty) * mean


def _matches(
    output: Tokens, reference: Tokens, stem: Callable[[str], str], synonyms: Synonyms
) -> list[tuple[int, int]]:
    """Places of words that match, in the output's order."""
    left, free = list(enumerate(output)), list(enumerate(reference))
    matches: list[tuple[int, int]] = []
    for change, alike in ((None, None), (stem, None), (None, synonyms)):
        if not left or not free:
            break
        if change is not None:
            left, free = (
                [(place, change(word)) for place, word in left],
                [(place, change(word)) for place, word in free],
            )
        pairs = _paired(left, free, alike)
        matches += pairs.items()
        taken = set(pairs.values())
        left, free = [pair for pair in left if pair[0] not in pairs], [pair for pair in free if pair[0] not in taken]
    return sorted(matches)


def _paired(left: Sequence[tuple[int, str]], free: Sequence[tuple[int, str]], alike: Synonyms | None) -> dict[int, int]:
    """For words from the last to the first, the last place that is free and holds the word, or one alike."""
    places: dict[str, list[int]] = {}
    for place, word in free:
        places.setdefault(word, []).append(place)
    pairs = {}
    for place, word in reversed(left):
        same = places.keys() & alike(word) if alike else ((word,) if word in places else ())
        if same:
            nearest = max(same, key=lambda candidate: places[candidate][-1])
            pairs[place] = places[nearest].pop()
            if not places[nearest]:
                del places[nearest]
    return pairs


def _pieces(matches: list[tuple[int, int]]) -> int:
    """How many runs the matches fall into that go on in both texts."""
    return 1 + sum(after != (before[0] + 1, before[1] + 1) for before, after in pairwise(matches))


METRIC = Meteor()
