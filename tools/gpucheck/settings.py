"""The checks in the order of their worth, and the settings of one: its device and folder, and its size."""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
TEXTS = "RESTYLE_GPUCHECK_TEXTS"
"""The variable that names the folder of Shakespeare's pairs; by default that beside the repository."""


class Listed(NamedTuple):
    """A check: the module of this package that has its `check`, and the question that it answers.

    One that starts processes of its own leaves the device to them: some GPUs are set to have one process at a time.
    """

    module: str
    what: str
    starts_processes: bool = False


CHECKS = {
    "machine": Listed("machine", "Versions, device, driver, memory"),
    "kernels": Listed("kernels", "Matrix products, attention, norm and losses in bfloat16 against float32"),
    "networks": Listed("networks", "Losses, gradients and searches of every network against the CPU in float32"),
    "resume": Listed("resume", "200 steps, killed and resumed, end as 200 that were not", starts_processes=True),
    "one_rank": Listed("one_rank", "NCCL (gloo on a CPU) with one process"),
    "memory": Listed("memory", "Memory that runs out, and a training that goes on with smaller parts"),
    "own_transformer": Listed("own_speed", "Our Transformer at the size of the paper's base model: speed"),
    "own_lstm": Listed("own_speed", "Our LSTM with attention at the size of MedLane's: speed"),
    "shakespeare_seq2seq": Listed("shakespeare", "Our LSTM with attention trained on Shakespeare's pairs: scores"),
    "shakespeare_transformer": Listed("shakespeare", "Our Transformer trained on Shakespeare's pairs: scores"),
    "shakespeare_t5": Listed("shakespeare", "A new T5 of 60 million numbers pretrained and tuned on these: scores"),
    "t5_base": Listed("pretrained_speed", "T5-base with random weights: training and generation"),
    "bart_large": Listed("pretrained_speed", "BART-large with random weights: training and generation"),
    "llama_8b_lora": Listed("pretrained_speed", "An 8B Llama with LoRA, random weights: training and generation"),
}


@dataclass(frozen=True)
class CheckSettings:
    """`name` of the check, `device` ("cpu", "cuda:0"), `small` sizes, and a `folder` of its own."""

    name: str
    device: str
    small: bool
    folder: Path

    @property
    def on_gpu(self) -> bool:
        return self.device.startswith("cuda")

    def dumped(self) -> str:
        """As JSON, for the process of the check."""
        return json.dumps({**asdict(self), "folder": str(self.folder)})

    @classmethod
    def loaded(cls, text: str) -> "CheckSettings":
        said = json.loads(text)
        return cls(said["name"], said["device"], said["small"], Path(said["folder"]))


class CheckFailed(Exception):
    """A finding is not as it should be; `found` holds it."""

    def __init__(self, sentence: str, found: Mapping[str, object]) -> None:
        super().__init__(sentence)
        self.found = found


class Skipped(Exception):
    """The check cannot run here, for the given reason."""
