"""PlainQAFact's folder of folders, so small that tests make it on the spot; weights by NumPy, in the order of names."""

import json
from pathlib import Path
from typing import Any

import numpy as np
from support import tiny_estimators, tiny_transformers

WORDS = (
    "the a aspirin lowers risk of heart attack in people with high blood pressure . , what does ? who how much is "
    "daily dose low 45 % study showed doctor gave"
)
LETTERS = "abcdefghijklmnopqrstuvwxyz0123456789"
SPECIAL = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "[MASK]"]
BASE = [
    {"title": "Aspirin", "content": "Aspirin is a drug against pain."},
    {"title": "Stroke", "content": "A stroke is\na loss of blood flow in the brain."},
    {"title": "Dose", "content": "A low dose is 75 mg a day."},
]


def answerer(folder: Path) -> Path:
    """Electra for question answering, over WordPiece."""
    import torch
    from transformers import BertTokenizerFast, ElectraConfig, ElectraForQuestionAnswering

    folder.mkdir(parents=True, exist_ok=True)
    words = [*SPECIAL, *WORDS.split(), *LETTERS, *(f"##{letter}" for letter in LETTERS)]
    config = ElectraConfig(
        vocab_size=len(words), embedding_size=16, hidden_size=16, num_hidden_layers=2, num_attention_heads=2,
        intermediate_size=32, max_position_embeddings=512,
    )  # fmt: skip
    model: Any = ElectraForQuestionAnswering(config).eval()
    draws = np.random.default_rng(3)
    shapes = {name: tuple(of.shape) for name, of in model.state_dict().items() if "position_ids" not in name}
    drawn = {name: draws.normal(0, 0.35, shape).astype(np.float32) for name, shape in sorted(shapes.items())}
    model.load_state_dict({name: torch.tensor(values) for name, values in drawn.items()}, strict=False)
    model.save_pretrained(folder)
    (folder / "vocab.txt").write_text("\n".join(words))
    BertTokenizerFast.from_pretrained(folder).save_pretrained(folder)
    return folder


def whole(folder: Path) -> Path:
    """All parts."""
    answerer(folder / "answers")
    tiny_estimators.classifier(folder / "classifier", {0: "no", 1: "yes"})
    tiny_transformers.make("causal", folder / "keywords")
    tiny_transformers.make("bart", folder / "questions")
    for part in ("encoder", "query", "article"):
        tiny_transformers.make("bert", folder / part)
    (folder / "knowledge").mkdir()
    (folder / "knowledge" / "base.jsonl").write_text("\n".join(map(json.dumps, BASE)))
    return folder
