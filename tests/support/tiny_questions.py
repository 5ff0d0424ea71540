"""PlainQAFact's folder of folders, so small that tests make it on the spot; weights by NumPy, in the order of names."""

import json
from collections.abc import Callable
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


MORE = [
    {"title": "Heart", "content": "The heart pumps blood."},
    {"title": "Zinc", "content": "Zinc is a metal."},
    {"title": "Risk", "content": "A risk is a chance of harm."},
    {"title": "Cup", "content": "A cup holds tea."},
    {"title": "Doctor", "content": "A doctor gave low doses."},
]
SHIFT = 1.5


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


def compared(folder: Path) -> Path:
    """All parts as the authors' program reads them too. All weights are drawn by NumPy.

    The classifier and the answers take 512 tokens, whose padding that program looks at; BART ends no question at once;
    there are two knowledge bases.
    """
    whole(folder)
    for part in ("questions", "encoder", "query", "article"):
        _changed(folder / part, _drawn)
    _changed(folder / "classifier", _long)
    _changed(folder / "answers", _without_padding)
    _config(folder / "classifier" / "config.json", max_position_embeddings=514)
    _config(folder / "classifier" / "tokenizer_config.json", model_max_length=512)
    _config(folder / "questions" / "generation_config.json", min_length=6)
    _pairs_as_bart(folder / "questions")
    knowledge = folder / "knowledge"
    (knowledge / "base.jsonl").unlink()
    for name, rows in {"books": BASE + MORE[:2], "pearls": MORE}.items():
        (knowledge / name).mkdir()
        (knowledge / name / "part.jsonl").write_text("\n".join(map(json.dumps, rows)))
    return folder


def _changed(folder: Path, change: Callable[[dict[str, Any]], dict[str, Any]]) -> None:
    from safetensors.numpy import load_file, save_file

    file = folder / "model.safetensors"
    save_file(change(load_file(file)), file, metadata={"format": "pt"})


def _drawn(weights: dict[str, Any]) -> dict[str, Any]:
    draws = np.random.default_rng(7)
    return {name: draws.normal(0, 0.35, weights[name].shape).astype(np.float32) for name in sorted(weights)}


def _long(weights: dict[str, Any]) -> dict[str, Any]:
    """The classifier over 514 places; its second label wins for about half of the sentences."""
    (places,) = (name for name in weights if name.endswith("position_embeddings.weight"))
    (bias,) = (name for name in weights if name.endswith("bias") and weights[name].shape == (2,))
    old, draws = weights[places], np.random.default_rng(5)
    more = draws.normal(0, 0.3, (514 - len(old), old.shape[1])).astype(np.float32)
    return {**weights, places: np.concatenate([old, more]), bias: weights[bias] - np.float32([0, SHIFT])}


def _without_padding(weights: dict[str, Any]) -> dict[str, Any]:
    """The answers' model with padding that no place is begun or ended at, as in one that was trained."""
    changed = {name: value.copy() for name, value in weights.items()}
    for name, value in changed.items():
        if name.endswith("output.dense.weight"):
            value *= 0.2
    changed["electra.embeddings.word_embeddings.weight"][0, 0] = -60
    changed["qa_outputs.weight"][:, 0] = 4
    changed["electra.embeddings.word_embeddings.weight"][SPECIAL.index("[CLS]"), 0] = -3
    return changed


def _config(file: Path, **changes: Any) -> None:
    known = json.loads(file.read_text()) if file.exists() else {}
    file.write_text(json.dumps({**known, **changes}))


def _pairs_as_bart(folder: Path) -> None:
    """The tokenizer with pairs as `<s> a </s></s> b </s>`, and in the two files of the slow one."""
    file = folder / "tokenizer.json"
    known = json.loads(file.read_text())
    vocabulary = {**known["model"]["vocab"], **{one["content"]: one["id"] for one in known["added_tokens"]}}
    merges = [one if isinstance(one, str) else " ".join(one) for one in known["model"]["merges"]]
    (folder / "vocab.json").write_text(json.dumps(vocabulary))
    (folder / "merges.txt").write_text("\n".join(["#version: 0.2", *merges, ""]))
    ends = {"sep": ["</s>", 2], "cls": ["<s>", 0], "trim_offsets": True, "add_prefix_space": False}
    file.write_text(json.dumps({**known, "post_processor": {"type": "RobertaProcessing", **ends}}))


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
