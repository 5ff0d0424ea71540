"""BART-Large-CNN, fine-tuned: BART-Large that was tuned to summarize news before (Lewis et al. 2020), as in PLABA."""

from dataclasses import dataclass

from foundation.options import option
from foundation.papers import PLABA
from modelserving.pretrained.kind import PretrainedTransfer
from modelserving.pretrained.options import MEDLANE_PRESET, EarlyStoppingOptions, PretrainedOptions, plaba_preset


@dataclass(frozen=True)
class Options(PretrainedOptions):
    """PLABA's: AdamW at 5e-5, 20 epochs, 1,024 tokens, the state with the lowest validation loss."""

    folder: str = option(
        "bart-large-cnn", "Folder of a BART, below RESTYLE_MODELS", suggestions="model_folders", required=True
    )
    read: int = option(1024, "Tokens of a source that are read; longer ones are cut", low=8, high=16_384)
    write: int = option(1024, "Tokens of a reference that are trained on; longer ones are cut", low=8, high=16_384)


class BartLargeCnn(PretrainedTransfer):
    label = "BART-Large-CNN"
    paper = PLABA
    architectures = ("bart",)
    Options = Options
    Decoding = EarlyStoppingOptions
    presets = {"medlane": MEDLANE_PRESET, "plaba": plaba_preset(batch=1, longest=1024)}


TRANSFER = BartLargeCnn()
