"""The speed of training and writing of our own networks, at the sizes of the papers."""

from collections.abc import Callable
from typing import Any

import numpy as np
import torch

from modelserving.nets.beam_search import beam_search
from modelserving.nets.recurrent import AttentionNetwork, Shape
from modelserving.nets.transformer import Transformer, TransformerSizes
from modelserving.training.batches import Batch
from modelserving.training.gradients import Gradients, Part
from modelserving.training.network import Network, autocast
from modelserving.training.process_group import ProcessGroup
from modelserving.training.recipe import BeamSearchOptions, TrainingRecipe
from modelserving.training.trainer import SAY_EVERY, Position, Updates
from tools.gpucheck.examples import FIRST_WORD, RandomBatches, batch, made
from tools.gpucheck.measured import seconds_of, training_speed
from tools.gpucheck.settings import CheckSettings


def check(settings: CheckSettings) -> dict[str, Any]:
    """Tokens of sources and targets a second of training; written words a second, greedily and by a beam."""
    words, texts, longest = (200, 8, 20) if settings.small else (32_000, 256, 60)
    net = made(lambda: _network(settings.name, words, settings.small)).to(settings.device)
    given = batch(texts, longest, words).to(settings.device)
    tokens = int(given.source_lengths.sum() + given.target_lengths.sum())
    times = 2 if settings.small else 2 * SAY_EVERY
    found = training_speed(_training(net, given, settings.device), tokens, settings.device, times)
    found["parameters, millions"] = sum(one.numel() for one in net.parameters()) / 1e6
    for beam in (1, 5):
        found[f"written words a second, beam {beam}"] = _writing_speed(net, given, beam, settings)
    return found


def _network(name: str, words: int, small: bool) -> Network:
    if name == "own_lstm":
        size = 16 if small else 256
        return AttentionNetwork(Shape(words, words, size, size))
    sizes = (32, 2, 4, 64) if small else (512, 6, 8, 2048)
    return Transformer(TransformerSizes(words, words, *sizes, shared=True, tied=True))


def _training(net: Network, given: Batch, device: str) -> Callable[[], None]:
    """An update as the trainer makes it: its numbers are read from the device as seldom."""
    recipe = TrainingRecipe(optimizer="adamw", rate=1e-4)
    gradients = Gradients(net, RandomBatches(1, len(given), 1, FIRST_WORD + 1), ProcessGroup(), 1, device)
    updates, position = Updates(net, gradients, recipe, lambda: 1), Position()
    part = Part(np.arange(len(given)), given)

    def step() -> None:
        updates.take([part], position)
        if position.step % SAY_EVERY == 0 or device == "cpu":
            updates.settle(position)

    return step


def _writing_speed(net: Network, given: Batch, beam: int, settings: CheckSettings) -> float:
    longest = 10 if settings.small else 50
    options = BeamSearchOptions(beam=beam, longest=longest, shortest=longest)
    written: list[int] = []

    def write() -> None:
        with torch.inference_mode(), autocast(settings.device):
            written.append(sum(len(one.ids) for one in beam_search(net.eval(), given, options)))

    seconds = seconds_of(write, settings.device, times=1)
    return written[-1] / seconds
