"""How a model is pretrained. Without torch: the command's arguments are made of it."""

from dataclasses import dataclass

from foundation.options import option

ARCHITECTURES = ("t5", "bart")


@dataclass(frozen=True)
class PretrainingOptions:
    """The options; the noise is always the papers' (`pretraining/noise.py`), sizes are Tay et al.'s (2022, table 2)."""

    architecture: str = option("t5", "T5's span corruption or BART's infilling", choices=ARCHITECTURES)
    size: str = option(
        "tiny", "Size of a new model: tiny has 4 layers of 256, small 6 of 512", choices=("tiny", "mini", "small")
    )
    words: int = option(8_000, "Pieces of a new model's tokenizer, at most", low=100, high=250_000)
    length: int = option(256, "Tokens of a piece of text", low=8, high=4_096)
    packed: bool = option(True, "Pack several short texts into one piece")
    steps: int = option(0, "Updates of the weights; 0 to count by epochs", low=0, high=100_000_000)
    epochs: int = option(10, "Number of passes over all pieces, if steps is 0", low=1, high=100_000)
    batch: int = option(32, "Pieces of a batch", low=1, high=65_536)
    rate: float = option(1e-3, "Highest learning rate", low=1e-8, high=1)
    warmup: float = option(
        0.05, "Share of the steps in which the rate rises; then it falls in a line to 0", low=0, high=1
    )
    keep_every: int = option(500, "Steps from one kept state to the next", low=1)
