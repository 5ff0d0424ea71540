"""A thing in a notebook: its name as a link, and facts about it. All texts are escaped."""

from collections.abc import Mapping
from html import escape
from typing import Any

from restyle.frames import shown


def facts(title: str, url: str, about: Mapping[str, Any]) -> str:
    rows = "".join(f"<tr><th>{escape(name)}</th><td>{escape(shown(value))}</td></tr>" for name, value in about.items())
    return f'<p><a href="{escape(url)}">{escape(title)}</a></p><table>{rows}</table>'
