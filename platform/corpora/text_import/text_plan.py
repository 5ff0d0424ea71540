"""Gathered texts as a plan: counted, asked about, and written through the actions that add them."""

from collections import Counter
from collections.abc import Iterator
from typing import Any

from django.db.models import Max
from django.utils.translation import ngettext

from corpora.actions.add_references import add_references
from corpora.actions.add_sources import add_sources
from corpora.actions.add_system import add_system
from corpora.database import copy_rows
from corpora.models import Output, Reference
from corpora.splits import HELD_FROM, HeldOut
from corpora.splits import left_out_message as sentence_about
from corpora.table_import.row_grouping import DirectionRows, GroupedRows
from corpora.table_import.targets import Plan
from corpora.table_parser import Note, RowProblems
from corpora.table_parser.column_names import is_unnamed
from foundation.errors import first_five
from foundation.text_keys import text_key
from foundation.translation import translatable, translate


def plan_texts(given: GroupedRows) -> Plan:
    """The plan of an import of the gathered rows."""
    plan = Plan()
    plan.numbers.append(("Rows read", given.rows))
    _ask_rows(plan, given)
    plan.notes += given.notes
    incoming = _Incoming(plan, given)
    plan.numbers += incoming.numbers()
    if not incoming.anything:
        plan.nothing = "Nothing in the table is new; all of it is there already, or is left out."
    plan.write = incoming.write
    return plan


def _ask_rows(plan: Plan, given: GroupedRows) -> None:
    if given.has_zero:
        plan.ask(
            given.answers, "from_zero", translate("The numbers of the sources begin at 0, and sources count from 1."),
            ("first", translatable("0 is the first source, and each number means the next source")),
            ("none", translatable("A number means the source of that number; row 0 has none")),
        )  # fmt: skip
    if given.unusable.count:
        plan.numbers.append((translatable("Rows that cannot come in"), given.unusable.count))
        plan.ask(
            given.answers,
            "unusable",
            unusable_rows_message(given.unusable),
            ("leave_out", translatable("Leave these rows out")),
        )
    if given.doubled:
        plan.ask(
            given.answers, "doubled",
            ngettext("{n} row has the source of an earlier row.", "{n} rows have the source of an earlier row.",
                     given.doubled).format(n=f"{given.doubled:,}"),
            ("once", translatable("Take each source once; further references of it go into further sets")),
            ("each", translatable("Each row is a source of its own")),
        )  # fmt: skip
    there = sum(len(lane.met) for lane in given.lanes.values())
    if there and given.by["source"]:
        choices = [
            ("skip", translatable("Leave these rows out")),
            ("again", translatable("Add them again, as sources of their own")),
        ]
        if given.has_texts:
            choices.insert(0, ("match", translatable("Their references and outputs go to the sources that are there")))
        plan.ask(
            given.answers,
            "there",
            ngettext("{n} source is there already.", "{n} sources are there already.", there).format(n=f"{there:,}"),
            *choices,
        )
    if given.empty_references:
        plan.ask(
            given.answers, "empty_references",
            ngettext("{count} sentence has no text in a column of references.",
                     "{count} sentences have no text in a column of references.",
                     given.empty_references).format(count=f"{given.empty_references:,}"),
            ("leave_out", translatable("These sentences have no reference")),
            ("keep", translatable("Their rewrite belongs to another sentence of their document")),
        )  # fmt: skip
    if given.unmatched.count:
        plan.ask(
            given.answers, "new", unusable_rows_message(given.unmatched),
            ("add", translatable("Add them as new sources")), ("leave_out", translatable("Leave these rows out")),
        )  # fmt: skip


def unusable_rows_message(rows: RowProblems) -> str:
    """The rows and why, in a sentence."""
    parts = [
        translate("{reason} (line {lines})", reason=reason, lines=first_five(places))
        for reason, places in rows.lines.items()
    ]
    shown = "; ".join(parts[:3]) + (translate("; and more") if len(parts) > 3 else "")
    return ngettext("{n} row: {why}.", "{n} rows: {why}.", rows.count).format(n=f"{rows.count:,}", why=shown)


def _by_split(lane: DirectionRows) -> dict[str, list[tuple[int, list[str]]]]:
    """By split, the place of each new source with its text and its references."""
    found: dict[str, list[tuple[int, list[str]]]] = {}
    for number, one in enumerate(lane.new, 1):
        own = [kept[-number] for kept in lane.references.values() if kept.get(-number)]
        found.setdefault(one.split, []).append((-number, [one.text, *own]))
    return found


class _Incoming:
    """The rows that come in, without those that are there already."""

    def __init__(self, plan: Plan, given: GroupedRows) -> None:
        self.plan, self.given = plan, given
        self.systems = {system.name: system for system in given.study.systems.all()}
        self.references_there = self.outputs_there = 0
        self.held: Counter[str] = Counter()
        self._hold_out()
        for lane in given.lanes.values():
            self._take_away_references(lane)
            self._take_away_outputs(lane)
        self._ask()

    @property
    def anything(self) -> bool:
        return any(lane.new_count or any(lane.references.values()) or any(lane.outputs.values())
                   for lane in self.given.lanes.values())  # fmt: skip

    def numbers(self) -> Iterator[tuple[str, int]]:
        lanes = self.given.lanes.values()
        if self.given.by["source"]:
            yield translatable("New sources"), sum(lane.new_count for lane in lanes)
            if there := sum(len(lane.met) for lane in lanes):
                yield translatable("Sources that the study already has"), there
        for kind, label in (
            ("references", translatable("References, {name}")), ("outputs", translatable("Outputs of {name}")),
        ):  # fmt: skip
            yield from ((translate(label, name=name), count) for name, count in self._counts(kind).items())

    def _counts(self, kind: str) -> Counter[str]:
        """The texts of a kind, references or outputs, by the name of their set or system."""
        counts: Counter[str] = Counter()
        for lane in self.given.lanes.values():
            for name, texts in getattr(lane, kind).items():
                counts[name] += len(texts)
        return counts

    def _hold_out(self) -> None:
        """Leave out sources held out of training, with references and outputs; the table's own tests count too."""
        lanes = self.given.lanes.values()
        if all(one.split not in HELD_FROM for lane in lanes for one in lane.new):
            return
        held = HeldOut(self.given.study)
        rows = {lane.direction.name: _by_split(lane) for lane in lanes}
        keeps = self.given.answers.get("held") == "keep"
        for by_split in rows.values():
            for split, own in by_split.items():
                held.add(split, [text for _, texts in own for text in texts])
        for lane in lanes:
            for split, own in rows[lane.direction.name].items():
                self._leave_out(lane, held, split, own, keeps)
        if self.held:
            self.plan.numbers.append(("Sources that are held out", 0 if keeps else self.held.total()))
            if not keeps:
                self.plan.notes.append(Note(sentence_about(self.held, "sources")))
            self.plan.ask(
                {"held": "leave_out", **self.given.answers}, "held",
                ngettext("{count} source for training or tuning is also in the test split.",
                         "{count} sources for training or tuning are also in the test split.",
                         self.held.total()).format(count=f"{self.held.total():,}"),
                ("leave_out", translatable("Leave them out")), ("keep", translatable("Import them anyway")),
            )  # fmt: skip

    def _leave_out(
        self, lane: DirectionRows, held: HeldOut, split: str, own: list[tuple[int, list[str]]], keeps: bool
    ) -> None:
        found = iter(held.places(split, [text for _, texts in own for text in texts]))
        for place, texts in own:
            where = next(filter(None, [next(found) for _ in texts]), "")
            if where:
                self.held[where] += 1
                if not keeps:
                    lane.held.add(place)
        for kept in (*lane.references.values(), *lane.outputs.values()):
            for place in lane.held & kept.keys():
                del kept[place]

    def _take_away_references(self, lane: DirectionRows) -> None:
        """Take away references that are there word for word, unless they are wanted again."""
        if not lane.references or not lane.numbers:
            return
        rows = Reference.objects.filter(sentence__direction=lane.direction).values_list("sentence_id", "text")
        known = {(pk, text_key(text)) for pk, text in rows}
        for name, texts in lane.references.items():
            twice = [place for place, text in texts.items() if (place, text_key(text)) in known]
            self.references_there += len(twice)
            if self.given.answers.get("references_there") != "again":
                lane.references[name] = {place: text for place, text in texts.items() if place not in set(twice)}
        lane.references = {name: texts for name, texts in lane.references.items() if texts}

    def _take_away_outputs(self, lane: DirectionRows) -> None:
        """Take away the outputs of systems of the study for sources that have one already."""
        for name, texts in lane.outputs.items():
            if name in self.systems and texts:
                rows = Output.objects.filter(system=self.systems[name], sentence__direction=lane.direction)
                known = set(rows.values_list("sentence_id", flat=True))
                self.outputs_there += sum(place in known for place in texts)
                lane.outputs[name] = {place: text for place, text in texts.items() if place not in known}

    def _ask(self) -> None:
        answers, plan = self.given.answers, self.plan
        if self.references_there:
            plan.ask(answers, "references_there",
                     ngettext("{n} reference is there word for word.", "{n} references are there word for word.",
                              self.references_there).format(n=f"{self.references_there:,}"),
                     ("skip", translatable("Leave them out")),
                     ("again", translatable("Add them again, in a set of their own")))  # fmt: skip
        old = [name for name in self._names() if name in self.systems]
        if old:
            sentence = translate(
                "The study has these systems already: {names}; {n} of these sources have an output of them.",
                names=first_five(old), n=f"{self.outputs_there:,}",
            )  # fmt: skip
            plan.ask(answers, "systems_there", sentence,
                     ("fill", translatable("Keep those outputs, and add those that are missing")))  # fmt: skip
        if lacking := list(self._lacking()):
            choices = [("allow", translatable("These sources stay without one"))]
            if any(places - lane.outputs[name].keys() for lane, name, places in self._empty()):
                choices.append(("empty", translatable("An empty cell is an empty output: shown and scored as one")))
            plan.ask(
                answers,
                "missing",
                translate("Without an output will be: {names}.", names=first_five(lacking)),
                *choices,
            )
        if answers.get("missing") == "empty":
            for lane, name, places in self._empty():
                lane.outputs[name] = {**dict.fromkeys(sorted(places), ""), **lane.outputs[name]}

    def _empty(self) -> Iterator[tuple[DirectionRows, str, set[int]]]:
        """The sources whose cell of a system is empty, less those that have an output of it or are held out."""
        for lane in self.given.lanes.values():
            for name, places in lane.empty.items():
                there = set(self.systems[name].outputs.values_list("sentence_id", flat=True)) if (
                    name in self.systems) else set()  # fmt: skip
                yield lane, name, places - there - lane.held

    def _names(self) -> list[str]:
        return list(dict.fromkeys(name for lane in self.given.lanes.values() for name in lane.outputs))

    def _lacking(self) -> Iterator[str]:
        for lane in self.given.lanes.values():
            for name, texts in lane.outputs.items():
                there = 0
                if name in self.systems:
                    there = self.systems[name].outputs.filter(sentence__direction=lane.direction).count()
                count = lane.size - len(texts) - there
                if count and (texts or name not in self.systems):
                    yield translate(
                        "{n} of {all} sources of {direction} ({system})", n=f"{count:,}", all=f"{lane.size:,}",
                        direction=lane.direction.name, system=name,
                    )  # fmt: skip

    def write(self, by: Any) -> str:
        lanes = self.given.lanes.values()
        keys = {lane.direction.name: self._sources(lane) for lane in lanes}
        for lane in lanes:
            self._references(lane, keys[lane.direction.name])
        self._outputs(keys, by)
        new = sum(lane.new_count for lane in lanes) if self.given.by["source"] else 0
        parts = [ngettext("{n} new source", "{n} new sources", new).format(n=f"{new:,}")] if new else []
        for name, count in self._counts("references").items():
            said = ngettext("{n} reference, {name}", "{n} references, {name}", count)
            parts += [said.format(n=f"{count:,}", name=name)] * bool(count)
        for name, count in self._counts("outputs").items():
            said = ngettext("{n} output of {name}", "{n} outputs of {name}", count)
            parts += [said.format(n=f"{count:,}", name=name)] * bool(count)
        return translate("In are now: {what}.", what="; ".join(parts))

    def _sources(self, lane: DirectionRows) -> dict[int, int]:
        """Add the new sources; the key of each place, in the order of the direction."""
        coming = [(-number, row) for number, row in enumerate(lane.new, 1) if -number not in lane.held]
        added: dict[int, int] = {}
        if coming:
            texts, splits, domains, origins = zip(*(row for _, row in coming), strict=True)
            holds = self.given.answers.get("held") != "keep"
            last = lane.direction.sentences.aggregate(last=Max("number"))["last"] or 0
            left = add_sources(
                direction=lane.direction, texts=texts, split=splits, domain=domains, origins=origins, hold_out=holds
            ).left_out
            rows = lane.direction.sentences.filter(number__gt=last).order_by("number").values_list("pk", flat=True)
            places = [place for number, (place, _) in enumerate(coming) if number not in left]
            added = dict(zip(places, rows, strict=True))
        return {pk: pk for pk in lane.numbers.values()} | added

    def _references(self, lane: DirectionRows, keys: dict[int, int]) -> None:
        marks = "brackets" if self.given.settings.get("brackets") else ""
        sets = {name: texts for name, texts in lane.references.items() if texts}
        given_origin = self.given.settings.get("origin", "")
        for name, texts in sets.items():
            aligned = [texts.get(place) for place in keys]
            is_named = sets.keys() > {name} or not is_unnamed(name)
            origin = given_origin or (f"{self.given.table.name}: {name}" if is_named else self.given.table.name)
            keeps = self.given.answers.get("empty_references") == "keep"
            add_references(
                direction=lane.direction, texts=aligned, origin=origin[:200], marks=marks, keep_empty=keeps
            )  # fmt: skip

    def _outputs(self, keys: dict[str, dict[int, int]], by: Any) -> None:
        lanes, allows = self.given.lanes.values(), self.given.answers.get("missing") in ("allow", "empty")
        for name in self._names():
            own = [lane for lane in lanes if lane.outputs.get(name)]
            if name in self.systems:
                system = self.systems[name]
                rows = ((system.pk, keys[lane.direction.name][place], text)
                        for lane in own for place, text in lane.outputs[name].items())  # fmt: skip
                copy_rows(Output, ["system", "sentence", "text"], rows)
                if own and allows and not system.allows_missing:
                    system.allows_missing = True
                    system.save(update_fields=["allows_missing"])
            elif own:
                add_system(
                    study=self.given.study, name=name,
                    origin=(self.given.settings.get("origin") or self.given.table.name)[:200],
                    outputs={lane.direction: [lane.outputs[name].get(place) for place in keys[lane.direction.name]]
                             for lane in own},
                    is_human=bool(self.given.settings.get("human")),
                    allows_missing=allows, family=self.given.settings.get("family", ""), by=by,
                )  # fmt: skip
