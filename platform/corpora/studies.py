"""The rules for the names of a study and its styles."""

import re
import unicodedata
from collections.abc import Iterable, Mapping, Sequence

from django.db import connection
from django.utils.text import get_text_list
from django.utils.translation import gettext as _

from corpora.models import Direction, Study, System
from foundation.errors import UserError, first_five
from foundation.polarity import ends_of_styles


def ends_taken(study: Study) -> str:
    """The meaning of each end in a study that was just made; "" where others were declared, or names say nothing."""
    if not study.poles or study.poles != ends_of_styles(study.styles):
        return ""
    ends = [_("%(end)s means %(style)s") % {"end": end, "style": style} for end, style in study.poles.items()]
    said = _("For scales and metrics, %(ends)s, by the names of the styles; 'Edit the study' changes this.")
    return said % {"ends": get_text_list(ends, _("and"))}


# The names of a study and its styles.

# Letters of Cyrillic and Greek that look like Latin ones, in small letters.
LOOKS = str.maketrans(
    "авекмнорстухіјѕԁԛԝһ" "αβγειηκνορτυχωϲϳ",
    "abekmhopctyxijsdqwh" "abyeinkvoptuxwcj",
)  # fmt: skip
LOCK = 7_114_021  # of PostgreSQL's advisory locks: titles are looked at by one after the other


def check_title(title: str) -> None:
    if not title_key(title) or len(title) > 300:
        raise UserError("A study needs a title of at most 300 characters.", where="title")


def title_key(title: str) -> str:
    """The key under which two titles are confused: case, space, hyphens, and letters that look alike put aside."""
    plain = unicodedata.normalize("NFKC", title).casefold().translate(LOOKS)
    seen = "".join(char for char in plain if unicodedata.category(char) not in {"Cf", "Cc"} or char.isspace())
    return re.sub(r"[\s_\-‐-―]+", " ", seen).strip(" .")


def refuse_confusing(title: str, *, besides: Study | None = None) -> None:
    """Raise UserError where another study has a title that is confused with this one; within a transaction."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(%s)", [LOCK])
    key = title_key(title)
    others = Study.objects.order_by("pk")
    if besides:
        others = others.exclude(pk=besides.pk)
    for other in others.values_list("title", flat=True).iterator():
        if title_key(other) == key:
            raise UserError(
                "A study is already called “{other}”, which is too similar to this title.",
                other=other,
                where="title",
            )


LONGEST_DESCRIPTION = 300


def check_style_descriptions(given: Mapping[str, str], styles: Sequence[str]) -> dict[str, str]:
    """A few words for each style that has some, as they are stored; a UserError where one is no style of the study."""
    for style, words in given.items():
        if style not in styles:
            sentence = "The study has no style '{style}'; it has {styles}."
            raise UserError(sentence, style=style, styles=", ".join(styles), where="style_descriptions")
        if len(words) > LONGEST_DESCRIPTION or "\x00" in words:
            sentence = "A style is described in at most {longest} characters."
            raise UserError(sentence, longest=LONGEST_DESCRIPTION, where=f"style_descriptions.{style}")
    return {style: " ".join(given[style].split()) for style in styles if given.get(style, "").strip()}


def check_style(study: Study, style: str, where: str) -> None:
    """Raise UserError where the style is none of the study's."""
    if style not in study.styles:
        there = ", ".join(study.styles)
        raise UserError("'{style}' is not among the study's styles {styles}.", style=style, styles=there, where=where)


def check_styles(styles: Sequence[str]) -> None:
    """Two styles or more; a direction is named `source-target`, so no style has a hyphen."""
    if len(set(styles)) < 2 or not all(style == style.strip() and style for style in styles):
        raise UserError("A study needs two different styles or more, each with a name.", where="styles")
    if len(set(styles)) < len(styles):
        raise UserError("A style occurs twice.", where="styles")
    if any("-" in style or "/" in style or len(style) > 60 for style in styles):
        raise UserError("The name of a style has at most 60 characters, no hyphen and no slash.", where="styles")


# The directions and systems of a study by their names.


def direction_or_none(study: Study, name: str | None) -> Direction | None:
    """The direction of that name; None where none is named."""
    return direction_named(study, name) if name else None


def direction_named(study: Study, name: str) -> Direction:
    """The direction `source-target`; a UserError lists what there is."""
    there = {direction.name: direction for direction in study.directions.select_related("study")}
    if name not in there:
        raise UserError(
            "There is no direction '{name}'; there are {there}.",
            name=name,
            there=first_five(there) or "none",
            where="direction",
        )
    return there[name]


def systems_named(study: Study, names: Iterable[str], where: str = "systems") -> list[System]:
    """The study's systems of those names, each once."""
    there = {system.name: system for system in study.systems.all()}
    for name in names:
        if name not in there:
            raise UserError("The study has no system '{name}'.", name=name, where=where)
    return [there[name] for name in dict.fromkeys(names)]
