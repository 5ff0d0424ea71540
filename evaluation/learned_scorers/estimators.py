"""Encoders with a head that gives scores: classifiers, AlignScore's heads, and COMET's estimators, each from a folder.

A text or a pair goes through a model by itself: in a batch its last digits would depend on the others. Checkpoints of
PyTorch Lightning are pickles, which are not read: their state has to be saved as `model.safetensors`, with the names
that it has, beside the encoder's configuration and tokenizer (docs/metrics.md).
"""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Any

import numpy as np

from evaluation.learned_scorers.encoders import longest
from evaluation.numerics import Floats
from foundation.base_folder import check_sizes
from foundation.errors import UserError

WEIGHTS, HPARAMS = "model.safetensors", "hparams.yaml"
ALIGN_SCORE = "tri_layer"
NO_STATE = "{folder} has no {file}: it takes a checkpoint's state and hyperparameters."
OTHER_CLASS = "The hyperparameters in this folder are those of '{found}'; expected {expected}."
LACKS = "The weights lack {name}, which such a model has."


class Headed:
    """A classifier or a regression as transformers saves one, or AlignScore's encoder with its head of three labels."""

    def __init__(self, folder: Path) -> None:
        check_sizes(folder)
        from safetensors import safe_open
        from transformers import AutoModelForSequenceClassification, AutoTokenizer

        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        file = folder / WEIGHTS
        with_heads = False
        if file.is_file():
            with safe_open(file, "np") as state:
                with_heads = f"{ALIGN_SCORE}.weight" in state.keys()  # noqa: SIM118
        if with_heads:
            self.model, self.head = _with_state(folder, _state(folder), "base_model.", pooling=True)
            self.labels: Mapping[int, str] = {0: "aligned", 1: "neutral", 2: "contradict"}
        else:
            self.model = AutoModelForSequenceClassification.from_pretrained(
                folder, local_files_only=True, use_safetensors=True
            ).eval()
            self.head, self.labels = {}, self.model.config.id2label
        self.longest = longest(self.tokenizer, self.model.config)

    def logits(self, text: str, other: str | None = None, *, most: int = 0) -> Floats:
        """The head's numbers of a text, or of a pair.

        Args:
            text: The text; the first of a pair is cut where both together are too long.
            other: The second text of a pair.
            most: How many tokens are read at most; 0 for what the model takes.

        Returns:
            float64 (n_labels,).
        """
        import torch

        tokens = self._tokens(text, other, min(most or self.longest, self.longest))
        with torch.inference_mode():
            output = self.model(**tokens)
            if self.head:
                found = torch.nn.functional.linear(
                    output.pooler_output, self.head[f"{ALIGN_SCORE}.weight"], self.head[f"{ALIGN_SCORE}.bias"]
                )
            else:
                found = output.logits
        return np.asarray(found[0].double().numpy())

    def _tokens(self, text: str, other: str | None, most: int) -> Any:
        """The tokens; the first of a pair is cut, and both where the second alone is too long."""
        how = {"return_tensors": "pt", "max_length": most}
        room = most - self.tokenizer.num_special_tokens_to_add(pair=True)
        short = other is None or len(self.tokenizer.encode(other, add_special_tokens=False, verbose=False)) < room
        return self.tokenizer(text, other, truncation="only_first" if short else "longest_first", **how)


@lru_cache(maxsize=1)
def load_headed(folder: Path) -> Headed:
    """The model of a folder; the last one stays in memory."""
    return Headed(folder)


# COMET's estimators (Rei et al. 2020, 2022, Guerreiro et al. 2023), and LENS, which extends them.

REGRESSION, REFERENCELESS, MULTI = (
    "regression_metric",
    "referenceless_regression_metric",
    "regression_metric_multi_ref",
)
UNIFIED, XCOMET = "unified_metric", "xcomet_metric"
SPAN_WEIGHTS = (0.1667, 0.3333, 0.5)  # of output with source, with reference, with both
SCORE_WEIGHTS = (0.12, 0.33, 0.33, 0.22)  # the same, and of the score of the marked spans
SEVERITIES, WORST = (0, 1, 5, 10), 25  # none, minor, major, critical


class Estimator:
    """A checkpoint of COMET or LENS: an encoder, a mix of its layers, and a feed-forward network that gives a score."""

    def __init__(self, folder: Path) -> None:
        check_sizes(folder)
        import yaml
        from transformers import AutoTokenizer

        for file in (WEIGHTS, HPARAMS):
            if not (folder / file).is_file():
                raise UserError(NO_STATE, folder=folder.name, file=file)
        try:
            self.hparams: dict[str, Any] = dict(yaml.safe_load((folder / HPARAMS).read_text(encoding="utf-8")))
        except (yaml.YAMLError, TypeError, ValueError) as error:
            raise UserError("{file} is not a list of hyperparameters.", file=HPARAMS) from error
        self.kind = str(self.hparams.get("class_identifier"))
        self.tokenizer: Any = AutoTokenizer.from_pretrained(folder, local_files_only=True)
        self.model, self.state = _with_state(folder, _state(folder), "encoder.model.", pooling=False)
        self.longest = int(self.model.config.max_position_embeddings) - 2
        self.types = self.model.config.model_type == "bert"
        self.segments: Sequence[str] = self.hparams.get("input_segments") or ("mt", "src", "ref")
        self._embedded: dict[str, Any] = {}

    def score(self, source: str, output: str, reference: str | None) -> float:
        """The score of an output.

        Args:
            source: Its source.
            output: The output.
            reference: A reference; None where the model goes without.
        """
        import torch

        with torch.inference_mode():
            if self.kind in (UNIFIED, XCOMET):
                return self._unified(source, output, reference)
            texts = (source, output) if reference is None else (source, output, reference)
            return float(self._feed(self._features(*(self._embedding(text) for text in texts))))

    def _features(self, source: Any, output: Any, reference: Any = None) -> Any:
        import torch

        def beside(other: Any) -> list[Any]:
            return [output * other, (output - other).abs()]

        if reference is None:
            return torch.cat([output, source, *beside(source)])
        first = [source] if self.kind == MULTI else []
        return torch.cat([*first, output, reference, *beside(reference), *beside(source)])

    def _embedding(self, text: str) -> Any:
        """The pooled states of a text, (width,). A source and a reference are asked about again and again."""
        if text not in self._embedded:
            if len(self._embedded) > 4096:
                self._embedded.clear()
            states = self._mixed(self._layers(self._ids(text)))
            pool = self.hparams.get("pool", "avg")
            pooled = {"avg": lambda: states.mean(dim=0), "max": lambda: states.max(dim=0)[0], "cls": lambda: states[0]}
            self._embedded[text] = pooled[pool]()
        return self._embedded[text]

    def _unified(self, source: str, output: str, reference: str | None) -> float:
        """The mean of the scores of the output with the source, with the reference, with both; xCOMET weighs them, none
        above 1, and adds the score of the spans that it marks."""
        import torch

        others = [[source]] if reference is None else [[source], [reference], [source, reference]]
        layers = [self._layers(*self._together(output, texts)) for texts in others]
        scores = [float(self._feed(self._mixed(of)[0])) for of in layers]
        if self.kind != XCOMET:
            return sum(scores) / len(scores)
        weight, bias = self.state["hidden2tag.weight"], self.state["hidden2tag.bias"]
        words, n = int(self.hparams["word_layer"]), len(self._ids(output))
        chances = [torch.softmax(of[words][:n] @ weight.T + bias, dim=-1) for of in layers]
        scores = [min(score, 1.0) for score in scores]
        if len(scores) == 1:
            whole, marked = scores[0] * sum(SCORE_WEIGHTS[:3]), chances[0]
        else:
            whole = sum(score * weight for score, weight in zip(scores, SCORE_WEIGHTS, strict=False))
            marked = sum(each * weight for each, weight in zip(chances, SPAN_WEIGHTS, strict=True))  # type: ignore[assignment]
        return whole + SCORE_WEIGHTS[3] * _of_spans(marked.argmax(dim=-1).tolist())

    def _ids(self, text: str) -> list[int]:
        ids: list[int] = self.tokenizer(text, truncation=True, max_length=self.longest - 2)["input_ids"]
        return ids

    def _together(self, output: str, others: Sequence[str]) -> tuple[list[int], list[int]]:
        """The tokens of the output and others, one behind the other with separators between; and their types."""
        start, *body, end = self._ids(output)
        ids, between = [start, *body, end], [] if self.types else [end]
        first = len(ids)
        for text in others:
            ids += [*between, *self._ids(text)[1:]]
        return ids[: self.longest], ([0] * first + [1] * len(ids))[: min(len(ids), self.longest)]

    def _layers(self, ids: list[int], types: list[int] | None = None) -> Any:
        """The states of all layers, the embeddings' first, each (tokens, width)."""
        import torch

        more = {"token_type_ids": torch.tensor([types])} if types and self.types else {}
        output = self.model(torch.tensor([ids]), output_hidden_states=True, **more)
        return [states[0] for states in output.hidden_states]

    def _mixed(self, layers: Sequence[Any]) -> Any:
        """The layers, each normalized as a whole where the checkpoint says so, weighed and summed."""
        import torch

        layer = self.hparams.get("layer", self.hparams.get("sent_layer", "mix"))
        if layer != "mix":
            return layers[int(layer)]
        names = [f"layerwise_attention.scalar_parameters.{place}" for place in range(len(layers))]
        weights = torch.cat([self._tensor(name) for name in names])
        sparse = self.hparams.get("layer_transformation") == "sparsemax" and "span_targets" not in self.hparams
        weights = sparsemax(weights) if sparse else torch.softmax(weights, dim=0)
        if self.hparams.get("layer_norm", True):
            layers = [(of - of.mean()) / torch.sqrt(of.var(correction=0) + 1e-12) for of in layers]
        mixed = sum(weight * of for weight, of in zip(weights, layers, strict=True))
        return self._tensor("layerwise_attention.gamma") * mixed

    def _feed(self, values: Any) -> Any:
        """The feed-forward network, whose layers have the numbers that dropout and activations leave."""
        import torch

        numbers = sorted({int(name.split(".")[2]) for name in self.state if name.startswith("estimator.ff.")})
        for number in numbers:
            values = self._tensor(f"estimator.ff.{number}.weight") @ values + self.state[f"estimator.ff.{number}.bias"]
            last = number == numbers[-1]
            activation = self.hparams.get("final_activation") if last else self.hparams.get("activations", "Tanh")
            values = getattr(torch.nn, activation.title())()(values) if activation else values
        return values

    def _tensor(self, name: str) -> Any:
        if name not in self.state:
            raise UserError(LACKS, name=name)
        return self.state[name]


@lru_cache(maxsize=1)
def load_estimator(folder: Path, expected: tuple[str, ...]) -> Estimator:
    """The estimator of a folder; the last one stays in memory. UserError: it is of none of the expected classes."""
    found = Estimator(folder)
    if found.kind not in expected:
        raise UserError(OTHER_CLASS, found=found.kind, expected=" or ".join(f"'{name}'" for name in expected))
    return found


def sparsemax(weights: Any) -> Any:
    """The point of the simplex that is nearest to the weights (n,) (Martins and Astudillo 2016)."""
    ordered = weights.sort(descending=True)[0]
    above = ordered.cumsum(0) - 1
    count = ordered.new_tensor(range(1, len(ordered) + 1))
    size = int((count * ordered > above).sum())
    return (weights - above[size - 1] / size).clamp(min=0)


def _of_spans(labels: Sequence[int]) -> float:
    """The score of marked spans, 0 to 1. A span has the severity of its first token; one that no unmarked token ends is
    not counted, as in xCOMET's program."""
    cost, severity = 0, 0
    for label in labels:
        if label and not severity:
            severity = label
        elif not label and severity:
            cost, severity = cost + SEVERITIES[severity], 0
    return (WORST - min(cost, WORST)) / WORST


def _state(folder: Path) -> dict[str, Any]:
    from safetensors.torch import load_file

    return {name: tensor.float() for name, tensor in load_file(folder / WEIGHTS).items()}


def _with_state(folder: Path, state: dict[str, Any], prefix: str, *, pooling: bool) -> tuple[Any, dict[str, Any]]:
    """The encoder with the weights of these names, and all other tensors. It has as many tokens as weights of them."""
    from transformers import AutoConfig, AutoModel

    config = AutoConfig.from_pretrained(folder, local_files_only=True)
    own = {name.removeprefix(prefix): tensor for name, tensor in state.items() if name.startswith(prefix)}
    config.vocab_size = len(own.get("embeddings.word_embeddings.weight", range(config.vocab_size)))
    model: Any = AutoModel.from_config(config, add_pooling_layer=pooling)
    lacking = [name for name in model.load_state_dict(own, strict=False).missing_keys if "position_ids" not in name]
    if lacking:
        raise UserError(LACKS, name=f"{prefix}{lacking[0]}")
    return model.eval(), {name: tensor for name, tensor in state.items() if not name.startswith(prefix)}
