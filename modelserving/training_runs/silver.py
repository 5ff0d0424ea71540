"""Silver pairs: train sources, or lines of a file, with what a model wrote for them. They are trained on, never gold.

They stay the outputs of their system or run: no reference, release or metric has them. A training takes those that pass
its filters, behind the pairs that people wrote, and says so wherever it is shown.
"""

import json
import math
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

from django.db.models.fields.files import FieldFile

from corpora.models import Direction, Output, Sentence, Study, System
from corpora.splits import HeldOut
from evaluation.learned_scorers.training_material import TrainingMaterial
from evaluation.metrics import METRICS, MetricInput
from foundation.errors import UserError
from foundation.options import check_given, complete, list_options, option
from jobs.models import Job
from modelserving import artifacts
from modelserving.models import Checkpoint, TrainingRun, TransferRun
from modelserving.outside_services import StudyContext, refuse_outside
from modelserving.ready_models import devices_for, trained_model
from modelserving.training.dataset import FILE, TrainingData, read_dataset
from modelserving.transfer import TRANSFERS, Transfer

TRAIN = Sentence.Split.TRAIN
AT_HAND = frozenset({"sources", "styles", "texts"})
THRESHOLD = re.compile(r"(\w+)\s*(<=|>=)\s*(-?\d+(?:\.\d+)?)")
AT_ONCE = 256
LONGEST_NAME = 230  # of a run: its file's, and its number
RUN = re.compile(r"(?:.*\()?run (\d{1,18})\)?", re.DOTALL)
PAIRS_OF = "silver"  # the key of data.json that counts them


@dataclass(frozen=True)
class SilverOptions:
    """The system or run whose outputs are silver pairs, and what these have to pass."""

    system: str = option(
        "", "A model's system of this study, or a run over a file (run 12), whose outputs become pairs to train on; "
        "empty for none",
        label="Silver pairs of the system or run", characters=LONGEST_NAME, suggestions="systems",
    )  # fmt: skip
    terms: bool = option(False, "The terms of the model that wrote them allow a training on its outputs")
    filters: str = option(
        "", "Bounds that a pair has to pass, one per line: a metric of the output and a number, such as pinc >= 20",
        lines=True, characters=1_000,
    )  # fmt: skip
    round_trip: str = option(
        "", "Checkpoint of the other direction that writes each output back; empty for no round trip",
        characters=120, suggestions="back",
    )  # fmt: skip
    round_trip_chrf: float = option(40.0, "chrF between what comes back and the source, at least", low=0, high=100)
    alone: bool = option(False, "Train on silver pairs alone, without those that people wrote")


@dataclass(frozen=True)
class Teacher:
    """A system of the study, or a run over a file, by its name, with the model that wrote its outputs (`origin`)."""

    name: str
    origin: str
    source: System | TransferRun

    @property
    def job(self) -> Job | None:
        """The job that writes the outputs."""
        if isinstance(self.source, TransferRun):
            return self.source.job
        run = TransferRun.objects.filter(system=self.source).select_related("job").first()
        return run.job if run else None

    def pairs(self, direction: Direction) -> Iterator[tuple[str, str]]:
        """The train sources of the direction, or the lines of the file, each with its output, in order."""
        if isinstance(self.source, System):
            found = Output.objects.filter(system=self.source, sentence__direction=direction, sentence__split=TRAIN)
            yield from found.order_by("sentence__number").values_list("sentence__text", "text").iterator()
        elif self.source.direction_id == direction.pk and self.source.result:
            yield from zip(_lines(self.source.file), _lines(self.source.result), strict=True)


def teachers(study: Study, most: int) -> list[Teacher]:
    """The systems of models and the runs over files of the study, newest first, at most so many of each."""
    runs = study.transfer_runs.filter(system=None).select_related("study", "job", "checkpoint", "training")
    systems = study.systems.filter(is_human=False).order_by("-pk")[:most]
    return [*(Teacher(one.name, one.origin, one) for one in systems), *map(_of_run, runs.order_by("-pk")[:most])]


def teacher_named(study: Study, name: str) -> Teacher | None:
    """The system of that name, or the run that it names by its number; None where there is neither."""
    if system := study.systems.filter(name=name.strip()).first():
        return Teacher(system.name, system.origin, system)
    found = RUN.fullmatch(name.strip())
    runs = study.transfer_runs.filter(system=None, pk=int(found[1])) if found else TransferRun.objects.none()
    run = runs.select_related("job", "checkpoint", "training").first()
    return _of_run(run) if run else None


def _of_run(run: TransferRun) -> Teacher:
    trained = trained_model(run.study, run.checkpoint, None if run.checkpoint else run.training)
    return Teacher(f"{run.file_name} (run {run.pk})", trained.origin if trained else f"model {run.model}", run)


def _lines(file: FieldFile) -> Iterator[str]:
    """The lines of a file in storage, as `transfer_runs` reads and writes them."""
    with file.open("rb") as stream:
        for line in stream:
            yield line.decode().rstrip("\r\n")


@dataclass(frozen=True)
class Threshold:
    """A bound of a metric's scores of pairs."""

    metric: str
    sign: str
    value: float

    def passes(self, score: float) -> bool:
        """Whether a score passes; one that is undefined does not."""
        return score >= self.value if self.sign == ">=" else score <= self.value

    def __str__(self) -> str:
        return f"{self.metric} {self.sign} {self.value:g}"


def read_filters(text: str) -> list[Threshold]:
    """The thresholds in the text, a line each; a UserError names the line."""
    found = []
    for number, line in enumerate(text.splitlines(), 1):
        if not line.strip():
            continue
        parts, where = THRESHOLD.fullmatch(line.strip()), f"silver.filters, line {number}"
        if parts is None:
            raise UserError("Expected a metric, >= or <=, and a number.", where=where)
        if parts[1] not in METRICS:
            raise UserError("There is no metric '{name}'.", name=parts[1][:60], where=where)
        metric = METRICS[parts[1]]
        if lacks := sorted(metric.needs - AT_HAND):
            raise UserError(
                "{label} cannot filter: it needs {needs}.", label=metric.label, needs=", ".join(lacks), where=where
            )
        if why := metric.unavailable():
            raise UserError(why, where=where)
        found.append(Threshold(parts[1], parts[2], float(parts[3])))
    return found


def check_silver(
    kind: Transfer, study: Study, direction: Direction | None, given: Mapping[str, Any]
) -> tuple[dict[str, Any], Teacher | None]:
    """The stored form of what was chosen, {} for no silver pairs, and their writer; a UserError says what is wrong."""
    check_given(SilverOptions, given, "silver.")
    chosen = complete(SilverOptions, given, "silver.")
    if not chosen["system"].strip():
        return {}, None
    if kind.needs != "parallel" or direction is None:
        raise UserError("{label} does not learn from pairs.", label=kind.label, where="silver.system")
    if study.unit == Study.Unit.DOCUMENT:
        raise UserError("Silver pairs are of sentences, and this study is of documents.", where="silver.system")
    teacher = teacher_named(study, chosen["system"])
    if teacher is None:
        raise UserError("The study has no system '{name}'.", name=chosen["system"], where="silver.system")
    if isinstance(teacher.source, System) and teacher.source.is_human:
        raise UserError(
            "People wrote the outputs of {name}: they are no machine's.", name=teacher.name, where="silver.system"
        )
    if not chosen["terms"]:
        raise UserError(
            "Look whether the terms of the model that wrote the outputs allow a training on them, and say so.",
            where="silver.terms",
        )
    filters = read_filters(chosen["filters"])
    chosen["filters"] = "\n".join(map(str, filters))
    if chosen["round_trip"]:
        refuse_outside(study, *_back(study, direction, chosen["round_trip"]))
    return chosen | {"system": teacher.name, "origin": teacher.origin}, teacher


def run_awaited(teacher: Teacher, direction: Direction) -> Job | None:
    """The job that still writes the outputs; a UserError where there are none, and none come."""
    job, run = teacher.job, teacher.source
    if isinstance(run, TransferRun) and run.direction_id != direction.pk:
        raise UserError("{name} is not of the direction {direction}.", name=teacher.name, direction=direction.name,
                        where="silver.system")  # fmt: skip
    if job and not job.is_over:
        return job
    if next(teacher.pairs(direction), None) is None:
        raise UserError("{name} has no output for a train source.", name=teacher.name, where="silver.system")
    return None


def _back(study: Study, direction: Direction, name: str) -> tuple[Transfer, Checkpoint]:
    """The model that writes outputs back."""
    checkpoint = study.checkpoints.filter(name=name).order_by("-made_at", "-pk").first()
    where = "silver.round_trip"
    if checkpoint is None or checkpoint.model not in TRANSFERS:
        raise UserError("The study has no checkpoint '{name}'.", name=name, where=where)
    way = direction.target_style, direction.source_style
    if checkpoint.directions and way not in checkpoint.directions:
        raise UserError("It was not trained for {way}.", way=" to ".join(way), where=where)
    return TRANSFERS[checkpoint.model], checkpoint


def add_silver(run: TrainingRun, folder: Path, say: Callable[[str], None], step: Callable[[], None]) -> TrainingData:
    """Write the silver pairs of the run behind the pairs of its dataset snapshot, and read that anew.

    A UserError where the system is gone, or no pair passes and there are no others.
    """
    data, chosen = read_dataset(folder), run.silver
    assert run.direction is not None
    teacher = teacher_named(run.study, chosen["system"])
    if teacher is None:
        raise UserError("The study no longer has a system '{name}'.", name=chosen["system"], where="silver.system")
    pairs = list(dict.fromkeys(_pairs(run.study, teacher, run.direction)))
    written, left = len(pairs), dict[str, int]()
    for threshold in read_filters(chosen["filters"]):
        step()
        scores = _scores(threshold.metric, pairs, data)
        kept = [pair for pair, score in zip(pairs, scores, strict=True) if threshold.passes(score)]
        left[str(threshold)], pairs = len(pairs) - len(kept), kept
    if chosen["round_trip"]:
        kept = _come_back(run, run.direction, pairs, step)
        left[f"round trip chrF >= {chosen['round_trip_chrf']:g}"], pairs = len(pairs) - len(kept), kept
    people = 0 if chosen["alone"] else len(data.train)
    say(f"{len(pairs):,} of {written:,} machine-made pairs of {teacher.name} are trained on{_of_these(left)}.")
    if not pairs and not people:
        raise UserError("No output of {name} is left to train on.", name=teacher.name, where="silver.system")
    _write(folder, pairs, "w" if chosen["alone"] else "a", marked=(folder / "train.marked").exists())
    run.silver = {**chosen, "kept": len(pairs), "written": written, "left": left}
    return read_dataset(folder)


def _of_these(left: Mapping[str, int]) -> str:
    told = ", ".join(f"{number:,} by {name}" for name, number in left.items())
    return f" (left out: {told})" if told else ""


def _pairs(study: Study, teacher: Teacher, direction: Direction) -> Iterator[tuple[str, str]]:
    """The pairs with both texts, in order, without those that are held out."""
    rows = teacher.pairs(direction)
    made = ((_line(source), _line(text)) for source, text in rows if text.strip() and source.strip())
    return HeldOut(study).free(TRAIN, made, list)


def _line(text: str) -> str:
    return " ".join(text.splitlines())


def _scores(name: str, pairs: Sequence[tuple[str, str]], data: TrainingData) -> list[float]:
    metric = METRICS[name]
    if not pairs:
        return []
    count = len(pairs)
    material = TrainingMaterial(
        texts={style: list(texts) for style, texts in data.texts.items()},
        tune={style: list(texts) for style, texts in data.dev_texts.items()},
    )
    scores = metric.score(
        MetricInput(
            [source for source, _ in pairs], [target for _, target in pairs], [],
            source_styles=[data.source_style] * count, target_styles=[data.target_style] * count,
            material=material if "texts" in metric.needs else None, language=data.language,
        )
    )  # fmt: skip
    if scores.undefined and not any(map(math.isfinite, scores.sentences)):
        raise UserError(scores.undefined, where=f"silver.filters, {name}")
    return [float(score) for score in scores.sentences]


def _come_back(
    run: TrainingRun, direction: Direction, pairs: Sequence[tuple[str, str]], step: Callable[[], None]
) -> list[tuple[str, str]]:
    """The pairs whose output, written back, is like the source."""
    kind, checkpoint = _back(run.study, direction, run.silver["round_trip"])
    refuse_outside(run.study, kind, checkpoint)
    model = kind.load(artifacts.local_copy(checkpoint), devices_for(kind, "auto")[0])
    working = model.within(StudyContext(run.study_id, step, job_id=run.job_id))
    way = working.known_as((direction.target_style, direction.source_style))
    kept, waiting, least = list[tuple[str, str]](), iter(pairs), run.silver["round_trip_chrf"]
    while part := list(islice(waiting, AT_ONCE)):
        back = list(working.transfer([target for _, target in part], way, kind.usual_decoding()))
        scored = MetricInput([], back, [[source] for source, _ in part], language=run.study.language)
        scores = METRICS["chrf"].score(scored).sentences
        kept += [pair for pair, text, score in zip(part, back, scores, strict=True) if text and score >= least]
    return kept


def _write(folder: Path, pairs: Sequence[tuple[str, str]], mode: str, *, marked: bool) -> None:
    sides = {"train.source": 0, "train.target": 1} | ({"train.marked": 1} if marked else {})
    for name, side in sides.items():
        with (folder / name).open(mode, encoding="utf-8", newline="\n") as file:
            file.writelines(f"{pair[side]}\n" for pair in pairs)
    about = json.loads((folder / FILE).read_text(encoding="utf-8"))
    about[PAIRS_OF] = len(pairs)
    (folder / FILE).write_text(json.dumps(about, ensure_ascii=False, indent=1), encoding="utf-8")


def chosen_of(silver: Mapping[str, Any]) -> dict[str, Any]:
    """The chosen options of a training's silver pairs, to train with the same once more."""
    return {one.name: silver[one.name] for one in list_options(SilverOptions) if one.name in silver}


def silver_in_words(silver: Mapping[str, Any]) -> str:
    """'1,200 of 1,500 outputs of GPT (model prompted)', or before the training 'outputs of GPT (model prompted)'."""
    if not silver:
        return ""
    named = f"{silver['system']} ({silver['origin']})"
    return f"{silver['kept']:,} of {silver['written']:,} outputs of {named}" if "kept" in silver else named
