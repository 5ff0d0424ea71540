"""Semantic similarity of source and output: the cosine of their vectors, in place of GYAFC's HE15 (He et al. 2015).

HE15 itself is a convolutional network over pairs of sentences, trained on people's scores of similarity (SICK, 0 to 5).
LaBSE's is the cosine as it is (Feng et al. 2022).
"""

from collections.abc import Mapping

import numpy as np

from evaluation.learned_scorers import encoders
from evaluation.learned_scorers.words import LONG_TEXTS, TOO_LONG, UNDEFINED, WINDOWS
from evaluation.metrics._base import Floats, MetricInput, ModelMetric, Scores, Setting
from foundation import model_folders
from foundation.papers import Paper

AT_ONCE = 2_000
HIGHEST = 5.0


class SemanticSimilarity(ModelMetric):
    """Both texts are encoded by a transformer of this machine, and the means of their tokens' vectors compared.

    Where the folder is one of sentence-transformers whose texts are pooled by the first token, so is ours. The scale is
    that of HE15, 0 to 5: five times the cosine, and 0 below. A model that was trained for similarity (Sentence-BERT's)
    spreads over it; a plain language model gives high values to everything. The mean is over all windows of a text that
    is longer than the model reads at once; with `long_texts` "undefined" its sentence has no score, and one without
    any text on a side has none either. The corpus score is the sentences' mean.
    """

    name = "semantic_similarity"
    label = "Similarity"
    paper = Paper(
        "He, Gimpel and Lin",
        2015,
        "Multi-Perspective Sentence Similarity Modeling with Convolutional Neural Networks",
        "https://aclanthology.org/D15-1181/",
    )
    unit = "0 to 5"
    scale = "0-5"
    needs = frozenset({"sources"})
    higher_is_better = True
    aspect = "meaning"
    defaults = {"model": "", "long_texts": WINDOWS}
    choices = {"long_texts": LONG_TEXTS}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        folder = self.folder(chosen)
        model, how = encoders.load_encoder(folder, None), encoders.pooling_of(folder)
        pairs = list(zip(batch.sources, batch.outputs, strict=True))
        cosines = np.concatenate(
            [_cosines(model, pairs[start : start + AT_ONCE], how) for start in range(0, len(pairs), AT_ONCE)]
        )
        if chosen["long_texts"] == UNDEFINED:
            long = np.array([any(map(model.too_long, pair)) for pair in pairs])
            if long.all():
                return Scores(np.full(len(pairs), np.nan), undefined=TOO_LONG.format(longest=model.longest))
            cosines[long] = np.nan
        return Scores(self._scaled(cosines), {"cosine": _mean(cosines)})

    def _scaled(self, cosines: Floats) -> Floats:
        return HIGHEST * np.clip(cosines, 0, 1)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        folder = model_folders.model_folder(str(chosen["model"]), self._where)
        how = {} if folder is None else {"pooling": encoders.pooling_of(folder), "scale": self.scale}
        return {"model": super()._signed(chosen)["model"], **how, "long": str(chosen["long_texts"])}


class Labse(SemanticSimilarity):
    """The same cosine as it is, from -1 to 1: LaBSE's, whose dense layer the folder has, or another encoder's."""

    name = "labse"
    label = "LaBSE"
    paper = Paper("Feng, Yang, Cer, Arivazhagan and Wang", 2022, "Language-agnostic BERT Sentence Embedding",
                  "https://aclanthology.org/2022.acl-long.62/")  # fmt: skip
    unit = "-1 to 1"
    scale = "cosine"

    def _scaled(self, cosines: Floats) -> Floats:
        return cosines


def _cosines(model: encoders.Encoder, pairs: list[tuple[str, str]], how: str) -> Floats:
    """The cosine of each pair's texts, (n,); NaN where one is empty."""
    texts = sorted({text for pair in pairs for text in pair})
    vectors = model.pooled(texts, how).astype(np.float64)
    vectors /= np.maximum(np.linalg.norm(vectors, axis=1, keepdims=True), 1e-12)
    place = {text: i for i, text in enumerate(texts)}
    first, second = (vectors[[place[pair[side]] for pair in pairs]] for side in (0, 1))
    written = [bool(source.strip() and output.strip()) for source, output in pairs]
    return np.where(written, np.clip((first * second).sum(axis=1), -1, 1), np.nan)


def _mean(cosines: Floats) -> float:
    defined = cosines[~np.isnan(cosines)]
    return float(defined.mean()) if len(defined) else 0.0


ENTRIES = {"semantic_similarity": SemanticSimilarity(), "labse": Labse()}
