"""Shakespeare's English without pairs: every model that learns from the texts of two styles apart.

The texts are those of `shakespeare`, each side by itself and in alphabetical order; the tune set too. Models are judged
on the same 1,462 pairs, so that their rows stand beside those of the models that saw which texts belong together. Style
and meaning are measured beside BLEU.
"""

from dataclasses import replace
from typing import Any

from tools.results import captions, shakespeare

SETTINGS: dict[str, Any] = {"batch": 64, "epochs": 8, "least": 2, "longest": 30}
"""35,000 texts are three times the captions: in batches four times as large the updates are about as many."""
SIZES: dict[str, Any] = {"hidden": 128, "style": 128}
"""The largest of Fu et al. (2018); word vectors have 64 dimensions."""
RECIPES: dict[str, dict[str, Any]] = {
    "auto_encoder": {"hidden": 128},
    "multi_decoder": {"hidden": 128},
    "style_embedding": SIZES,
    **dict.fromkeys(captions.MARKED, captions.THRESHOLD),
    "unts": {**captions.UNTS, **SETTINGS, "epochs": 6, "adversarial_begin": 1_650},
    "controlled_gen": {**captions.CONTROLLED, **SETTINGS, "pretraining": 3, "epochs": 6},
    "style_transformer": {**captions.STYLE_TRANSFORMER, **SETTINGS, "epochs": 3},
}
"""As on captions: half of UNTS' updates come before its adversaries."""

EXPERIMENT = replace(
    shakespeare.EXPERIMENT, settings=SETTINGS, recipes=RECIPES, variants={}, styled=True, needs="styles"
)
