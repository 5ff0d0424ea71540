"""The instruct models that adapters are trained for: transformers' model_types of causal models with a chat."""

ARCHITECTURES = (
    "llama", "mistral", "ministral", "mixtral", "qwen2", "qwen3", "gemma", "gemma2", "gemma3_text", "phi", "phi3",
    "gpt2", "gpt_neox", "olmo", "olmo2", "olmo3", "granite", "smollm3", "falcon", "stablelm", "cohere", "cohere2",
    "exaone4", "glm", "glm4", "starcoder2", "seed_oss", "apertus",
)  # fmt: skip
