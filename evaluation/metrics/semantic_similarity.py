"""Semantic similarity of source and output: the cosine of their vectors, in place of GYAFC's HE15 (He et al. 2015).

HE15 itself is a convolutional network over pairs of sentences, trained on people's scores of similarity (SICK, 0 to 5).
"""

from collections.abc import Mapping
from pathlib import Path

import numpy as np

from evaluation.learned_scorers import encoders
from evaluation.learned_scorers.model_languages import unsuited
from evaluation.learned_scorers.words import LONG_TEXTS, TOO_LONG, UNDEFINED, WINDOWS
from evaluation.metrics._base import Floats, Metric, MetricInput, Scores, Setting
from foundation import model_folders
from foundation.papers import Paper

WHERE = "metrics.semantic_similarity.model"
AT_ONCE = 2_000
HIGHEST = 5.0


class SemanticSimilarity(Metric):
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
    needs = frozenset({"sources"})
    asks = "network"
    higher_is_better = True
    aspect = "meaning"
    defaults = {"model": "", "long_texts": WINDOWS}
    choices = {"long_texts": LONG_TEXTS}

    def unavailable(self, **settings: object) -> str:
        return model_folders.why_unavailable(str(self.settings(**settings)["model"]))

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        folder = model_folders.required_folder(str(chosen["model"]), WHERE)
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
        return Scores(HIGHEST * np.clip(cosines, 0, 1), {"cosine": _mean(cosines)})

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return unsuited(_folder(chosen), language)

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        folder = _folder(chosen)
        if folder is None:
            missing = f"none-{model_folders.signature_safe(str(chosen['model']))}"
            return {"model": missing, "long": str(chosen["long_texts"])}
        name = model_folders.signature_safe(model_folders.model_name(folder))
        return {
            "model": f"{name}_{model_folders.weights_digest(folder)}",
            "pooling": encoders.pooling_of(folder),
            "scale": "0-5",
            "long": str(chosen["long_texts"]),
        }


def _folder(chosen: Mapping[str, Setting]) -> Path | None:
    return model_folders.model_folder(str(chosen["model"]), WHERE)


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


METRIC = SemanticSimilarity()
