"""Parts of the work page that are the same for many items: rendered once for equal arguments, and kept.

Rendering them took a third of the time that the web server spent on a submission (`docs/speed.md`).
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from itertools import count
from typing import Any

from django.template import Context, Library
from django.template.loader import render_to_string
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext

from annotation.models import Campaign
from annotation.presenters.markdown import guideline_html
from annotation.presenters.work import is_usual, usual_item, usual_texts
from annotation.progress.label_counts import label_counts as counts_of
from annotation.progress.own_progress import as_data
from annotation.scales import SCALES
from annotation.shipped_texts import shown
from annotation.text_marks import Piece, pieces
from foundation.word_diff import is_mostly_other, word_diff

register = Library()
A_LINE = 60  # characters that are read at a glance, be they all struck out
NOTES = count(1)  # a note's id is met once in a page, whatever it is put together from
MARK = '<mark class="concept" tabindex="0" aria-describedby="{id}">{text}{note}</mark>'
NOTE = '<span class="concept-note" role="tooltip" id="{id}" dir="auto">{note}</span>'


@register.simple_tag
def judged_text(text: str) -> str:
    """A text that is judged; for an empty one the remark that it is."""
    return text or format_html("<em>{}</em>", gettext("(empty: nothing was written)"))


@register.simple_tag(takes_context=True)
def work_item(context: Context) -> SafeString:
    """The item in the person's hands, with its form."""
    shows_messages = not context.get("no_messages") and context.get("messages")
    told = _included(context, "parts/messages.html") if shows_messages else SafeString("")
    shown = _included(context, context["template"])
    if is_usual(context):
        # Only a whole page works without scripts, and then its form holds the token against forged requests.
        csrf = "" if context["request"].htmx else context.get("csrf_token")
        return usual_item(context, shown, told=told, csrf=csrf).html
    with context.push(told=told, shown=shown, numbers=as_data(context.get("progress"))):
        return _included(context, "annotation/work/_item.html")


@register.simple_tag(takes_context=True)
def rated_texts(context: Context, item: Mapping[str, Any], error: Any) -> SafeString:
    """The texts of `Rate.present` with the scales of each."""
    study = getattr(context.get("request"), "study", None)
    usual = None if error else usual_texts(item, study.language if study else "")
    return _included(context, "annotation/work/_rate.html") if usual is None else usual.html


def _included(context: Context, template: str) -> SafeString:
    """The template in this context, as `include` has it."""
    assert context.template is not None
    return context.template.engine.get_template(template).render(context)


@register.simple_tag
def rating(field: dict[str, Any], error: Any, judged: str, place: int) -> SafeString:
    """The scale of one field of `Rate.present`; framed where the `error` is its.

    It is about the text whose element has the id `judged`: the one at this place, or the only one where that is 0.
    """
    criterion = field["criterion"]
    wrong = bool(error) and error.where == field["name"]
    return _rating(
        get_language(),
        field["name"],
        shown(criterion["label"]),
        criterion["help"],
        criterion["optional"],
        criterion["scale"],
        field["value"],
        wrong,
        judged,
        place,
    )


@register.simple_tag
def judged_id(stage: int, place: int) -> str:
    """The id of a text that is rated, which stands once in each stage."""
    return f"judged-{stage}-{place}"


@register.simple_tag
def acts(base: str, report: Mapping[str, str] | None = None) -> SafeString:
    """The buttons below an item, for the work page at `base`; `report` is an unfinished report that was not taken."""
    if report:
        return render_to_string("annotation/work/_acts.html", {"base": base, "report": report})
    return _acts(get_language(), base)


register.filter("shown", shown)


@register.filter
def scale_label(name: str) -> str:
    """The label of a scale; its bare name if this installation no longer has it."""
    return gettext(SCALES[name].label) if name in SCALES else name


@register.filter
def markdown(text: str) -> SafeString:
    """A guideline's Markdown as HTML."""
    return guideline_html(text)


@register.simple_tag
def marked(text: str, concepts: Iterable[Mapping[str, Any]]) -> SafeString:
    """The text with its concepts highlighted; the lay definition of each is read on hover and focus."""
    return format_html_join(
        "", "{}", ((_mark(piece) if piece.concept else piece.text,) for piece in pieces(text, concepts))
    )


def _mark(piece: Piece) -> SafeString:
    if not piece.note:
        return format_html('<mark class="concept">{}</mark>', piece.text)
    name = f"concept-{next(NOTES)}"
    return format_html(MARK, id=name, text=piece.text, note=format_html(NOTE, id=name, note=piece.note))


@register.inclusion_tag("annotation/work/products/_diff.html")
def diffed(before: str, after: str) -> dict[str, Any]:
    """The changes of a text against another, by words, unless nearly all of it changed."""
    pieces = word_diff(before, after)
    return {"pieces": pieces, "same": before == after, "is_mostly_other": is_mostly_other(pieces, longer_than=A_LINE)}


@register.inclusion_tag("annotation/_label_counts.html")
def label_counts(campaign: Campaign) -> dict[str, Any]:
    """How often each label was given in a campaign that labels; nothing for others."""
    counts = counts_of(campaign)
    if counts is None:
        return {"counts": None}
    names = [name for name, _ in counts.columns]
    rows = [(label, list(zip(cells, names, strict=True))) for label, cells in counts.rows]
    return {"counts": {"columns": counts.columns, "rows": rows}}


@lru_cache(maxsize=2000)
def _rating(
    _language: str | None,
    name: str,
    label: str,
    help: str,
    optional: bool,
    scale: str,
    value: Any,
    wrong: bool,
    judged: str,
    place: int,
) -> SafeString:
    given = {"name": name, "label": label, "help": help, "optional": optional, "value": value, "wrong": wrong}
    given |= {"judged": judged, "place": place}
    template = "annotation/work/_slider.html" if SCALES[scale].kind == "range" else "annotation/work/_rating.html"
    return render_to_string(template, {**given, "levels": SCALES[scale].shown, "step": SCALES[scale].step})


@register.filter
def marks_said(product: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The words of each mark of a gold row of marks, with what they are marked as."""
    texts = {"source": product["source"], "output": product["text"]}
    return [
        (texts[mark["side"]][mark["start"] : mark["end"]],
         ", ".join(filter(None, (shown(mark["kind"].rpartition("/")[2]), shown(mark["severity"]), mark["reason"]))))
        for mark in product["marks"]
    ]  # fmt: skip


@lru_cache(maxsize=200)
def _acts(_language: str | None, base: str) -> SafeString:
    return render_to_string("annotation/work/_acts.html", {"base": base})
