"""An instruct model with an adapter that is ready: how it rewrites texts, and how the adapter is saved.

A saved model is the adapter alone (`adapter_files`) and `model.json`: its name, options and directions, and the name
and digest of the folder that it belongs to, without which it cannot be used.
"""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from foundation.base_folder import BaseFolder
from foundation.errors import UserError
from foundation.model_folders import signature_safe
from foundation.options import options_as_stored
from modelserving.adapters.chat import prompt_ids, prompt_of
from modelserving.adapters.options import ChatGenerationOptions, LoraOptions
from modelserving.interface import BatchModel, Direction
from modelserving.pretrained.model import ABOUT
from modelserving.pretrained.options import signed
from modelserving.run_context import UnfinishedThought, unfinished, without_thoughts

if TYPE_CHECKING:
    from peft import PeftModel

    from modelserving.adapters.chat import ChatTokenizer

WINDOW = 512  # texts that are put in order of length at a time


class LoraModel(BatchModel):
    """A model of transformers with an adapter, on its device."""

    def __init__(
        self, name: str, net: "PeftModel", folder: BaseFolder, chat: "ChatTokenizer", options: LoraOptions,
        directions: tuple[Direction, ...],
    ) -> None:  # fmt: skip
        super().__init__()
        self.name, self.net, self.folder, self.chat, self.options = name, net, folder, chat, options
        self.directions = directions
        if chat.size > int(folder.config.get("vocab_size", 0)):
            raise UserError("The tokenizer has {size:,} pieces, more than the model knows.", size=chat.size,
                            where=folder.where)  # fmt: skip

    def transfer(self, texts: Sequence[str], direction: Direction, decoding: ChatGenerationOptions) -> Iterator[str]:
        self.check_direction(direction)
        return self._transfer(texts, direction, decoding)

    def _transfer(self, texts: Sequence[str], direction: Direction, decoding: ChatGenerationOptions) -> Iterator[str]:
        from modelserving.adapters.writing import write_answers

        prompt = prompt_of(self.options.prompt, direction)
        longest = self.room(decoding.longest)
        for start in range(0, len(texts), WINDOW):
            part = texts[start : start + WINDOW]
            there = [place for place, text in enumerate(part) if text.strip()]
            rows = [prompt_ids(self.chat, prompt, part[place], self.read(longest)) for place in there]
            outputs = [""] * len(part)
            written = write_answers(self.net, self.chat, rows, decoding, longest, self.context)
            for place, ids in zip(there, written, strict=True):
                outputs[place] = self._output(ids, longest, part[place])
            yield from outputs

    def _output(self, ids: Sequence[int], longest: int, text: str) -> str:
        """ "" for a text whose answer is a thought alone."""
        try:
            return without_thoughts(self.chat.text(ids)).strip()
        except UnfinishedThought:
            self.context.refuse(unfinished(longest if self.chat.is_cut(ids, longest) else 0), text)
            return ""

    def answer_text(self, ids: Sequence[int]) -> str:
        """The text of an answer, without its thoughts; "" for a thought alone."""
        with suppress(UnfinishedThought):
            return without_thoughts(self.chat.text(ids)).strip()
        return ""

    def room(self, longest: int) -> int:
        """The most tokens of an output: half of those that the model can read and write together."""
        positions = self.folder.positions
        return min(longest, positions // 2) if positions else longest

    def read(self, longest: int) -> int:
        """The most tokens of a prompt, beside an output of `longest`."""
        positions = self.folder.positions
        return min(self.options.longest, positions - longest) if positions else self.options.longest

    def signature(self, direction: Direction, decoding: ChatGenerationOptions) -> str:
        parts = {"model": self.name, "direction": "-".join(direction), "base": self.folder.digest,
                 **signed(self.options), **options_as_stored(decoding)}  # fmt: skip
        return "|".join(f"{key}:{signature_safe(str(value))}" for key, value in parts.items())

    def save(self, folder: Path) -> None:
        from modelserving.adapters.network import write_adapter  # with it comes torch

        write_adapter(folder, self.net, self.options.folder)
        base = {"folder": self.options.folder, "digest": self.folder.digest, "architecture": self.folder.architecture}
        about: dict[str, Any] = {"model": self.name, "directions": self.directions,
                                 "options": options_as_stored(self.options), "base": base}  # fmt: skip
        (folder / ABOUT).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")
