"""A prompt made of a template. Only the names below are filled in, in one pass: braces in texts are data."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from foundation.errors import UserError

SYSTEM = "You rewrite texts in another style and keep their meaning."
MESSAGE = """Rewrite the text from the style "{source_style}" in the style "{target_style}". Keep all that it says, \
add nothing, and answer with the rewritten text alone.

{examples}

Text ({source_style}): {text}
Rewritten ({target_style}):"""
EXAMPLE = """Text ({source_style}): {source}
Rewritten ({target_style}): {target}"""

STYLES = ("source_style", "target_style")
IN_PROMPT = (*STYLES, "text", "examples")
IN_EXAMPLE = (*STYLES, "source", "target")
NAMED = re.compile(r"\{([a-z_]+)\}")
EMPTY_LINES = re.compile(r"\n{3,}")
Messages = list[dict[str, str]]
Pair = tuple[str, str]
"""A source and a rewrite of it."""


@dataclass(frozen=True)
class Template:
    """The system's words ("" for none), the user's message, and how an example in it is written."""

    system: str = SYSTEM
    message: str = MESSAGE
    example: str = EXAMPLE

    def check(self, shots: int) -> None:
        """A UserError where a name in braces is unknown, or the text or the examples have no place."""
        for where, names in (("system", IN_PROMPT), ("message", IN_PROMPT), ("example", IN_EXAMPLE)):
            for name in NAMED.findall(getattr(self, where)):
                if name not in names:
                    known = ", ".join(f"{{{one}}}" for one in names)
                    raise UserError("There is no {{{name}}}; there are {known}.", name=name, known=known, where=where)
        if "{text}" not in self.message:
            raise UserError("The message has no {text}: the model would not see what it rewrites.", where="message")
        if shots and "{examples}" not in self.system + self.message:
            raise UserError("There are examples, and no {examples} where they would stand.", where="message")
        if shots and not all(name in self.example for name in ("{source}", "{target}")):
            raise UserError("An example has a {source} and a {target}.", where="example")

    def messages(self, text: str, styles: Pair, examples: Sequence[Pair]) -> Messages:
        """The chat that asks for the rewrite of `text`."""
        shared = dict(zip(STYLES, styles, strict=True))
        shown = [filled(self.example, {**shared, "source": source, "target": target}) for source, target in examples]
        values = {**shared, "text": text, "examples": "\n\n".join(shown)}
        system, message = self._laid_out(self.system, values), self._laid_out(self.message, values)
        said = [{"role": "system", "content": system}] if system else []
        return [*said, {"role": "user", "content": message}]

    @staticmethod
    def _laid_out(template: str, values: Mapping[str, str]) -> str:
        """Without examples their place is closed up: the template's own empty lines, never those of a text."""
        lines = template.replace("\r\n", "\n")
        if not values["examples"]:
            lines = EMPTY_LINES.sub("\n\n", lines.replace("{examples}", ""))
        return filled(lines, values).strip()


def filled(template: str, values: Mapping[str, str]) -> str:
    """The template with the names that `values` has; all else in it, and all in the values, stays as it is."""
    return NAMED.sub(lambda found: values.get(found[1], found[0]), template)
