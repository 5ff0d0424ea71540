"""BART on sentences whose replaced terms are marked, tuned by BLEU (Luo et al. 2022, section 5.1); any BART's folder.

The paper's words: "for BART and T5, the setting of the optimizer and training procedure is the same as the BERT-MT",
which is AdamW at 5e-5 with warm-up; the training stops early by BLEU on the validation set, with batches of 30.
"""

from dataclasses import dataclass

from foundation.options import option
from foundation.papers import MEDLANE
from modelserving.pretrained.kind import PretrainedTransfer
from modelserving.pretrained.options import (
    BATCH,
    PATIENCE,
    WARMUP,
    EarlyStoppingOptions,
    PretrainedOptions,
    tune_scores,
)


@dataclass(frozen=True)
class Options(PretrainedOptions):
    """MedLane's options; its paper does not name the updates of the warm-up and the patience of the early stop."""

    folder: str = option(
        "bart-base", "Folder of a BART, below RESTYLE_MODELS", suggestions="model_folders", required=True
    )
    batch: int = option(BATCH, "Texts per batch", low=1, high=10_000)
    tune_by: str = option("bleu", "Score of the tune set; loss is that of its references", choices=tune_scores)
    patience: int = option(PATIENCE, "Number of tune scores without a better one before it stops; 0 never stops", low=0)
    warmup: int = option(WARMUP, "Updates in which the learning rate rises to its highest", low=0, rare=True)
    marked: bool = option(True, "Train on references with the brackets that mark replaced terms", rare=True)


class Bart(PretrainedTransfer):
    label = "BART"
    paper = MEDLANE
    architectures = ("bart",)
    Options = Options
    Decoding = EarlyStoppingOptions


TRANSFER = Bart()
