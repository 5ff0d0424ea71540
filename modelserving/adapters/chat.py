"""A chat as ids: what the model's template writes around a message, and the message itself, which is always data.

The template is asked once, with a mark in place of the message and of the answer. So a message that spells the model's
control tokens (`<|im_end|>`), or words of the template's own language, moves nothing: it becomes ordinary pieces.
"""

import json
import re
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from foundation.errors import UserError
from modelserving.run_context import is_mark

if TYPE_CHECKING:
    from tokenizers import Tokenizer

TOKENIZER = "tokenizer.json"


def count_tokens(folder: Path, texts: Sequence[str]) -> int:
    """How many tokens the texts have together; a UserError where the folder's tokenizer cannot be read."""
    from tokenizers import Tokenizer

    try:
        tokenizer = Tokenizer.from_file(str(folder / TOKENIZER))
    except Exception:  # whatever the library stumbles over in a stranger's file
        raise UserError("The tokenizer is missing or cannot be read.", where=folder.name) from None
    tokenizer.no_truncation()
    tokenizer.no_padding()
    return sum(len(one.ids) for one in tokenizer.encode_batch(list(texts), add_special_tokens=False))


SYSTEM, MESSAGE, ANSWER = "zqsystemzq", "zqmessagezq", "zqanswerzq"
LEAST = 8  # the least tokens of a text that must fit
OTHER = "x"  # a message that spells no control token


class Frame(NamedTuple):
    """The parts of the template before the message, between message and answer, and behind the answer.

    `opening` stands before the system's words, and `before` between these and the message; it is "" without such words.
    """

    opening: str
    before: str
    between: str
    after: str


class ChatTokenizer:
    """The tokenizer of an instruct model's folder, with its chat template."""

    def __init__(self, folder: Path, where: str = "") -> None:
        self.where = where or folder.name
        whole = _loaded(folder, self.where)
        self.frame = _frame_of(whole, self.where)
        self._told = _told_frame_of(whole)
        self._whole: Tokenizer = whole.backend_tokenizer
        self._whole.no_truncation()
        self._whole.no_padding()
        self._data = _without_control(self._whole)
        added = self._whole.get_added_tokens_decoder()
        self.control = frozenset(added)
        self._unread = {one for one, token in added.items() if token.special and not is_mark(token.content)}
        self._around: dict[tuple[str, ...], list[int]] = {}
        self.end = self._end(whole.eos_token_id)
        self.pad = self.end if whole.pad_token_id is None else int(whole.pad_token_id)

    @property
    def size(self) -> int:
        """One more than the highest id."""
        return 1 + max(self._whole.get_vocab(with_added_tokens=True).values(), default=-1)

    def prompt(self, message: str, system: str = "") -> list[int]:
        """The ids up to the beginning of the answer: as the template has them, whatever the texts spell.

        The `system`'s words stand in a turn of their own; where the template has none for them, before the message.
        """
        if system and self._told:
            frame = self._told
            return self._woven((frame.opening, frame.before, frame.between), (system, message))
        frame = self.frame
        return self._woven((frame.before, frame.between), ("\n\n".join(filter(None, (system, message))),))

    def _woven(self, frame: tuple[str, ...], texts: Sequence[str]) -> list[int]:
        """The parts of a frame with a text behind each but the last."""
        if frame not in self._around:
            self._around[frame] = self._control_in(self._structure(OTHER.join(frame)))
        ids = self._structure("".join(map("".join, zip(frame, (*texts, ""), strict=True))))
        if self._control_in(ids) == self._around[frame]:
            return ids
        pieces = [[*self._structure(part), *self._plain(text)] for part, text in zip(frame, (*texts, ""), strict=True)]
        return [one for piece in pieces for one in piece]

    def shortened(self, head: str, text: str, tail: str, most: int) -> list[int]:
        """A prompt with the beginning of the text, cut so that the prompt has `most` ids in all."""
        before = [*self._structure(self.frame.before), *self._plain(head)]
        behind = [*self._plain(tail), *self._structure(self.frame.between)]
        room = most - len(before) - len(behind)
        if room < LEAST:
            raise UserError(
                "The prompt has {before_count:,} tokens, and {most:,} have room.",
                before_count=len(before) + len(behind),
                most=most,
                where="prompt",
            )
        return [*before, *self._plain(text)[:room], *behind]

    def answer(self, text: str) -> list[int]:
        """The ids of an answer, and the token that ends it."""
        return [*self._plain(text), self.end]

    def text(self, ids: Sequence[int]) -> str:
        """The text of an answer up to its end, on one line, with the marks of thoughts, which models have as tokens."""
        read = [one for one in ids[: self.length(ids)] if one not in self._unread and one != self.end]
        return " ".join(self._whole.decode(read, skip_special_tokens=False).split())

    def length(self, ids: Sequence[int]) -> int:
        """How many ids an answer has with its end; what stands behind it fills a batch."""
        found = list(ids)
        return found.index(self.end) + 1 if self.end in found else len(found)

    def is_cut(self, ids: Sequence[int], longest: int) -> bool:
        """Whether the answer reached the most tokens that it may have, without an end."""
        return len(ids) >= longest and self.end not in ids

    def _structure(self, text: str) -> list[int]:
        return list(self._whole.encode(text, add_special_tokens=False).ids)

    def _plain(self, text: str) -> list[int]:
        """The pieces of a text, with no control token among them."""
        return [one for one in self._data.encode(text, add_special_tokens=False).ids if one not in self.control]

    def _control_in(self, ids: Sequence[int]) -> list[int]:
        return [one for one in ids if one in self.control]

    def _end(self, named: int | None) -> int:
        """The token with which the template ends an answer, else the tokenizer's own end."""
        found = self._control_in(self._structure(self.frame.after))
        if not found and named is None:
            raise UserError("Neither the chat template nor the tokenizer says how an answer ends.", where=self.where)
        return found[0] if found else int(named or 0)


def _loaded(folder: Path, where: str) -> Any:
    """transformers' plain fast tokenizer of tokenizer.json, which needs no class of the model's own."""
    from transformers import PreTrainedTokenizerFast

    fast: Any = PreTrainedTokenizerFast
    try:
        return fast.from_pretrained(folder, local_files_only=True, trust_remote_code=False)
    except Exception:  # whatever the library stumbles over in a stranger's file
        raise UserError("The tokenizer is missing or cannot be read.", where=where) from None


def _frame_of(tokenizer: Any, where: str) -> Frame:
    """The text that the chat template puts around a message and its answer."""
    if not tokenizer.chat_template:
        raise UserError("The tokenizer has no chat template: choose the folder of an instruct model.", where=where)
    chat = [{"role": "user", "content": MESSAGE}, {"role": "assistant", "content": ANSWER}]
    try:
        text = str(tokenizer.apply_chat_template(chat, tokenize=False))
    except Exception as error:  # the template is a program of its own
        raise UserError(
            "The chat template cannot be used: {error}.", error=str(error)[:200].rstrip("."), where=where
        ) from None
    if text.count(MESSAGE) != 1 or text.count(ANSWER) != 1 or text.index(MESSAGE) > text.index(ANSWER):
        raise UserError("The chat template must write a message and its answer exactly once each.", where=where)
    before, rest = text.split(MESSAGE)
    between, after = rest.split(ANSWER)
    return Frame("", before, between, after)


def _told_frame_of(tokenizer: Any) -> Frame | None:
    """The frame of a chat that begins with the system's words; None where the template has no place for them."""
    chat = [{"role": "system", "content": SYSTEM}, {"role": "user", "content": MESSAGE},
            {"role": "assistant", "content": ANSWER}]  # fmt: skip
    try:
        text = str(tokenizer.apply_chat_template(chat, tokenize=False))
    except Exception:  # Gemma's template refuses such words by an error
        return None
    parts = re.split(f"{SYSTEM}|{MESSAGE}|{ANSWER}", text)
    in_order = re.findall(f"{SYSTEM}|{MESSAGE}|{ANSWER}", text) == [SYSTEM, MESSAGE, ANSWER]
    return Frame(*parts) if in_order else None


def _without_control(whole: "Tokenizer") -> "Tokenizer":
    """The same pieces, without the tokens that are matched in a text before it is cut."""
    from tokenizers import Tokenizer

    about = json.loads(whole.to_str())
    return Tokenizer.from_str(json.dumps({**about, "added_tokens": [], "post_processor": None}))


# The message that asks for a rewrite, and the part of a long text that fits into it.

NAMED = re.compile(r"\{([a-z_]+)\}")
NAMES = ("source_style", "target_style", "text")


class Prompt(NamedTuple):
    """The template's parts before and behind the text, with the styles filled in."""

    head: str
    tail: str


def prompt_of(template: str, styles: Sequence[str], where: str = "prompt") -> Prompt:
    """The template filled in for two styles; braces in the styles are data. A UserError where it is no template."""
    for name in NAMED.findall(template):
        if name not in NAMES:
            known = ", ".join(f"{{{one}}}" for one in NAMES)
            raise UserError("There is no {{{name}}}; there are {known}.", name=name, known=known, where=where)
    if template.count("{text}") != 1:
        raise UserError("The prompt needs {text} exactly once: the text to rewrite.", where=where)
    values = dict(zip(NAMES, styles, strict=False))
    head, tail = (NAMED.sub(lambda found: values[found[1]], part) for part in template.split("{text}"))
    return Prompt(head, tail)


def prompt_ids(chat: ChatTokenizer, prompt: Prompt, text: str, most: int = 0) -> list[int]:
    """The ids of a chat that asks for the rewrite; a text that is too long is cut to fit into `most` ids.

    A UserError where the prompt alone fills them. With `most` of 0 nothing is cut.
    """
    ids = chat.prompt(f"{prompt.head}{text.strip()}{prompt.tail}".strip())
    if not most or len(ids) <= most:
        return ids
    return chat.shortened(prompt.head.lstrip(), text.strip(), prompt.tail.rstrip(), most)
