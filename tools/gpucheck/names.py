"""The checks, in the order in which they are worth having: a machine may be taken away at any time."""

from typing import NamedTuple


class Listed(NamedTuple):
    """A check: the module of this package that has its `check`, and what it answers.

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
    "t5_base": Listed("pretrained_speed", "T5-base with random weights: training and generation"),
    "bart_large": Listed("pretrained_speed", "BART-large with random weights: training and generation"),
    "llama_8b_lora": Listed("pretrained_speed", "An 8B Llama with LoRA, random weights: training and generation"),
}
