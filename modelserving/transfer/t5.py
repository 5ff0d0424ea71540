"""T5, fine-tuned: an encoder and decoder pretrained on spans and tasks (Raffel et al. 2020), as PLABA tuned T5-Base."""

from dataclasses import dataclass

from foundation.options import option
from foundation.papers import PLABA
from modelserving.pretrained.kind import PretrainedTransfer
from modelserving.pretrained.options import MEDLANE_PRESET, EarlyStoppingOptions, PretrainedOptions, plaba_preset


@dataclass(frozen=True)
class Options(PretrainedOptions):
    """PLABA's: AdamW at 5e-5, 20 epochs, 512 tokens, "summarize:", the state with the lowest validation loss."""

    folder: str = option("t5-base", "Folder of a T5, below RESTYLE_MODELS", suggestions="model_folders", required=True)
    prefix: str = option("summarize: ", "Prefix of each source")


class T5(PretrainedTransfer):
    label = "T5"
    paper = PLABA
    architectures = ("t5",)
    Options = Options
    Decoding = EarlyStoppingOptions
    presets = {"medlane": MEDLANE_PRESET, "plaba": plaba_preset(batch=2, longest=512)}


TRANSFER = T5()
