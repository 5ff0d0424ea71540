"""The message that asks for a rewrite, and how much of a long text it takes."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from foundation.errors import UserError
from modelserving.adapters.chat import ChatTokenizer

NAMED = re.compile(r"\{([a-z_]+)\}")
NAMES = ("source_style", "target_style", "text")


class Prompt(NamedTuple):
    """What stands before and behind the text, the styles filled in."""

    head: str
    tail: str


def prompt_of(template: str, styles: Sequence[str], where: str = "prompt") -> Prompt:
    """The template for two styles; braces in the styles are data. A UserError where it is none."""
    for name in NAMED.findall(template):
        if name not in NAMES:
            known = ", ".join(f"{{{one}}}" for one in NAMES)
            raise UserError("There is no {{{name}}}; there are {known}.", name=name, known=known, where=where)
    if template.count("{text}") != 1:
        raise UserError("The prompt has one {text}: what is to be rewritten.", where=where)
    values = dict(zip(NAMES, styles, strict=False))
    head, tail = (NAMED.sub(lambda found: values[found[1]], part) for part in template.split("{text}"))
    return Prompt(head, tail)


def prompt_ids(chat: ChatTokenizer, prompt: Prompt, text: str, most: int = 0) -> list[int]:
    """The ids of a chat that asks for the rewrite; of a text that is too long as much as `most` ids have room for.

    A UserError where the prompt alone fills them. With `most` of 0 nothing is cut.
    """
    ids = chat.prompt(f"{prompt.head}{text.strip()}{prompt.tail}".strip())
    if not most or len(ids) <= most:
        return ids
    return chat.shortened(prompt.head.lstrip(), text.strip(), prompt.tail.rstrip(), most)
