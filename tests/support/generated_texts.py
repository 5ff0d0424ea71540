"""What transformers' own `generate` writes, in float32: what a system of a pretrained model has to be."""

import shutil
import tempfile
from collections.abc import Sequence
from pathlib import Path


def generated(folder: Path, texts: Sequence[str], prefix: str = "", beam: int = 2, longest: int = 12) -> dict[str, str]:
    """The output of each text that has one, from an encoder and decoder as `save_pretrained` or a checkpoint has it."""
    from transformers import AutoModelForSeq2SeqLM, AutoTokenizer

    with tempfile.TemporaryDirectory() as name:
        own = Path(shutil.copytree(folder, name, dirs_exist_ok=True))
        if (own / "weights.safetensors").exists():  # as a checkpoint calls them
            (own / "weights.safetensors").rename(own / "model.safetensors")
        tokenizer, net = AutoTokenizer.from_pretrained(own), AutoModelForSeq2SeqLM.from_pretrained(own).float().eval()
    written = {}
    for text in texts:
        ids = net.generate(
            **tokenizer([prefix + text], return_tensors="pt", return_token_type_ids=False), max_new_tokens=longest,
            num_beams=beam, length_penalty=1.0, early_stopping=beam > 1,
        )  # fmt: skip
        written[text] = " ".join(tokenizer.decode(ids[0], skip_special_tokens=True).split())
    return {text: output for text, output in written.items() if output}


def outputs_of(system) -> dict[str, str]:
    """The outputs of a system by their sources."""
    return dict(system.outputs.values_list("sentence__text", "text"))
