"""What can be wrong in a translation by rule: it is missing, a guess, or its places are not those of the message."""

import re
from collections.abc import Sequence

from babel.messages import Catalog, Message

PLACE = re.compile(r"%\([a-zA-Z_]\w*\)[sd]|%[sd](?![a-zA-Z])|\{[^{}\s]*\}|%%")
TAG = re.compile(r"</?[a-z]+")


def untranslated(catalog: Catalog) -> list[str]:
    """The messages without a translation, or with one that is marked as a guess."""
    return [_first(message) for message in catalog if message.id and (not all(_strings(message)) or message.fuzzy)]


def misplaced(catalog: Catalog) -> list[str]:
    """The messages whose translation has other places, or other tags, than they have.

    A form for one or two may leave the number out.
    """
    return [_first(message) for message in catalog if message.id and not _fits(message)]


def _fits(message: Message) -> bool:
    *few, most = _strings(message)
    wanted = message.id if isinstance(message.id, str) else message.id[1]
    return (
        sorted(PLACE.findall(most)) == sorted(PLACE.findall(wanted))
        and sorted(TAG.findall(most)) == sorted(TAG.findall(wanted))
        and all(set(PLACE.findall(one)) <= set(PLACE.findall(wanted)) for one in few)
    )


def _strings(message: Message) -> Sequence[str]:
    return [message.string] if isinstance(message.string, str) else list(message.string or [""])


def _first(message: Message) -> str:
    return message.id if isinstance(message.id, str) else message.id[0]
