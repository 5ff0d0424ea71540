"""The parts that each page has and shows seldom: dialogs, notices of answers that wait, the sentences of scripts.

They are the same for everybody who reads the same language. So no page sends them: pages name a script by its digest,
which browsers keep and which puts them into the page before the page's own scripts run. Without scripts none of them is
shown.
"""

import json
import re
from functools import cache
from hashlib import sha256

from django.conf import settings
from django.template.loader import render_to_string
from django.urls import get_script_prefix
from django.utils import translation

PLACE = "parts/"
NAME = re.compile(r"/parts/([a-z-]+)\.([0-9a-f]{12})\.js")
SCRIPT = """\
if (document.body.dataset.person) document.querySelector(".page").insertAdjacentHTML("beforebegin", {waiting});
document.body.insertAdjacentHTML("beforeend", {dialogs});
"""


def parts_address() -> str:
    """Where the parts in the language of this page are."""
    prefix = get_script_prefix()
    language = translation.get_language() or settings.LANGUAGE_CODE
    return f"{prefix}{PLACE}{language}.{_parts(language, prefix)[0]}.js"


def parts_at(path: str) -> tuple[str, bool] | None:
    """The script for that address (below the site's own path), and whether it is the one that was named; None: there is
    no such address. A page of another version, before or after an upgrade, gets the one of this version.
    """
    found = NAME.fullmatch(path)
    if found is None or found[1] not in dict(settings.LANGUAGES):
        return None
    digest, script = _parts(found[1], get_script_prefix())
    return script, digest == found[2]


@cache
def _parts(language: str, _prefix: str) -> tuple[str, str]:
    """The digest and the script; below another path the addresses in it are others."""
    with translation.override(language):
        html = {name: render_to_string(f"parts/once/{name}.html") for name in ("waiting", "dialogs")}
    script = SCRIPT.format(**{name: json.dumps(text, ensure_ascii=False) for name, text in html.items()})
    return sha256(script.encode()).hexdigest()[:12], script
