"""Content that is kept while the style changes: the chance that a language model says so (Pauli et al. 2025)."""

from collections.abc import Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from evaluation.metrics._base import MetricInput, ModelMetric, Scores, Setting
from foundation.base_folder import check_sizes
from foundation.errors import UserError
from foundation.papers import Paper

QUESTION = (
    "A text in the style '{source_style}' was rewritten in the style '{target_style}'.\n\nText: {source}\n\n"
    "Rewritten text: {output}\n\nApart from the change of style, does the rewritten text say the same as the text? "
    "Answer Yes or No.\n\nAnswer:"
)
ANSWERS = ("Yes", "No")
SAME_START = "The model's tokenizer begins Yes and No with the same token."


class ContentLikelihood(ModelMetric):
    """The chance of Yes beside that of No as the next token, when a causal language model of this machine is asked
    whether an output says what its source does, apart from the style.

    The question names both styles, so that a change of style is no change of content; its words are ours. No text is
    generated. A model with a chat template is asked in it.
    """

    name = "content_likelihood"
    label = "Content (LM)"
    paper = Paper(
        "Pauli, Augenstein and Assent", 2025,
        "Mind the Style Gap: Meta-Evaluation of Style and Attribute Transfer Metrics",
        "https://aclanthology.org/2025.findings-emnlp.1175/",
    )  # fmt: skip
    unit = "0 to 1"
    needs = frozenset({"sources", "styles"})
    higher_is_better = True
    aspect = "content"

    def _score(self, batch: MetricInput, chosen: Mapping[str, Setting]) -> Scores:
        model = _model(self.folder(chosen))

        def chance(at: int) -> float:
            styles = {"source_style": batch.source_styles[at], "target_style": batch.target_styles[at]}
            return model.yes(source=batch.sources[at], output=batch.outputs[at], **styles)

        return self.of_each(batch, chance)


class _Model:
    """A causal language model, and the tokens that begin the two answers."""

    def __init__(self, folder: Path) -> None:
        check_sizes(folder)
        from transformers import AutoModelForCausalLM, AutoTokenizer

        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        loaded: Any = AutoModelForCausalLM.from_pretrained(folder, local_files_only=True, use_safetensors=True)
        self.model, self.chat = loaded.eval(), bool(self.tokenizer.chat_template)
        self.answers = [
            {self.tokenizer.encode(f"{space}{answer}", add_special_tokens=False)[0] for space in ("", " ")}
            for answer in ANSWERS
        ]
        if self.answers[0] & self.answers[1]:
            raise UserError(SAME_START, where="metrics.content_likelihood.model")

    def yes(self, **texts: str) -> float:
        """The chance of Yes, of the two answers."""
        import torch

        question = QUESTION.format(**texts)
        if self.chat:
            turns = [{"role": "user", "content": question}]
            question = self.tokenizer.apply_chat_template(turns, tokenize=False, add_generation_prompt=True)
        ids = self.tokenizer(question, return_tensors="pt", add_special_tokens=not self.chat)["input_ids"]
        with torch.inference_mode():
            chances = torch.softmax(self.model(ids).logits[0, -1].double(), dim=-1)
        yes, no = (float(chances[list(tokens)].sum()) for tokens in self.answers)
        return yes / (yes + no)


@lru_cache(maxsize=1)
def _model(folder: Path) -> _Model:
    return _Model(folder)


METRIC = ContentLikelihood()
