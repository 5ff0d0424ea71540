"""How an adapter is trained and how the model with it writes. Without torch: forms are made of it."""

from dataclasses import dataclass

from foundation.options import option
from modelserving.pretrained.options import GenerationOptions, PreferringOptions
from modelserving.training.recipe import ADAPTER, BATCHES, PRETRAINED, REGULARIZATION, TEXTS

# The instruct models that adapters are trained for: transformers' model_types of causal models with a chat.

ARCHITECTURES = (
    "llama", "mistral", "ministral", "mixtral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3_text", "phi", "phi3",
    "gpt2", "gpt_neox", "olmo", "olmo2", "olmo3", "granite", "smollm3", "falcon", "stablelm", "cohere", "cohere2",
    "exaone4", "glm", "glm4", "starcoder2", "seed_oss", "apertus",
)  # fmt: skip

PROMPT = (
    'Rewrite the text from the style "{source_style}" in the style "{target_style}". Keep all that it says, add '
    "nothing, and answer with the rewritten text alone. Text: {text}"
)
ALL_LINEAR = "all-linear"


@dataclass(frozen=True)
class LoraOptions(PreferringOptions):
    """All linear layers, as Dettmers et al. (2023) found to work, where Hu et al. (2022) leave it to the task."""

    folder: str = option(
        "", "Folder of an instruct model, below RESTYLE_MODELS", suggestions="model_folders", required=True,
        group=PRETRAINED,
    )  # fmt: skip
    prompt: str = option(PROMPT, "The prompt, with {source_style}, {target_style} and {text}", lines=True, group=TEXTS)
    r: int = option(16, "Rank of the adapter's matrices", low=1, high=512, group=ADAPTER)
    alpha: int = option(32, "Scale of the adapter, divided by its rank", low=1, high=4_096, group=ADAPTER)
    dropout: float = option(
        0.05, "Share of the adapter's inputs that are dropped in training", low=0, high=0.9, group=REGULARIZATION
    )
    modules: str = option(
        ALL_LINEAR, "Layers that get an adapter: all-linear, or names with commas between", rare=True, group=ADAPTER
    )
    quantize: bool = option(
        False,
        "Hold the model in 4 bits while it is trained (QLoRA, Dettmers et al. 2023); needs a GPU and bitsandbytes",
        group=BATCHES,
    )  # fmt: skip
    longest: int = option(
        1_024, "Tokens of prompt and rewrite; longer pairs are left out", low=8, high=65_536, group=TEXTS
    )
    rate: float = option(2e-4, "Learning rate of AdamW, its highest", low=1e-8, high=10)
    batch: int = option(4, "Texts per batch", low=1, high=10_000)
    accumulate: int = option(4, "Batches whose gradients are summed for an update", low=1, high=10_000)
    epochs: int = option(3, "Number of passes over all texts, at most", low=1, high=10_000)


@dataclass(frozen=True)
class ChatGenerationOptions(GenerationOptions):
    """How a chat is continued; greedy search is usual."""

    beam: int = option(1, "Number of hypotheses (beam); 1 is greedy search", low=1, high=64)
