"""Style accuracy: the share of outputs that a classifier takes for the target style (Cao et al. 2020, section 4.3)."""

from collections.abc import Mapping, Sequence
from functools import partial
from importlib.metadata import version

import numpy as np
from threadpoolctl import threadpool_limits

from evaluation.languages import lowered
from evaluation.learned_scorers.cross_fitting import SEEDS, Labels, StyleClassifier, few_texts, target_style_hits
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.learned_scorers.words import words_in, words_missing, words_signature
from evaluation.metrics._base import Metric, MetricInput, Scores, Setting
from foundation.papers import MSD

BUCKETS = 1 << 18
WEIGHT = 30.0  # of the errors beside the size of the weights
GRAMS = {"words": (1, 2), "characters": (2, 5)}
AT_ONCE = 5_000


class StyleAccuracy(Metric):
    """Hashed words and pairs of words (or runs of 2 to 5 characters) under a linear classifier, as fastText has them.

    It is trained on the study's texts of all its styles, by multinomial logistic regression. A sentence has 1 where the
    classifier takes it for its target style, else 0, and the corpus score is their mean. The details hold the
    classifier's accuracy on texts to tune on or, without these, on held-out fifths: a score means no more than that
    allows. Where a study trains on its own sources and references, a model that did not see a text judges it. Case is
    left out by default, since many systems write small letters only.
    """

    name = "style_accuracy"
    label = "Style acc."
    paper = MSD
    unit = "share of outputs, 0 to 1"
    needs = frozenset({"styles", "texts"})
    higher_is_better = True
    aspect = "style"
    defaults = {"features": "words", "lowercase": True, "seed": 1}
    choices = {"features": tuple(GRAMS)}
    bounds = {"seed": SEEDS}

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        features, lowercase = str(chosen["features"]), bool(chosen["lowercase"])

        def train(texts: Sequence[str], labels: Labels, styles: int) -> StyleClassifier:
            return _train(texts, labels, features, lowercase, batch.language)

        material = batch.material or TrainingMaterial()
        key, seed = (self.name, *chosen.values()), int(chosen["seed"])
        if why := few_texts(material, seed):
            return Scores(np.full(len(batch.outputs), np.nan), undefined=why)
        return Scores(*target_style_hits(batch.outputs, batch.target_styles, material, key, train, seed))

    def _undefined_for(self, language: str, chosen: Mapping[str, Setting]) -> str:
        return words_missing(language) if chosen["features"] == "words" else ""

    def _signed(self, chosen: Mapping[str, Setting]) -> dict[str, str]:
        return {
            "model": "logistic",
            "features": str(chosen["features"]),
            **({"tok": words_signature(str(chosen["language"]))} if chosen["features"] == "words" else {}),
            "case": "lc" if chosen["lowercase"] else "mixed",
            "seed": str(chosen["seed"]),
            "lib": f"scikit-learn-{version('scikit-learn')}",
        }


def _train(texts: Sequence[str], labels: Labels, features: str, lowercase: bool, language: str) -> StyleClassifier:
    """A classifier of these texts; only the styles that they hold are ever given."""
    from sklearn.feature_extraction.text import HashingVectorizer
    from sklearn.linear_model import LogisticRegression

    rows = HashingVectorizer(
        analyzer="word" if features == "words" else "char_wb",
        tokenizer=words_in(language) if features == "words" else None,
        token_pattern=None,
        preprocessor=partial(lowered, language=language) if lowercase else None,
        lowercase=False,
        ngram_range=GRAMS[features],
        n_features=BUCKETS,
        alternate_sign=False,
    )
    if len(np.unique(labels)) < 2:
        return lambda given: np.full(len(given), labels[0] if len(labels) else 0)
    seen = rows.transform(texts)
    columns = np.unique(seen.indices)  # the others would have no weight
    with threadpool_limits(1):  # several cores get in each other's way: twenty times as long
        model = LogisticRegression(C=WEIGHT, max_iter=300).fit(seen[:, columns], labels)

    def judge(given: Sequence[str]) -> Labels:
        parts = [given[start : start + AT_ONCE] for start in range(0, len(given), AT_ONCE)]
        predicted = [model.predict(rows.transform(part)[:, columns]) for part in parts]
        return np.concatenate([np.zeros(0, dtype=np.int64), *predicted])

    return judge


METRIC = StyleAccuracy()
