"""The training of an encoder and a decoder, beside the parts common to all models of transformers."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from transformers import Seq2SeqTrainer

from foundation.base_folder import OURS
from foundation.errors import UserError
from modelserving.pretrained.grpo import Rewarding, Writer, train_on_rewards
from modelserving.pretrained.model import PretrainedModel
from modelserving.pretrained.options import PretrainedOptions, SidesGenerationOptions
from modelserving.pretrained.preferences import Preferring, train_on_preferences
from modelserving.pretrained.token_rows import Inputs, PairCollator
from modelserving.pretrained.trainer import Bridged
from modelserving.pretrained.tune_scores import mean_loss
from modelserving.pretrained.writing import write
from modelserving.run_context import RunContext
from modelserving.training import weights
from modelserving.training.callbacks import Callbacks
from modelserving.training.dataset import TrainingData
from modelserving.training.process_group import ProcessGroup
from modelserving.training.validation import Validation

TEXTS = 16  # of which a loss is worked out at a time


class SidesTrainer(Bridged, Seq2SeqTrainer):  # type: ignore[misc]
    """Seq2SeqTrainer, bridged."""


class SidesPreferenceTrainer(Preferring, Seq2SeqTrainer):  # type: ignore[misc]
    """Seq2SeqTrainer over pairs that people judged, bridged."""


def prefer(
    model: PretrainedModel, data: TrainingData, callbacks: Callbacks, group: ProcessGroup, collate: PairCollator,
    decoding: SidesGenerationOptions, by_metric: Validation | None,
) -> None:  # fmt: skip
    """Train the model on the preferences of the data; arguments and errors are those of `train_on_preferences`."""
    longest = min(model.options.write, model.folder.positions or model.options.write)

    def encode(source: str, rewrite: str) -> tuple[list[int], list[int]]:
        prompts, rewrites = (
            model.subwords.ids([f"{model.prefix}{source}"], model.read),
            model.subwords.ids([rewrite], longest),
        )
        return prompts[0], rewrites[0]

    train_on_preferences(
        SidesPreferenceTrainer, model, data, callbacks, group, encode, collate, dict, decoding, by_metric
    )


class SidesRewardTrainer(Rewarding, Seq2SeqTrainer):  # type: ignore[misc]
    """Seq2SeqTrainer over what metrics reward, bridged."""


def reward(
    model: PretrainedModel, data: TrainingData, callbacks: Callbacks, group: ProcessGroup, collate: PairCollator,
    by_metric: Validation | None,
) -> None:  # fmt: skip
    """Train the model on its rewards; arguments and errors are those of `train_on_rewards`."""
    tokens, options = model.net.generation_config, model.options
    ends = tokens.eos_token_id if isinstance(tokens.eos_token_id, list) else [tokens.eos_token_id]

    def encode(source: str) -> list[int]:
        return model.subwords.ids([f"{model.prefix}{source}"], model.read)[0]

    def written(rows: Sequence[Sequence[int]], decoding: Any, context: RunContext) -> list[list[int]]:
        found = write(model.net, rows, decoding, model.folder.positions, context)
        return [up_to_end(ids[1:], ends) for ids in found]  # behind the decoder's first token

    greedy = SidesGenerationOptions(beam=1, longest=options.rewrite_tokens, precision=options.precision)
    writer = Writer(encode, written, model.text, collate, dict, greedy)
    train_on_rewards(SidesRewardTrainer, model, data, callbacks, group, writer, by_metric)


def up_to_end(ids: Sequence[int], ends: Sequence[int | None]) -> list[int]:
    """The ids up to the first one that ends a text, with it."""
    last = next((place for place, one in enumerate(ids) if one in ends), len(ids) - 1)
    return list(ids[: last + 1])


def collator_of(model: PretrainedModel) -> PairCollator:
    """The collator of the model; a UserError where its folder does not name the first token of outputs."""
    tokens = model.net.generation_config
    start, pad = tokens.decoder_start_token_id, tokens.pad_token_id
    if start is None or pad is None:
        raise UserError("The configuration does not say which token fills up (pad_token_id) and with which outputs "
                        "begin (decoder_start_token_id).", where=model.folder.where)  # fmt: skip
    return PairCollator(pad, start)


def mean_loss_of(
    model: PretrainedModel, options: PretrainedOptions, collate: PairCollator, pairs: Sequence[tuple[str, str]],
    context: RunContext,
) -> float:  # fmt: skip
    """Nats a token of the targets, over all pairs."""
    longest = min(options.write, model.folder.positions or options.write)

    def batch(part: list[tuple[str, str]]) -> Inputs:
        sources = model.subwords.ids([f"{model.prefix}{source}" for source, _ in part], model.read)
        targets = model.subwords.ids([target for _, target in part], longest)
        return collate(list(zip(sources, targets, strict=True)))

    return mean_loss(model.net, batch, pairs, TEXTS, options.precision, context)


def restore(model: PretrainedModel, folder: Path) -> None:
    """Load the weights that were saved there into the model."""
    found = model.net.load_state_dict(weights.read(folder / OURS), strict=False)
    tied = set(model.net.all_tied_weights_keys)
    if found.unexpected_keys or set(found.missing_keys) - tied:
        raise UserError("The weights do not fit the model.", where=OURS)
