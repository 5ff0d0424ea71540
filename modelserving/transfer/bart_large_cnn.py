"""BART-Large-CNN, fine-tuned: BART-Large that was tuned to summarize news before (Lewis et al. 2020), as in PLABA."""

from dataclasses import dataclass

from foundation.options import option
from modelserving.transfer import bart_base


@dataclass(frozen=True)
class Options(bart_base.Options):
    """Those of BART-Base, from another folder."""

    folder: str = option(
        "bart-large-cnn", "Folder of a BART, below RESTYLE_MODELS", suggestions="model_folders", required=True
    )


class BartLargeCnn(bart_base.BartBase):
    label = "BART-Large-CNN"
    Options = Options


TRANSFER = BartLargeCnn()
