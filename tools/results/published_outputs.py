"""The outputs that Li et al. (2018) published for the factual captions, judged as those of the models here are.

They stand in the folder `evaluation/outputs/captions` of the authors' repository. Where that folder lies beside the
captions as `outputs`, it is read; a line is `source TAB output TAB label`, and a file has the number of the style that
its outputs leave, as those of people's captions have.
"""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from foundation.errors import UserError
from tools.results.caption_data import Captions, read_rewrites
from tools.results.run_store import RunStore

SYSTEMS = {
    "cross_aligned": "mit",
    "style_embedding": "fader",
    "multi_decoder": "multi_decoder",
    "retrieve_only": "retrieval",
    "template_based": "rule_base",
    "delete_only": "label",
    "delete_and_retrieve": "orgin",
}
"""The ending of each system's two files, in the order of the paper's tables."""


def score_published(folder: Path, captions: Captions, store: RunStore, key: Mapping[str, Any]) -> None:
    """Judge the outputs not judged under this key yet; nothing where the authors' outputs are not there."""
    if not folder.is_dir():
        return
    for system, ending in SYSTEMS.items():
        name = f"published-{system}"
        if store.get(name, key) is None:
            outputs = _outputs(folder, ending, captions)
            scores = captions.tests["factual"].evaluate(outputs, captions.material)
            del scores["samples"]  # the authors' texts, which are not ours to keep
            about = {"model": "", "row": name, "label": system, "knows_nothing": False, "published": system}
            store.put(name, key, {**about, "factual": scores, "bleu": captions.bleu(outputs)})


def _outputs(folder: Path, ending: str, captions: Captions) -> list[str]:
    """The system's output for each factual caption in each style; a UserError where one is missing."""
    found = read_rewrites(folder, f"sentiment.test.{{}}.{ending}")
    test = captions.tests["factual"]
    pairs = list(zip(test.sources, test.targets, strict=True))
    if lacking := next((source for source, style in pairs if (source, style) not in found), None):
        raise UserError(
            "There is no output for '{lacking}' in the files *.{ending}.",
            lacking=lacking,
            ending=ending,
            where=str(folder),
        )
    return [found[pair] for pair in pairs]
