"""A report's claims in sentences, and its rankings of metrics, as pages show them."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from django.contrib.humanize.templatetags.humanize import ordinal
from django.utils.text import get_text_list
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from evaluation.comparability.better_ends import metric_named
from evaluation.comparability.order_of_boards import PeoplesBoard, peoples_boards
from evaluation.table_parts.aspects import agrees_best, is_fooled
from evaluation.table_parts.contents import DASH, Cell, interval_text, p_text
from evaluation.views.criterion_words import criterion_in_sentence, label_of_criterion
from evaluation.views.localized_numbers import localized, number_cell
from evaluation.views.table_words import said_metric
from foundation.translation import grouped, isolated
from jobs.stored_sentences import in_readers_language

# Metrics by their agreement with people, as the page of trust shows them: numbers in words, places in a picture.

WIDE, EDGE = 320, 14  # of the picture of a row, and what it keeps free at both ends
Json = Mapping[str, Any]


@dataclass(frozen=True)
class Axis:
    """Agreement laid over the picture, from `start` to 1; `ticks` are places with their words."""

    start: float

    def at(self, value: float) -> float:
        return round(EDGE + (max(value, self.start) - self.start) / (1 - self.start) * (WIDE - 2 * EDGE), 1)

    @property
    def zero(self) -> float:
        return self.at(0)

    @property
    def ticks(self) -> list[tuple[float, str]]:
        steps = round((1 - self.start) / 0.5)
        return [(self.at(1 - 0.5 * step), signed(1 - 0.5 * step, 1)) for step in range(steps, -1, -1)]


@dataclass(frozen=True)
class Row:
    """A metric: its agreement, and where its point and interval stand.

    `leads` marks the first of a group; `p` is against that one. `fooled` names the degenerate baselines that it puts
    above half of the systems. `both` is the interval with systems resampled too, `accuracy` the share of pairs that are
    right and `by_item` the correlation averaged by item. A metric of which neither end is good is not `turned`: its
    agreement stands as it is.
    """

    metric: str
    label: str
    cell: Cell
    group: int | None
    leads: bool
    p: str
    n: int
    turned: bool
    fooled: list[str]
    x: float | None
    low: float | None
    high: float | None
    both: str
    both_low: float | None
    both_high: float | None
    accuracy: str
    held_out: str
    by_item: Cell
    by_system: Cell
    soft: Cell


def axis_of(trust: Json, level: str) -> Axis:
    """One for all criteria, from 0 or below it where an interval begins there."""
    rows = [row for criterion_trust in trust["criteria"].values() for row in criterion_trust[level]]
    lows = [row[key] for row in rows for key in ("low", "value", "both_low") if row.get(key) is not None]
    return Axis(max(-1.0, min(0.0, math.floor(min(lows, default=0.0) * 2) / 2)))


def ranked(criterion_trust: Json, level: str, axis: Axis, foils: Iterable[Json]) -> Iterator[Row]:
    """The rows of one criterion, from the most to the least trustworthy."""
    fooled, groups = fooled_by(foils), set()
    for row in criterion_trust[level]:
        group = row["group"]
        yield _row(row, axis, group is not None and group not in groups, fooled.get(row["metric"], []))
        groups.add(group)


@dataclass(frozen=True)
class BesideRow:
    """A row beside the metrics: how far one rater, or a sentinel, agrees with people; `about` says what it is."""

    label: str
    about: str
    cell: Cell
    n: int
    x: float | None
    low: float | None
    high: float | None


SENTINELS = {
    "source": gettext_noop("Source alone"), "output": gettext_noop("Output alone"),
    "reference": gettext_noop("Reference alone"),
}  # fmt: skip


def beside(criterion_trust: Json, level: str, axis: Axis) -> list[BesideRow]:
    """One rater against the others, and by sentence the sentinels; none of a report of an earlier version."""
    rows = []
    if ceiling := criterion_trust.get("ceiling", {}).get(level):
        rows.append(_beside(_("One rater"), _("against the others: a human ceiling"), ceiling, axis))
    for one in criterion_trust.get("sentinels", []) if level == "sentence" else []:
        rows.append(_beside(_(SENTINELS[one["sees"]]), _("a sentinel, which cannot know quality"), one, axis))
    return rows


def _beside(label: str, about: str, entry: Json, axis: Axis) -> BesideRow:
    x, low, high = (None if entry[key] is None else axis.at(max(-1.0, entry[key])) for key in ("value", "low", "high"))
    return BesideRow(label, about, number_cell(entry), entry["n"], x, low, high)


def leaks(criterion: str, criterion_trust: Json) -> list[str]:
    """A sentence for each sentinel that agrees with people."""
    said = {
        "source": _(
            "The test set leaks: the source alone predicts what people say of %(criterion)s (r = %(r)s, %(low)s to "
            "%(high)s). Over all outputs a metric may agree with people only because it knows which sources are hard; "
            "'By item' compares outputs of one source, where that does not help."
        ),
        "output": _(
            "The test set leaks: the output alone predicts what people say of %(criterion)s (r = %(r)s, %(low)s to "
            "%(high)s). A metric may agree with people here without reading the source."
        ),
        "reference": _(
            "The test set leaks: the reference alone predicts what people say of %(criterion)s (r = %(r)s, %(low)s to "
            "%(high)s). Over all outputs a metric may agree with people without reading them; 'By item' compares "
            "outputs of one reference, where that does not help."
        ),
    }
    return [
        said[one["sees"]]
        % {
            "criterion": criterion_in_sentence(criterion),
            "r": signed(one["value"]),
            "low": signed(one["low"]),
            "high": signed(one["high"]),
        }
        for one in criterion_trust.get("sentinels", [])
        if one["leaks"]
    ]


def turned_round(criterion_trust: Json) -> str:
    """A sentence on the two metrics that pairs right and soft pairs order most differently; "" where they agree."""
    rows = [row for row in criterion_trust["system"] if None not in (row.get("accuracy"), row.get("soft_accuracy"))]
    found = [
        ((first["accuracy"] - second["accuracy"]) * (second["soft_accuracy"] - first["soft_accuracy"]), first, second)
        for first in rows
        for second in rows
        if first["accuracy"] > second["accuracy"] and first["soft_accuracy"] < second["soft_accuracy"]
    ]
    if not found:
        return ""
    _much, first, second = max(found, key=lambda one: one[0])
    said = {
        "first": said_metric(first["metric"]), "second": said_metric(second["metric"]),
        "pairs": signed(first["accuracy"]), "others": signed(second["accuracy"]),
        "soft": signed(first["soft_accuracy"], 3), "softer": signed(second["soft_accuracy"], 3),
    }  # fmt: skip
    sentence = _(
        "'Pairs right' puts %(first)s before %(second)s (%(pairs)s and %(others)s), 'Soft pairs' the other way round "
        "(%(soft)s and %(softer)s): %(first)s orders more pairs of systems as people do, but its p-values are farther "
        "from theirs. It is sure of pairs that people cannot tell apart, or unsure of pairs that they can."
    )
    return sentence % said


def fooled_by(foils: Iterable[Json]) -> dict[str, list[str]]:
    """The labels of the degenerate baselines that fool each metric."""
    fooling: dict[str, list[str]] = {}
    for foil in foils:
        for metric, placing in foil["metrics"].items():
            if is_fooled(placing):
                fooling.setdefault(metric, []).append(foil["label"])
    return fooling


def signed(value: float, digits: int = 2) -> str:
    """A number as people write it, with a minus."""
    return localized(f"{value:z.{digits}f}")


def better_of(row: Json) -> bool | None:
    """The better end of a ranked metric; reports that were made before it was kept have that of the metric."""
    better: bool | None = row.get("better", metric_named(row["metric"]).higher_is_better)
    return better


def _row(row: Json, axis: Axis, leads: bool, fooled: list[str]) -> Row:
    """The values beside the coefficient are not in a report of an earlier version."""
    x, low, high = (None if row[key] is None else axis.at(row[key]) for key in ("value", "low", "high"))
    if low is None or high is None:
        low = high = None
    ends = row.get("both_low"), row.get("both_high")
    both_low, both_high = (None if end is None or None in ends else axis.at(end) for end in ends)
    averaged = [
        number_cell({
            "value": row.get(name), "low": row.get(f"{name}_low"), "high": row.get(f"{name}_high"), "undefined": "",
        })
        for name in ("by_item", "by_system")
    ]  # fmt: skip
    soft = {"value": row.get("soft_accuracy"), "low": None, "high": None, "undefined": row.get("soft_undefined", "")}
    accuracy, held_out = row.get("accuracy"), row.get("accuracy_held_out")
    return Row(
        row["metric"], said_metric(row["metric"]), number_cell(row, best=agrees_best(row)), row["group"], leads,
        _p(row["p"]), row["n"], better_of(row) is not None, fooled, x, low, high,
        localized(interval_text(*ends, 2)), both_low, both_high, "" if accuracy is None else signed(accuracy),
        "" if held_out is None else signed(held_out),
        averaged[0], averaged[1], number_cell(soft),
    )  # fmt: skip


def _p(value: float | None) -> str:
    return DASH if value is None else localized(p_text(value).removeprefix("p ").removeprefix("= "))


# A report's claims in sentences that can be quoted: who leads, which metric to trust, and what fools metrics.

NAMED = 4  # of more metrics that do not differ, only the first is named
FEW_OUTPUTS, FEW_SYSTEMS = 100, 10


def trusted(criterion: str, criterion_trust: Json, level: str) -> str:
    """The metric that agrees best with people on a criterion, with the basis of that claim."""
    valued = [row for row in criterion_trust[level] if row["value"] is not None]
    begin = _("For %(criterion)s, by sentence") if level == "sentence" else _("For %(criterion)s, by system")
    claim = _claim(valued) if valued else _no_value(criterion_trust[level])
    parts = {
        "begin": begin % {"criterion": criterion_in_sentence(criterion)},
        "claim": claim,
        "basis": _basis(criterion_trust, valued, level),
    }
    return _("%(begin)s, %(claim)s; on %(basis)s.") % parts


def caveats(criterion_trust: Json, level: str) -> list[str]:
    """The caveats of the claim, a sentence each."""
    valued = [row for row in criterion_trust[level] if row["value"] is not None]
    points = max((row["n"] for row in valued), default=0)
    said = []
    if level == "system" and 0 < points < FEW_SYSTEMS:
        said.append(
            ngettext(
                "This number rests on %(n)s system: take it as a hint.",
                "This number rests on %(n)s systems: take it as a hint.",
                points,
            )
            % {"n": points}
        )
    if criterion_trust["outputs"] < FEW_OUTPUTS:
        said.append(_("Few outputs were judged, so more judgements may change the order."))
    if criterion_trust["raters"] == 1:
        said.append(_("One person judged, so the metrics agree with this person alone."))
    elif level == "sentence" and criterion_trust["judgements"] < 1.5 * criterion_trust["outputs"]:
        said.append(_("Most outputs have one judgement, so one judge's mistakes lower every number."))
    if level == "system" and valued and valued[0].get("both_low") is not None:
        said.append(_drawn_too(valued[0]))
    uneven = criterion_trust.get("uneven")
    if level == "system" and valued and uneven and "compared" in uneven:  # which a report of before does not say
        said.append(_judged_unevenly(uneven))
    if narrowest := criterion_trust.get("narrowest", {}).get(level):
        name = said_metric(narrowest)
        said.append(
            _("Metrics are compared over the outputs that all of them scored: %(name)s scored the fewest.")
            % {"name": name}
        )
    if valued and valued[0]["low"] is None and valued[0]["undefined"]:
        said.append(in_readers_language(valued[0]["undefined"]))
    if unsigned := [row["metric"] for row in valued if row["group"] == 1 and better_of(row) is None]:
        names = _listed([isolated(said_metric(name)) for name in unsigned])
        said.append(_("Neither end of %(names)s is the better one, so the number keeps its sign.") % {"names": names})
    if needed := criterion_trust.get("needed", {}).get(level):
        said.append(_needed(needed, level))
    if valued and all(row["group"] == 1 for row in valued) and len(valued) > 1:
        said.append(_("No metric agrees significantly less than the first, so the order alone says little."))
    return said


def _needed(needed: Json, level: str) -> str:
    """How many sources or systems would tell the first two metrics apart."""
    names = {"first": isolated(said_metric(needed["first"])), "second": isolated(said_metric(needed["second"]))}
    if needed["n"] is None:
        return _("No number of texts is known that would tell %(first)s from %(second)s.") % names
    given = {**names, "n": grouped(needed["n"])}
    if level == "system":
        return _("About %(n)s systems would tell %(first)s from %(second)s, four times of five.") % given
    return _("About %(n)s sources would tell %(first)s from %(second)s, four times of five.") % given


def leading(criterion: str, board: Json) -> str:
    """The leaders of a board; "" where no system has a value."""
    criterion = criterion_in_sentence(criterion)
    rows = [row for row in board["rows"] if row["cluster"] is not None]
    if not rows:
        apart = any(row.get("unranked") for row in board["rows"])
        said = _("%(criterion)s: no system is best, because no two systems have numbers over the same sentences.")
        return said % {"criterion": criterion} if apart else ""
    if board["better"] is None:
        return _(
            "%(criterion)s: no system is best, because neither end of the scale is the better one. If the scale "
            "measures the study's styles, say on the page Edit the study which styles its ends mean."
        ) % {"criterion": criterion}
    first = [row for row in rows if row["cluster"] == 1]
    names = _listed([isolated(f"{row['system']} ({signed(row['value'])})") for row in first])
    given = {"criterion": criterion, "names": names}
    if len(rows) == 1:
        return _("%(criterion)s: only %(names)s was judged.") % given
    beside = _apart(board)
    given["apart"] = _listed([isolated(f"{row['system']} ({signed(row['value'])})") for row in beside])
    if _may_be_better(beside, first[0], board):
        return (
            _(
                "%(criterion)s: no system is shown to be best: %(names)s first among those judged on the same "
                "sentences, and %(apart)s on too few of them to be compared."
            )
            % given
        )
    if len(first) == len(rows):
        said = _undecided(board, given)
    elif len(first) == 1 and beside:
        said = _("%(criterion)s: %(names)s is best of those judged on the same sentences.") % given
    elif len(first) == 1:
        said = _("%(criterion)s: %(names)s is best, ahead of every other system.") % given
    else:
        said = _("%(criterion)s: %(names)s lead, ahead of the rest.") % given
    return f"{said} {_not_compared() % given}" if beside else said


def _apart(board: Json) -> list[Json]:
    """The systems that have a value and are not ranked: they were judged on too few of the sentences of the others."""
    return [row for row in board["rows"] if row.get("unranked") and row["value"] is not None]


def _may_be_better(apart: Sequence[Json], leader: Json, board: Json) -> bool:
    """Whether one that is not ranked has a value as good as the leader's, so that there is no best one."""
    sign = -1 if board["better"] is False else 1
    return any(sign * row["value"] >= sign * leader["value"] for row in apart)


def _not_compared() -> str:
    return _("Judged on too few of the same sentences to be compared: %(apart)s.")


def _undecided(board: Json, given: dict[str, str]) -> str:
    """A report of an earlier version does not say how many judgements are lacking."""
    if (more := board.get("more")) is None:
        return _("%(criterion)s: undecided between %(names)s.") % given
    said = ngettext(
        "%(criterion)s: undecided between %(names)s; telling the first two apart needs about %(more)s more judgement.",
        "%(criterion)s: undecided between %(names)s; telling the first two apart needs about %(more)s more judgements.",
        more,
    )
    return said % {**given, "more": grouped(more)}


@dataclass(frozen=True)
class Standing:
    """A system by one criterion: its value, and `lead`: "best" alone, "tied" with others that lead, or ""."""

    system: str
    text: str
    lead: str


@dataclass(frozen=True)
class InShort:
    """A criterion in a row: each system, whether it is decided which is best, and the metric that agrees with people.

    `verdict` is "decided", "tied" (some lead together), "undecided" or "none"; `more` says about how many judgements
    would decide, `why` why nothing is. `is_main`: it is the criterion of a frozen plan's main comparison. `metric` is
    "" where none was compared; `shown` whether its agreement is more than chance, and `others` how many do not differ.
    """

    label: str
    is_main: bool
    better: bool | None
    standings: Sequence[Standing]
    verdict: str
    more: str
    why: str
    metric: str
    agreement: str
    shown: bool
    others: int
    basis: str


IN_SHORT = 8  # systems; of more those are shown that are first by the first row


def in_short(content: Json) -> tuple[list[str], list[InShort]]:
    """The systems in the order of the first row, and a row for each board of people, the one that orders them first."""
    boards = content.get("leaderboard")
    if boards is None:
        return [], []
    judged = [of for of in peoples_boards(boards) if any(_is_ranked(row) for row in of.board["rows"])]
    order = [row["system"] for of in judged for row in of.board["rows"] if _is_ranked(row)]
    systems = list(dict.fromkeys(order))[:IN_SHORT]
    trust = (content.get("trust") or {"criteria": {}})["criteria"]
    return systems, [_in_short(of, systems, trust.get(of.name) if of.kind == "criteria" else None) for of in judged]


def _label_of(of: PeoplesBoard) -> str:
    if of.kind == "combined":
        return _("Combined")
    return label_of_criterion(of.name) if of.kind == "criteria" else of.name


def _is_ranked(row: Json) -> bool:
    return row["role"] == "system" and row["value"] is not None


def _in_short(of: PeoplesBoard, systems: Sequence[str], criterion_trust: Json | None) -> InShort:
    board = of.board
    by_name = {row["system"]: row for row in board["rows"] if _is_ranked(row)}
    first = [row for row in by_name.values() if row["cluster"] == 1]
    ranked_rows = [row for row in by_name.values() if row["cluster"] is not None]
    verdict, more, why, apart = "none", "", "", _apart(board)
    names = {"apart": _listed([isolated(row["system"]) for row in apart])}
    if board["better"] is None:
        why = _("neither end of the scale is the better one")
    elif len(ranked_rows) < 2:
        why = _("fewer than two systems were judged on the same sentences")
    elif _may_be_better(apart, ranked_rows[0], board):
        why = _not_compared() % names
    elif len(first) == len(ranked_rows):
        verdict = "undecided"
        if board.get("more") is None:
            why = _("how many more judgements it needs cannot be estimated")
        else:
            more = _more(board["more"])
    else:
        verdict = "decided" if len(first) == 1 else "tied"
        why = _not_compared() % names if apart else ""
    lead = {"decided": "best", "tied": "tied"}.get(verdict, "")
    standings = [
        Standing(name, signed(by_name[name]["value"]) if name in by_name else DASH,
                 lead if name in by_name and by_name[name]["cluster"] == 1 else "")
        for name in systems
    ]  # fmt: skip
    return InShort(
        _label_of(of), of.is_main, board["better"], standings, verdict, more, why, **_agreeing(criterion_trust)
    )


def _more(more: int) -> str:
    said = ngettext("needs about %(more)s more judgement", "needs about %(more)s more judgements", more)
    return said % {"more": grouped(more)}


def _agreeing(criterion_trust: Json | None) -> dict[str, Any]:
    valued = [row for row in (criterion_trust or {"sentence": []})["sentence"] if row["value"] is not None]
    if criterion_trust is None or not valued:
        return {"metric": "", "agreement": "", "shown": False, "others": 0, "basis": ""}
    first = valued[0]
    return {
        "metric": said_metric(first["metric"]),
        "agreement": signed(first["value"]),
        "shown": first["value"] > 0 and (first["low"] is None or first["low"] > 0),
        "others": sum(row["group"] == 1 for row in valued[1:]),
        "basis": _basis(criterion_trust, valued, "sentence"),
    }


def fooled(foil: Json) -> tuple[list[tuple[str, str, int]], list[str]]:
    """The metrics that a degenerate baseline fools, with its place among how many; and those that it does not."""
    placed = [(said_metric(name), placing) for name, placing in foil["metrics"].items() if placing["place"] is not None]
    placed.sort(key=lambda pair: pair[1]["place"])
    liked = [(label, str(ordinal(placing["place"])), placing["of"]) for label, placing in placed if is_fooled(placing)]
    return liked, [label for label, placing in placed if not is_fooled(placing)]


def seen_by(family: str, metrics: Mapping[str, Json]) -> tuple[list[str], list[str]]:
    """The metrics that are shown to prefer unharmed texts to those of a family more often than not; and the others."""
    by_metric = {said_metric(name): of[family] for name, of in metrics.items() if of[family]["share"] is not None}
    seeing = [label for label, found in by_metric.items() if found["low"] > 0.5]
    return seeing, [label for label in by_metric if label not in seeing]


def _claim(valued: Sequence[Json]) -> str:
    first = valued[0]
    best = [row for row in valued if row["group"] == 1]
    if first["value"] <= 0 or (first["low"] is not None and first["low"] <= 0):
        return _("no metric is shown to agree with people: the best is %(metric)s (r = %(value)s)") % _with_interval(
            first
        )
    if 1 < len(best) <= NAMED and all(row["low"] is None or row["low"] > 0 for row in best):
        names = _listed([isolated(said_metric(row["metric"])) for row in best])
        given = {"names": names, "values": _listed([signed(row["value"]) for row in best])}
        return _("%(names)s agree best with people (r = %(values)s; they do not differ significantly)") % given
    claim = _("%(metric)s agrees best with people (r = %(value)s)") % _with_interval(first)
    others = len(best) - 1
    if not others:
        return claim
    more = ngettext(
        "%(claim)s, and %(n)s other metric does not differ significantly from it",
        "%(claim)s, and %(n)s other metrics do not differ significantly from it",
        others,
    )
    return more % {"claim": claim, "n": others}


def _drawn_too(row: Json) -> str:
    """How sure the best is, were it asked of other systems."""
    ends = {"metric": said_metric(row["metric"]), "low": signed(row["both_low"]), "high": signed(row["both_high"])}
    return (
        _(
            "The interval holds for these systems. For other systems like them, r of %(metric)s may be %(low)s "
            "to %(high)s."
        )
        % ends
    )


def _judged_unevenly(uneven: Json) -> str:
    """The sentence on how systems judged on different sentences are made comparable."""
    said = _(
        "Systems were judged on different texts: all of them on only %(shared)s of %(judged)s. So "
        "%(compared)s of %(systems)s systems are compared by values fitted to the differences of each two "
        "systems over the texts that both have; easy texts favour no system."
    )
    return said % {key: grouped(uneven[key]) for key in ("shared", "judged", "compared", "systems")}


def _no_value(rows: Sequence[Json]) -> str:
    if not rows:
        return _("there is no metric to rank")
    return _("no metric can be ranked (%(why)s)") % {"why": in_readers_language(rows[0]["undefined"]).rstrip(".。")}


def _with_interval(row: Json) -> dict[str, str]:
    value = signed(row["value"])
    if row["low"] is not None and row["high"] is not None:
        ends = {"value": value, "low": signed(row["low"]), "high": signed(row["high"])}
        value = _("%(value)s, 95%% interval %(low)s to %(high)s") % ends
    return {"metric": said_metric(row["metric"]), "value": value}


def _basis(criterion_trust: Json, valued: Sequence[Json], level: str) -> str:
    counted = [
        ngettext("%(n)s judgement", "%(n)s judgements", criterion_trust["judgements"])
        % {"n": grouped(criterion_trust["judgements"])},
        ngettext("of %(n)s output", "of %(n)s outputs", criterion_trust["outputs"])
        % {"n": grouped(criterion_trust["outputs"])},
    ]
    if level == "system" and valued:
        points = max(row["n"] for row in valued)
        counted.append(ngettext("of %(n)s system", "of %(n)s systems", points) % {"n": grouped(points)})
    counted.append(
        ngettext("by %(n)s person", "by %(n)s people", criterion_trust["raters"])
        % {"n": grouped(criterion_trust["raters"])}
    )
    return " ".join(counted)


def _listed(words: list[str]) -> str:
    return get_text_list(words, _("and"))
