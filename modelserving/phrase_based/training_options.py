"""How a phrase-based model is trained (Rao and Tetreault 2018, section 4.2). Without Numba: forms are made of it."""

from dataclasses import dataclass

from foundation.options import option
from modelserving.training.recipe import LANGUAGE_MODEL, PHRASES, SELF_TRAINING, TEXTS, TUNING

METRICS = ("bleu", "sari")


@dataclass(frozen=True)
class PhraseTrainingOptions:
    """The paper's options, where it names them."""

    order: int = option(5, "Words of the longest n-gram of the language model", low=1, high=6, group=LANGUAGE_MODEL)
    phrase_length: int = option(7, "Words of the longest phrase", low=1, high=10, rare=True, group=PHRASES)
    reordering: str = option(
        "lexicalized", "Model of the cost of reordering: by phrase, or by distance alone",
        choices=("lexicalized", "distance"), rare=True, group=PHRASES,
    )  # fmt: skip
    rules: bool = option(True, "Rules first, between formal and informal", group=TEXTS)
    self_training: int = option(1, "Rounds of training on its own rewrites", low=0, high=10, group=SELF_TRAINING)
    self_training_texts: int = option(
        100_000, "Texts that it rewrites for that, at most; 0 for all", low=0, rare=True, group=SELF_TRAINING
    )
    edits: int = option(
        10, "Number of characters that a rewrite must change, at least, to be trained on", low=0, high=10_000,
        rare=True,
        group=SELF_TRAINING,
    )  # fmt: skip
    duplication: int = option(
        0, "Weight of the pairs, relative to the rewrites; 0 for as much as all of them", low=0, high=1000, rare=True,
        group=SELF_TRAINING,
    )  # fmt: skip
    out_of_domain: str = option(
        "", "File of texts of the target style from elsewhere, for the language model", group=LANGUAGE_MODEL
    )
    out_of_domain_share: float = option(
        0.1, "Share of it to use, the texts most like the study's own", low=0, high=1, rare=True, group=LANGUAGE_MODEL
    )
    tune: bool = option(True, "Tune the weights", group=TUNING)
    tune_metric: str = option("bleu", "Metric that the weights are tuned for", choices=METRICS, group=TUNING)
    tune_rounds: int = option(6, "Rounds of tuning, at most", low=1, high=50, rare=True, group=TUNING)
    tune_most: int = option(500, "Tune texts that are used, at most", low=1, rare=True, group=TUNING)
    longest: int = option(100, "Words of the longest text that is trained on", low=1, high=1000, rare=True, group=TEXTS)
    translations: int = option(
        100, "Translations of a phrase that are kept, the most likely", low=1, high=100_000, rare=True, group=PHRASES
    )
    seen: int = option(
        1, "Times that a phrase pair is seen at least, to be kept", low=1, high=1000, rare=True, group=PHRASES
    )
