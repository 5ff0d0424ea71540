"""T0++, not trained here: a T5 trained on the prompts of many tasks (Sanh et al. 2022), with PLABA's prompt.

PLABA's has 3 billion parameters (released as T0_3B); the model released as T0pp has 11 billion.
"""

from dataclasses import dataclass

from foundation.options import option
from foundation.papers import PLABA
from modelserving.pretrained.options import UntunedOptions
from modelserving.pretrained.untuned import UntunedTransfer


@dataclass(frozen=True)
class Decoding(UntunedOptions):
    """PLABA's prompt and 512 tokens; T0's folders do not say how a search ends, so it ends as in transformers."""

    folder: str = option(
        "T0_3B", "Folder below RESTYLE_MODELS: T0_3B is PLABA's, of 3 billion parameters; T0pp, as released, has 11",
        suggestions="model_folders", required=True,
    )  # fmt: skip
    prefix: str = option("summarize: ", "Prefix of each source")


class T0pp(UntunedTransfer):
    label = "T0++"
    paper = PLABA
    architectures = ("t5",)
    Decoding = Decoding


TRANSFER = T0pp()
