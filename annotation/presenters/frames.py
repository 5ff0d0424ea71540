"""HTML that is the same for many items but for some words: rendered once, and kept with holes for those words.

Rendering it for each item took half of the time that the web server spent on a submission (`docs/speed.md`). A page
keeps the frames that it was sent, too (`js/annotation/frames.js`), and is sent nothing but the words from then on.
"""

import re
import secrets
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from hashlib import sha256
from typing import Any

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString

# Nobody can write a hole into a text, since nobody knows this process's word for one.
_WORD = f"hole{secrets.token_hex(12)}x"
_HOLE = re.compile(rf"{_WORD}(\w+?){_WORD}")


def hole(name: str) -> SafeString:
    """What a template is given in place of a value that differs between items. It may only show it."""
    return SafeString(f"{_WORD}{name}{_WORD}")


class Frame:
    """A rendered template with holes; its name is the same in all processes."""

    def __init__(self, html: str) -> None:
        pieces = _HOLE.split(html)  # every second one is the name of a hole
        self.texts, self._holes = pieces[::2], pieces[1::2]
        self.name = sha256("\0".join(self.texts).encode()).hexdigest()[:16]

    def filled(self, values: Mapping[str, Any]) -> "Filled":
        """With these values in its holes, escaped as a template does."""
        return Filled(self, [_escaped(values[name]) for name in self._holes])


@dataclass(slots=True)
class Filled:
    """A frame, and what stands in its holes: HTML, or another frame with its own."""

    frame: Frame
    values: "list[str | Filled]"

    @property
    def html(self) -> SafeString:
        pieces = self.frame.texts * 2
        pieces[::2] = self.frame.texts
        pieces[1::2] = [*(value if isinstance(value, str) else value.html for value in self.values), ""]
        return SafeString("".join(pieces))

    def told(self, known: Collection[str]) -> dict[str, Any]:
        """For a page that knows some frames already: what the item is made of, and the frames that are new to it."""
        frames: dict[str, list[str]] = {}
        return {"item": self._told(known, frames), "frames": frames}

    def _told(self, known: Collection[str], frames: dict[str, list[str]]) -> dict[str, Any]:
        if self.frame.name not in known:
            frames[self.frame.name] = self.frame.texts
        values = [value if isinstance(value, str) else value._told(known, frames) for value in self.values]
        return {"frame": self.frame.name, "values": values}


def _escaped(value: Any) -> "str | Filled":
    return value if type(value) in (SafeString, Filled) else conditional_escape(value)
