"""Read by Python at its start where this folder is on its path: what only workers have is not there.

So the web server of the tests runs as an image without PyTorch does, whatever is installed beside it.
"""

import sys

REFUSED = frozenset(
    {
        "torch",
        "transformers",
        "safetensors",
        "tokenizers",
        "numba",
        "llvmlite",
        "quickumls",
        "spacy",
        "unidecode",
        "eflomal",
        "accelerate",
        "peft",
        "huggingface_hub",
        "openai",
        "httpx2",
    }
)


class _Refuse:
    def find_spec(self, name: str, path: object = None, target: object = None) -> None:
        if name.partition(".")[0] in REFUSED:
            raise ModuleNotFoundError(f"No module named '{name}': the web server runs without it.", name=name)


if __name__ == "sitecustomize":  # and not where a test looks at the names
    sys.meta_path.insert(0, _Refuse())
