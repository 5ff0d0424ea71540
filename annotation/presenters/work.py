"""The parts of an item on the page of work: its frame, target style, draft and versions, and why there is none."""

import re
import secrets
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from types import SimpleNamespace
from typing import Any

from django.contrib.messages import get_messages
from django.template import Context
from django.template.loader import get_template, render_to_string
from django.utils.html import conditional_escape
from django.utils.safestring import SafeString
from django.utils.translation import get_language, gettext_noop
from django.utils.translation import gettext as _

from annotation.engine.assignment_queue import Claim, Reason
from annotation.engine.drafts import is_begun
from annotation.models import Answer, Assignment, Item
from annotation.progress.own_progress import as_data
from annotation.task_types import TASK_TYPES, TaskType
from corpora.models import Direction
from evaluation.metrics import METRICS, MetricInput


def draft_feedback(assignment_or_answer: Assignment | Answer, form: Mapping[str, str]) -> dict[str, Any]:
    """Whether the draft is `begun`, `readability` before and after, and what the kind of work `proposed`, if any."""
    kind, content, settings = (
        TASK_TYPES[assignment_or_answer.campaign.task_type],
        assignment_or_answer.item.content,
        assignment_or_answer.campaign.settings,
    )
    answer = kind.restored(kind.partial(form, content, settings), assignment_or_answer.order)
    texts, proposed = kind.texts(answer, content), kind.proposes(answer, content, settings)
    feedback: dict[str, Any] = {"begun": _is_begun(assignment_or_answer, answer)}
    if texts:
        feedback["readability"] = readability(*texts)
    return {**feedback, "proposed": proposed} if proposed else feedback


def _is_begun(assignment_or_answer: Assignment | Answer, draft: dict[str, Any]) -> bool:
    if isinstance(assignment_or_answer, Answer):
        return draft != assignment_or_answer.content
    campaign = assignment_or_answer.campaign
    return is_begun(
        TASK_TYPES[campaign.task_type],
        draft,
        assignment_or_answer.item.content,
        campaign.settings,
        assignment_or_answer.order,
    )


def readability(before: str, after: str) -> dict[str, float | None]:
    """The Flesch-Kincaid grade of both texts, to a tenth; None for a text without words."""
    return {"before": _grade(before), "after": _grade(after)}


def _grade(text: str) -> float | None:
    scores = METRICS["fkgl"].score(MetricInput([], [text], []))
    return round(float(scores.sentences[0]), 1) if scores.details["words"] else None


IDLE_MESSAGES = {
    Reason.FINISHED: (gettext_noop("All items are done"), gettext_noop("This campaign is finished. Thank you.")),
    Reason.YOURS_DONE: (
        gettext_noop("You have done all items that you can do here"),
        gettext_noop("Other people must answer the remaining items. Thank you."),
    ),
    Reason.LEASED: (
        gettext_noop("Other people have the remaining items"),
        gettext_noop(
            "Other people are working on the last items. Come back later: you get the items that they give back."
        ),
    ),
    Reason.HELD: (
        gettext_noop("The remaining items wait for a reviewer"),
        gettext_noop("Somebody reported a problem with the last items. Come back when a reviewer has decided."),
    ),
    Reason.WAITING: (
        gettext_noop("Nothing to do at the moment"),
        gettext_noop("This work starts after other work that is not finished yet. Come back later."),
    ),
    Reason.NOT_QUALIFIED: (
        gettext_noop("This campaign is for other roles"),
        gettext_noop("Your role in this study has no access to this campaign. Ask the study's researchers."),
    ),
    Reason.LEFT: (
        gettext_noop("You have finished here"),
        gettext_noop("You have your code, so there is no more work for you here. Thank you."),
    ),
    Reason.QUOTA: (
        gettext_noop("You have done your part"),
        gettext_noop("You have done as many items as one person may do here. Thank you."),
    ),
    Reason.DAY_FULL: (
        gettext_noop("Enough for today"),
        gettext_noop("You have done as many items as one person may do in a day. Come back tomorrow."),
    ),
    Reason.PAUSED_YOU: (
        gettext_noop("Your work here is paused"),
        gettext_noop("Read what the reviewers wrote about your answers. A researcher can let you continue."),
    ),
    Reason.NOT_PASSED: (
        gettext_noop("Not passed"),
        gettext_noop("You have done all items. Reload this page to begin another try, if you have one left."),
    ),
    Reason.DRAFT: (gettext_noop("Not open yet"), gettext_noop("This campaign has not been started.")),
    Reason.PAUSED: (gettext_noop("Paused"), gettext_noop("This campaign is paused. Your answers are safe.")),
    Reason.ARCHIVED: (
        gettext_noop("Archived"),
        gettext_noop("The study of this campaign is archived, so there is no work in it. Your answers are safe."),
    ),
    Reason.CLOSED: (gettext_noop("Closed"), gettext_noop("This campaign is closed. Thank you for your work.")),
}


LEARNED = (
    gettext_noop("You have done all of this training"),
    gettext_noop("The work that it prepares for appears on the page My work when you may begin it."),
)
UNMET = (
    gettext_noop("You do not meet a requirement yet"),
    gettext_noop("You cannot work here yet, for this reason:"),
)


def idle_message(claim: Claim) -> dict[str, Any]:
    """The title and the text of an empty queue, with the sentences that say more of it."""
    reason = claim.reason or Reason.FINISHED
    title, text = UNMET if reason == Reason.NOT_QUALIFIED and claim.sentences else IDLE_MESSAGES[reason]
    if reason == Reason.YOURS_DONE and not claim.context.is_work:
        title, text = LEARNED
    return {"name": reason.value, "title": _(title), "text": _(text), "sentences": claim.sentences}


def target_style(
    kind: TaskType, settings: Mapping[str, Any], target: str | None, descriptions: Mapping[str, str]
) -> dict[str, Any] | None:
    """`name` and `description` ("" where none) of the style, and whether texts in it are to be `written`.

    None where it is not known, or where the kind of work must not name it.
    """
    if not target or not kind.names_target(settings):
        return None
    return {"name": target, "description": descriptions.get(target, ""), "written": kind.writes_target}


def target_of(item: Item) -> str | None:
    """The style that the item goes to, as the queue gives it with an item in somebody's hands."""
    if item.sentence_id:
        return Direction.objects.filter(sentences=item.sentence_id).values_list("target_style", flat=True).first()
    own = Direction.objects.filter(study=item.campaign.study_id)
    chosen = list((own.filter(pk=item.campaign.direction_id) if item.campaign.direction_id else own)[:2])
    return chosen[0].target_style if len(chosen) == 1 else None


def two_versions(
    kind: TaskType, content: Any, settings: Any, order: Sequence[int], here: Mapping[str, Any], there: Mapping[str, Any]
) -> dict[str, list[str]]:
    """The lines of `here` and `there`, two drafts or answers as they are stored, without those that both have."""
    said = {name: _lines(kind, dict(one), content, order) for name, one in (("here", here), ("there", there))}
    both = set(said["here"]) & set(said["there"])
    return {name: [line for line in lines if line not in both] for name, lines in said.items()}


def _lines(kind: TaskType, said: dict[str, Any], content: Any, order: Sequence[int]) -> list[str]:
    """Lines: first the text that the answer writes, where it writes one; then all that it holds, place by place."""
    texts = kind.texts(said, content)
    written = [texts[1]] if texts and texts[1].strip() else []
    rest = [line for line, value in _named_values(kind.arranged(said, order)) if value not in written]
    return written + rest


def _named_values(value: Any, name: str = "") -> Iterator[tuple[str, str]]:
    """Each value with its name as a line, and the value alone; empty ones are left out."""
    if isinstance(value, Mapping):
        for key, part in value.items():
            yield from _named_values(part, f"{name} {key}".strip())
    elif isinstance(value, list):
        for place, part in enumerate(value, 1):
            yield from _named_values(part, f"{name} {place}".strip())
    elif value not in ("", None, False):
        yield f"{name}: {value}" if value is not True else name, str(value)


# Nobody can write a hole into a text, since nobody knows this process's word for one.
_WORD = f"hole{secrets.token_hex(12)}x"
_HOLE = re.compile(rf"{_WORD}(\w+?){_WORD}")


def hole(name: str) -> SafeString:
    """The stand-in for a value that differs between items. A template may only show it."""
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
        """The parts of the item, and the frames that are new, for a page that knows some frames already."""
        frames: dict[str, list[str]] = {}
        return {"item": self._told(known, frames), "frames": frames}

    def _told(self, known: Collection[str], frames: dict[str, list[str]]) -> dict[str, Any]:
        if self.frame.name not in known:
            frames[self.frame.name] = self.frame.texts
        values = [value if isinstance(value, str) else value._told(known, frames) for value in self.values]
        return {"frame": self.frame.name, "values": values}


def _escaped(value: Any) -> "str | Filled":
    return value if type(value) in (SafeString, Filled) else conditional_escape(value)


# The values that the form depends on; the rest differs from item to item, or concerns few.
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
    """The texts of `Rate.present` in this language, each with its scales; None where some are rated or empty."""
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
