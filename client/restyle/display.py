"""A thing in a notebook: its name as a link, and facts about it, escaped; and an import in one line."""

from collections.abc import Mapping
from html import escape
from typing import Any

from restyle.frames import shown


def facts(title: str, url: str, about: Mapping[str, Any]) -> str:
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(shown(value))}</td></tr>" for name, value in about.items())
    return f'<p><a href="{escape(url)}">{escape(title)}</a></p><table>{rows}</table>'


class Imported(dict[str, Any]):
    """The answer to an import (`types.Brought`), which says in one line what came in, or what would."""

    def __repr__(self) -> str:
        if self["brought"]:
            return f"<import: {self['brought']}>"
        waiting = sum(not one["answer"] for one in self["questions"])
        said = self["nothing"] or ", ".join(f"{name} {count:,}" for name, count in self["numbers"].items() if count)
        return f"<import, nothing is in yet: {said or 'no rows'}; questions {waiting}, notes {len(self['notes'])}>"
