"""The prompt of a judge: of one output on a scale, or of two outputs side by side."""

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass

from annotation.rating_scales import Scale
from foundation.errors import UserError
from modelserving.prompting.template import NAMED, Messages, filled

SYSTEM = "You judge rewritten texts strictly and briefly."
ON_SCALE = """A text in the style "{source_style}" was rewritten in the style "{target_style}".

Original: {source}
Rewritten: {output}

Question: {criterion}
Scale: {scale}

Answer with the value alone."""
OF_PAIR = """A text in the style "{source_style}" was rewritten twice in the style "{target_style}".

Original: {source}
A: {first}
B: {second}

Question: which of the two is better on this: {criterion}

Answer with A or B, or with TIE where neither is better."""
SHARED = ("source_style", "target_style", "source", "reference", "criterion", "scale")
USUAL = {"scale": ON_SCALE, "pairs": OF_PAIR}
PLACES = {"scale": ("output",), "pairs": ("first", "second")}
"""What a message has to hold, by the way of judging."""


@dataclass(frozen=True)
class JudgePrompt:
    """The words of the system ("" for none) and of the user; names in braces are filled in, all else stays."""

    system: str
    message: str
    way: str

    @property
    def version(self) -> str:
        """The first twelve digits of the SHA-256 of its texts: equal prompts have equal versions."""
        texts = [text.replace("\r\n", "\n") for text in (self.system, self.message)]
        return hashlib.sha256(json.dumps(texts, ensure_ascii=True).encode()).hexdigest()[:12]

    def check(self) -> None:
        """Raise a UserError where a name in braces is unknown, or a judged text has no place."""
        known = (*SHARED, *PLACES[self.way])
        for where, text in (("system", self.system), ("message", self.message)):
            for name in NAMED.findall(text):
                if name not in known:
                    there = ", ".join(f"{{{one}}}" for one in known)
                    raise UserError("There is no {{{name}}}; there are {known}.", name=name, known=there, where=where)
        for name in PLACES[self.way]:
            if f"{{{name}}}" not in self.message:
                raise UserError(
                    "The message has no {{{name}}}, so the judge would not see what it judges.", name=name,
                    where="message",
                )  # fmt: skip

    @property
    def asks_reference(self) -> bool:
        return "{reference}" in self.message

    def messages(self, values: Mapping[str, str]) -> Messages:
        """The chat that asks for one judgement."""
        said = filled(self.system.replace("\r\n", "\n"), values).strip()
        asked = filled(self.message.replace("\r\n", "\n"), values).strip()
        return [*([{"role": "system", "content": said}] if said else []), {"role": "user", "content": asked}]


def in_words(scale: Scale) -> str:
    """'1 = not fluent, 2 = ..., 5 = fluent'; of a range its ends and anchors, as '0 = nothing ... 100 = all'."""
    parts = [f"{level.value} = {level.label}" if level.label != str(level.value) else str(level.value)
             for level in scale.levels]  # fmt: skip
    return " ... ".join(parts) if scale.kind == "range" else ", ".join(parts)
