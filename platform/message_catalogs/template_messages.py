"""Messages of templates, as Django's own `makemessages` reads them."""

import ast
import re
from collections.abc import Iterator
from pathlib import Path

from django.utils.translation.template import templatize

from message_catalogs.messages import Message

CALL = re.compile(r" (n?p?gettext|_)\(")


def template_messages(source: str, path: str) -> Iterator[Message]:
    """The messages of a template's source."""
    code = templatize(source, origin=path)
    for found in CALL.finditer(code):
        arguments = _arguments(code[found.start() + 1 :])
        line = code.count("\n", 0, found.start()) + 1
        context = arguments.pop(0) if "p" in found[1].removesuffix("gettext") else ""
        yield Message(arguments[0], arguments[1] if found[1][0] == "n" else "", context, (path, line))


def read_template(path: Path, root: Path) -> list[Message]:
    return list(template_messages(path.read_text(encoding="utf-8"), str(path.relative_to(root))))


def _arguments(code: str) -> list[str]:
    """The texts that the call at the beginning of the code is given."""
    end = code.index(")")
    while True:
        try:
            call = ast.parse(code[: end + 1], mode="eval").body
        except SyntaxError:
            end = code.index(")", end + 1)
        else:
            return [one.value for one in getattr(call, "args", []) if isinstance(getattr(one, "value", None), str)]
