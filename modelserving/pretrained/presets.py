"""MedLane's settings of pretrained encoders and decoders (Luo et al. 2022, section 5.1), as a preset of other entries.

Batches of 30, AdamW at 5e-5 with warm-up, early stop by BLEU, and marked sentences. How many updates the warm-up takes
and how patient the early stop is, the paper does not say: ours are about an epoch of its data, and five.
"""

from foundation.papers import MEDLANE
from modelserving.interface import Preset

BATCH, WARMUP, PATIENCE = 30, 400, 5

MEDLANE_PRESET = Preset(
    "MedLane",
    MEDLANE,
    {
        "batch": BATCH, "rate": 5e-5, "warmup": WARMUP, "tune_by": "bleu", "patience": PATIENCE, "marked": True,
        "prefix": "",
    },
)  # fmt: skip
