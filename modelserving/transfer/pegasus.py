"""PEGASUS, fine-tuned: pretrained to write the sentences that were taken out (Zhang et al. 2020), as PLABA tuned it."""

from dataclasses import dataclass

from foundation.options import option
from foundation.papers import PLABA
from modelserving.pretrained.kind import PretrainedTransfer
from modelserving.pretrained.options import PretrainedOptions, plaba_preset


@dataclass(frozen=True)
class Options(PretrainedOptions):
    """PLABA's: AdamW at 5e-5, 20 epochs, 512 tokens, the state with the lowest validation loss."""

    folder: str = option(
        "pegasus-large", "Folder of a PEGASUS, below RESTYLE_MODELS", suggestions="model_folders", required=True
    )


class Pegasus(PretrainedTransfer):
    """Neither PLABA's paper nor the released pegasus-large says when a search ends: so it ends as in transformers,
    once no better text can come (no early stopping); PLABA's program stops early."""

    label = "PEGASUS"
    paper = PLABA
    architectures = ("pegasus",)
    Options = Options
    presets = {"plaba": plaba_preset(batch=1, longest=512)}


TRANSFER = Pegasus()
