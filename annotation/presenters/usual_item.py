"""An item in somebody's hands as HTML, where nothing is to be said but what is said of every item.

Its form, and the scales of texts that are rated, are rendered once for what they depend on (`presenters/frames.py`).
"""

from collections.abc import Mapping
from functools import lru_cache
from types import SimpleNamespace
from typing import Any

from django.contrib.messages import get_messages
from django.template import Context
from django.template.loader import get_template, render_to_string
from django.utils.safestring import SafeString
from django.utils.translation import get_language

from annotation.presenters.frames import Filled, Frame, hole
from annotation.presenters.progress_data import as_data

# What the form depends on; the rest differs from item to item, or is said of few.
OF_FORM = ("base", "quick", "submits_at_once", "guideline_version", "begun", "did", "may_undo", "has_ahead")
OF_FEW = ("error", "versions", "report", "preview", "expect_url")
RATING = "annotation/work/rate.html"


def usual_fragment(request: Any, page: Mapping[str, Any]) -> Filled | None:
    """`fragment.html` of what `views.work.fields` gives; None where there is more to say, or no item."""
    if not page.get("work") or page.get("feedback") or not is_usual(page) or len(get_messages(request)):
        return None
    shown = usual_texts(page["item"], request.study.language) if page["template"] == RATING else None
    return usual_item(page, _shown(request, page) if shown is None else shown)


def _shown(request: Any, page: Mapping[str, Any]) -> SafeString:
    """The item by the template of its kind of work. By the request inner templates, too, know the texts' language."""
    context = Context({**page, "request": request})
    context.request = request  # type: ignore[attr-defined]
    return get_template(page["template"]).template.render(context)  # type: ignore[attr-defined]


def is_usual(page: Any) -> bool:
    return not any(page.get(name) for name in OF_FEW)


def usual_item(page: Any, shown: SafeString | Filled, *, told: SafeString | None = None, csrf: Any = "") -> Filled:
    """`_item.html` for a page or its context, with the item as its kind of work shows it, and with messages."""
    work, target = page["work"], page.get("target")
    form = tuple(page.get(name) for name in OF_FORM)
    frame = _form(get_language(), form, tuple(target.items()) if target else None, bool(csrf))
    values = {"shown": shown, "told": told or "", "csrf": csrf, "numbers": as_data(page.get("progress"))}
    own = {"slot": page["slot"], "number": page["number"], "key": page["key"]}
    own |= {"lease": work.lease, "version": work.draft_version, "seconds": work.draft_seconds}
    return frame.filled(values | {name: SafeString(value) for name, value in own.items()})


@lru_cache(maxsize=500)
def _form(
    _language: str | None, form: tuple[Any, ...], target: tuple[tuple[str, Any], ...] | None, has_token: bool
) -> Frame:
    page = dict(zip(OF_FORM, form, strict=True)) | {"target": dict(target) if target else None}
    page |= {name: hole(name) for name in ("numbers", "told", "shown", "slot", "number", "key")}
    page |= {"work": SimpleNamespace(lease=hole("lease"), draft_version=hole("version"), draft_seconds=hole("seconds"))}
    page |= {"csrf_token": hole("csrf")} if has_token else {}
    return Frame(render_to_string("annotation/work/_item.html", page))


def usual_texts(item: Mapping[str, Any], language: str) -> Filled | None:
    """The texts of `Rate.present` in this language with the scales of each; None where some are rated or empty."""
    rows = [row for group in item["groups"] for row in group["rows"]]
    if any(not row["text"] or any(field["value"] is not None for field in row["fields"]) for row in rows):
        return None
    shape = tuple(
        (group["beside"], tuple((row["place"], tuple(map(_key_of, row["fields"]))) for row in group["rows"]))
        for group in item["groups"]
    )
    values = {f"text{row['place']}": row["text"] for row in rows} | {"source": item["source"]}
    values |= {f"reference{place}": text for place, text in enumerate(item["references"])}
    scales = _scales(get_language(), language, bool(item["source"]), len(item["references"]), shape)
    return scales.filled(values)


@lru_cache(maxsize=500)
def _scales(_language: str | None, language: str, has_source: bool, references: int, shape: tuple[Any, ...]) -> Frame:
    item: dict[str, Any] = {"source": hole("source") if has_source else ""}
    item["references"] = [hole(f"reference{place}") for place in range(references)]
    item["groups"] = [
        {
            "beside": beside,
            "rows": [
                {"place": place, "text": hole(f"text{place}"), "fields": list(map(_field_of, keys))}
                for place, keys in rows
            ],
        }
        for beside, rows in shape
    ]
    request = SimpleNamespace(study=SimpleNamespace(language=language))
    return Frame(render_to_string("annotation/work/_rate.html", {"item": item, "request": request}))


def _key_of(field: Mapping[str, Any]) -> tuple[Any, ...]:
    criterion = field["criterion"]
    return field["name"], criterion["label"], criterion["help"], criterion["optional"], criterion["scale"]


def _field_of(key: tuple[Any, ...]) -> dict[str, Any]:
    name, label, help, optional, scale = key
    criterion = {"label": label, "help": help, "optional": optional, "scale": scale}
    return {"name": name, "criterion": criterion, "value": None}
