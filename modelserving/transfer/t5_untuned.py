"""T5 with its pretrained weights, not trained here (T5-No-Fine-Tune of PLABA): a prompt asks it to summarize."""

from dataclasses import dataclass

from foundation.options import option
from foundation.papers import PLABA
from modelserving.pretrained.options import EARLY_STOPPING, UntunedOptions
from modelserving.pretrained.untuned import UntunedTransfer


@dataclass(frozen=True)
class Decoding(UntunedOptions):
    """PLABA's prompt and 512 tokens; it stops early, as t5-base's config.json says for summaries."""

    folder: str = option("t5-base", "Folder of a T5, below RESTYLE_MODELS", suggestions="model_folders", required=True)
    prefix: str = option("summarize: ", "Prefix of each source")
    early_stopping: bool = option(True, EARLY_STOPPING, rare=True)


class T5Untuned(UntunedTransfer):
    label = "T5, not fine-tuned"
    paper = PLABA
    architectures = ("t5",)
    Decoding = Decoding


TRANSFER = T5Untuned()
