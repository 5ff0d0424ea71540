"""A Llama in llama.cpp's form (GGUF, version 3) as a folder of transformers: plain weights, tokenizer, chat template.

The form: <https://github.com/ggml-org/ggml/blob/master/docs/gguf.md>; of its quantizations Q8_0 and Q4_1 are read. Only
files whose digest is known come here, so a broken one is no case. The package gguf and transformers' reader of it
are not used: that reader leaves out how the tokenizer cuts numbers, and refuses to save what it read.
"""

import json
import struct
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from foundation.base_folder import CONFIG, GENERATION, TOKENIZER, WEIGHTS

Bytes = NDArray[np.uint8]
Floats = NDArray[np.float32]
MAGIC, VERSION, ALIGNMENT = b"GGUF", 3, 32
NUMBERS = {**dict(enumerate("BbHhIif?")), **dict(enumerate("Qqd", 10))}  # struct's letters, by the types of values
TEXT, LIST = 8, 9
CONTROL = 3  # the type of a token that only the template writes


class Tensor(NamedTuple):
    """A tensor's shape, the slowest dimension first, its type, and the place of its first byte."""

    shape: tuple[int, ...]
    kind: int
    start: int


class GgufFile:
    """A file's description of itself (`about`), and its tensors."""

    def __init__(self, path: Path) -> None:
        self._bytes: Bytes = np.memmap(path, np.uint8, "r")
        self._at = len(MAGIC) + struct.calcsize("<I")
        tensors, values = self._number("Q"), self._number("Q")
        self.about: dict[str, Any] = {self._text(): self._value(self._number("I")) for _ in range(values)}
        listed = {self._text(): self._described() for _ in range(tensors)}
        data = -(-self._at // ALIGNMENT) * ALIGNMENT
        self.tensors = {name: one._replace(start=data + one.start) for name, one in listed.items()}

    def tensor(self, name: str) -> Floats:
        """The numbers of a tensor, float32, in its shape."""
        shape, kind, start = self.tensors[name]
        size, block, read = QUANTIZED[kind]
        count = int(np.prod(shape))
        rows = self._bytes[start : start + count // size * block].reshape(-1, block)
        return read(rows).reshape(shape)

    def _described(self) -> Tensor:
        shape = tuple(self._number("Q") for _ in range(self._number("I")))
        return Tensor(shape[::-1], self._number("I"), self._number("Q"))

    def _value(self, kind: int) -> Any:
        if kind == TEXT:
            return self._text()
        if kind == LIST:
            inner = self._number("I")
            return [self._value(inner) for _ in range(self._number("Q"))]
        return self._number(NUMBERS[kind])

    def _number(self, letter: str) -> Any:
        start, self._at = self._at, self._at + struct.calcsize(f"<{letter}")
        (found,) = struct.unpack(f"<{letter}", self._bytes[start : self._at].tobytes())
        return found

    def _text(self) -> str:
        start = self._at + struct.calcsize("Q")
        self._at = start + self._number("Q")
        return self._bytes[start : self._at].tobytes().decode()


def _plain(rows: Bytes) -> Floats:
    return rows.view(np.float32)


def _q8_0(rows: Bytes) -> Floats:
    """Blocks of 32 numbers: a scale, and a signed byte for each."""
    return _half(rows[:, :2]) * rows[:, 2:].view(np.int8).astype(np.float32)


def _q4_1(rows: Bytes) -> Floats:
    """Blocks of 32 numbers: a scale, the least, and 4 bits for each, of which a byte holds the nth and the 16 + nth."""
    both = rows[:, 4:]
    steps = np.concatenate([both & 15, both >> 4], axis=1).astype(np.float32)
    return steps * _half(rows[:, :2]) + _half(rows[:, 2:4])


def _half(columns: Bytes) -> Floats:
    return np.ascontiguousarray(columns).view(np.float16).astype(np.float32)


QUANTIZED: dict[int, tuple[int, int, Callable[[Bytes], Floats]]] = {
    0: (1, 4, _plain), 8: (32, 34, _q8_0), 3: (32, 20, _q4_1),
}  # fmt: skip
"""By type: the numbers of a block, its bytes, and how they are read."""

NAMES = {
    "attn_norm": "input_layernorm", "ffn_norm": "post_attention_layernorm", "attn_q": "self_attn.q_proj",
    "attn_k": "self_attn.k_proj", "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj",
    "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
}  # fmt: skip
WHOLE = {"token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"}


def write_folder(file: GgufFile, folder: Path) -> None:
    """Write a Llama whose vocabulary is byte pairs as a folder of transformers: weights in float32 and tokenizer."""
    from safetensors.numpy import save_file

    save_file(dict(_weights(file)), folder / WEIGHTS, {"format": "pt"})
    ends = _ends(file)
    _write(folder / CONFIG, {**_config(file), **ends})
    _write(folder / GENERATION, ends)
    _write_tokenizer(file, folder)


def _weights(file: GgufFile) -> Iterator[tuple[str, Floats]]:
    heads = {"attn_q": _number(file, "attention.head_count"), "attn_k": _number(file, "attention.head_count_kv")}
    for name in file.tensors:
        parts = name.removesuffix(".weight").split(".")
        found = file.tensor(name)
        if parts[-1] in heads:
            found = _in_halves(found, heads[parts[-1]])
        if parts[0] == "blk":
            yield f"model.layers.{parts[1]}.{NAMES[parts[2]]}.weight", found
        else:
            yield f"{WHOLE[parts[0]]}.weight", found


def _in_halves(rows: Floats, heads: int) -> Floats:
    """The rows of each head as transformers has them: those that a rotation turns together stand half a head apart."""
    pairs = rows.reshape(heads, -1, 2, rows.shape[1])
    return np.ascontiguousarray(pairs.swapaxes(1, 2).reshape(rows.shape))


def _number(file: GgufFile, name: str) -> Any:
    return file.about[f"{file.about['general.architecture']}.{name}"]


def _config(file: GgufFile) -> dict[str, Any]:
    return {
        "architectures": ["LlamaForCausalLM"], "model_type": file.about["general.architecture"], "dtype": "float32",
        "hidden_act": "silu", "hidden_size": _number(file, "embedding_length"),
        "intermediate_size": _number(file, "feed_forward_length"), "num_hidden_layers": _number(file, "block_count"),
        "num_attention_heads": _number(file, "attention.head_count"),
        "num_key_value_heads": _number(file, "attention.head_count_kv"),
        "max_position_embeddings": _number(file, "context_length"),
        "rms_norm_eps": float(str(np.float32(_number(file, "attention.layer_norm_rms_epsilon")))),
        "rope_theta": _number(file, "rope.freq_base"), "tie_word_embeddings": "output.weight" not in file.tensors,
        "vocab_size": _number(file, "vocab_size"),
    }  # fmt: skip


def _ends(file: GgufFile) -> dict[str, int]:
    """The tokens that begin, end and pad a text."""
    return {f"{short}_token_id": file.about[f"tokenizer.ggml.{name}_token_id"]
            for short, name in (("bos", "bos"), ("eos", "eos"), ("pad", "padding"))}  # fmt: skip


def _write_tokenizer(file: GgufFile, folder: Path) -> None:
    """Byte pairs after each digit is cut off, which is llama.cpp's form `smollm`."""
    from tokenizers import AddedToken, Tokenizer, decoders, models, pre_tokenizers

    of = {name.removeprefix("tokenizer.ggml."): value for name, value in file.about.items()}
    pieces = of["tokens"]
    merges = [tuple(pair.split(" ")) for pair in of["merges"]]
    made = Tokenizer(models.BPE(vocab={piece: place for place, piece in enumerate(pieces)}, merges=merges))
    made.pre_tokenizer = pre_tokenizers.Sequence(
        [pre_tokenizers.Digits(individual_digits=True), pre_tokenizers.ByteLevel(add_prefix_space=False)]
    )
    made.decoder = decoders.ByteLevel()
    control = [place for place, kind in enumerate(of["token_type"]) if kind == CONTROL]
    made.add_special_tokens([AddedToken(pieces[place], normalized=False, special=True) for place in control])
    made.save(str(folder / TOKENIZER))
    ends = {name.replace("_id", ""): pieces[place] for name, place in _ends(file).items()}
    about = {
        "tokenizer_class": "PreTrainedTokenizerFast", "model_max_length": _number(file, "context_length"), **ends,
        "unk_token": pieces[of["unknown_token_id"]], "clean_up_tokenization_spaces": False,
        "chat_template": file.about["tokenizer.chat_template"],
    }  # fmt: skip
    _write(folder / "tokenizer_config.json", about)


def _write(path: Path, about: dict[str, Any]) -> None:
    path.write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
