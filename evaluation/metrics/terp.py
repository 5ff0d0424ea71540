"""TER with TERp's stem and synonym matching (Snover et al. 2009): a form or synonym of the right word is no edit."""

from collections.abc import Mapping

import numpy as np

from evaluation.edit_distance import Keys, edit_rate, tercom_settings, tercom_signature, tercom_words, terp_edits
from evaluation.languages import ENGLISH
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from evaluation.word_matching import WORDNET_MISSING, WordNet, stemmer, stemmer_version, wordnet, wordnet_folder
from foundation.errors import UserError
from foundation.papers import Paper


class Terp(Metric):
    """TER, but words also match if they have one stem (Porter's) or share a sense in WordNet, as in TERp.

    It has these parts of TERp: matches by stem and by synonym, which cost nothing (as in its TERp-A), shifts of words
    that match so, and Tercom's tokens. It has no table of paraphrases, no costs tuned on people's judgements (every
    other edit and a shift cost 1 here), no list of words that are not shifted alone, and no cap at 100. Shifts are
    searched for as in `ter`, without a beam. The authors' program, set to the same, gave 290 of 300 sentences the same
    edits; it splits initials and dates otherwise, and finds other shifts now and then. Higher is worse.
    """

    name = "terp"
    label = "TER, stems and synonyms"
    paper = Paper(
        "Snover, Madnani, Dorr and Schwartz",
        2009,
        "Fluency, Adequacy, or HTER? Exploring Different Human Judgments with a Tunable MT Metric",
        "https://aclanthology.org/W09-0441/",
    )
    unit = "0 and up, edits per 100 words"
    needs = frozenset({"references"})
    higher_is_better = False
    defaults = {"lowercase": True, "normalized": True, "no_punct": False, "stems": True, "synonyms": True}
    languages = ENGLISH
    because = "its stems and synonyms are; `ter` is defined for more"

    def unavailable(self, **settings: object) -> str:
        return WORDNET_MISSING if self.settings(**settings)["synonyms"] and wordnet_folder() is None else ""

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        settings = tercom_settings(chosen)
        keys = _keys(bool(chosen["stems"]), bool(chosen["synonyms"]))
        counts = np.zeros((len(batch.outputs), 2))
        for place, (output, texts) in enumerate(zip(batch.outputs, batch.references, strict=True)):
            references = [tercom_words(text, settings) for text in texts]
            counts[place] = (
                terp_edits(tercom_words(output, settings), references, keys),
                sum(map(len, references)) / len(references),
            )
        edits, length = counts.sum(axis=0)
        return Scores(edit_rate(counts), {"edits": float(edits), "reference_length": float(length)}, counts)

    def corpus_of(self, sums: Floats) -> Floats:
        """As TER's, of edits and the references' length."""
        return edit_rate(sums)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        place = wordnet_folder() if chosen["synonyms"] else None
        return {
            **tercom_signature(tercom_settings(chosen)),
            "stem": f"porter-{stemmer_version()}" if chosen["stems"] else "no",
            "synonyms": f"wordnet-{wordnet(place).version}" if place else ("wordnet" if chosen["synonyms"] else "no"),
            "paraphrases": "no",
            "costs": "1",
        }


def _keys(stems: bool, synonyms: bool) -> Keys:
    """From a word to all that makes two words match: itself, its stem and its senses."""
    known: WordNet | None = None
    if synonyms:
        place = wordnet_folder()
        if place is None:
            raise UserError(WORDNET_MISSING, where="metrics.terp.synonyms")
        known = wordnet(place)
    stem = stemmer() if stems else None

    def keys(word: str) -> list[object]:
        matching: list[object] = [word]
        if stem is not None:
            matching.append(("stem", stem(word)))
        if known is not None:
            matching += known.synsets(word)
        return matching

    return keys


METRIC = Terp()
