"""Small snapshots, put together by hand: what tables and figures are made from, without a database.

`gyafc_like()` has one direction, two domains, three aspects judged and scored, ranks, and the source and a reference
judged beside the systems; `msd_like()` has two directions, concepts, sections and a corpus. `bare()` has hardly
anything.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, wraps
from typing import Any

import numpy as np
import orjson

from evaluation.metric_contract import Scores
from evaluation.metrics import METRICS, MetricInput
from evaluation.reporting.build import ReportParts
from evaluation.snapshot import RANK, CorpusCounts, CriterionJudgements, Raters, StudySnapshot, SystemRow, Units
from evaluation.snapshot_builder.build import BuiltSnapshot
from evaluation.snapshot_builder.judgements import CriterionScale, JudgementTable
from evaluation.snapshot_builder.texts import StudyTexts
from foundation.text_keys import text_key


def made_once(make: Callable[..., StudySnapshot]) -> Callable[..., StudySnapshot]:
    """Nothing changes a snapshot, so what is made without arguments is made once."""
    plain = cache(make)

    @wraps(make)
    def made(**more: Any) -> StudySnapshot:
        return make(**more) if more else plain()

    return made


def units_of(sources, references=(), *, directions=(("informal", "formal"),), direction=None, **more):
    """Units; `references` a list for each, the rest columns of the same length or nothing."""
    size = len(sources)
    nothing = np.full(size, np.nan)
    place = np.array([0] * size if direction is None else direction, dtype=np.intp)
    first = {}
    home = [first.setdefault((int(of), text_key(text)), at) for at, (of, text) in enumerate(zip(place, sources))]  # noqa: B905
    given = {
        "splits": ["test"] * size, "domains": [""] * size, "sections": [""] * size, "concepts": nothing,
        "apart": nothing, "words": [len(text.split()) for text in sources], **more,
    }  # fmt: skip
    numbers = {name: np.array(given.pop(name), dtype=np.float64) for name in ("words", "concepts", "apart")}
    return Units(
        ids=list(range(1, size + 1)), sources=list(sources), references=list(references) or [[]] * size,
        home=np.array(home, dtype=np.intp), directions=list(directions), direction=place, **numbers, **given,
    )  # fmt: skip


def system(name, outputs, role="system", *, is_human=False, family="", seed=None, options=None):
    return SystemRow(name, family or name, seed, options or {}, is_human, list(outputs), role)


def judged(name, rows, *, aspect="overall", scale="", level="interval", ends=None):
    """Judgements from rows (unit, system, rater, value); each (unit, system) is a text of its own."""
    unit, place, rater, value = (np.array(column) for column in zip(*rows, strict=True))
    lowest, highest = ends or (float(value.min()), float(value.max()))
    text = np.unique(unit * 1000 + place, return_inverse=True)[1]
    return CriterionJudgements(
        name, name.replace("_", " ").capitalize(), scale, level, aspect, lowest, highest, name != RANK,
        unit.astype(np.intp), place.astype(np.intp), rater.astype(np.intp), value.astype(np.float64),
        text.astype(np.intp),
    )  # fmt: skip


def by_value(values):
    """The scores of a metric whose corpus score is the mean of these of its sentences; NaN where it has none."""
    values = np.array(values, dtype=np.float64)
    there = ~np.isnan(values)
    corpus = float(values[there].mean()) if there.any() else None
    why = "" if there.any() else "None of the sentences has a score."
    return Scores(values, undefined=why, corpus=corpus, signature="metric:by-hand", there=there)


def by_metric(name, units, outputs):
    """The scores that a metric itself gives to outputs, of the units that have one."""
    metric, at = METRICS[name], [place for place, text in enumerate(outputs) if text is not None]
    batch = MetricInput(
        [units.sources[one] for one in at], [outputs[one] for one in at], [list(units.references[one]) for one in at],
    )  # fmt: skip
    return metric.score(batch).laid_over(np.array(at, dtype=np.intp), len(outputs))


def snapshot_of(units, systems, judgements=(), scores=None, **more):
    """A snapshot with the report that is made of it."""
    by_name = {judgement.name: judgement for judgement in judgements}
    raters = max((int(judgement.rater.max()) + 1 for judgement in judgements), default=0)
    given = {
        "study": "small", "title": "A small study", "styles": ["informal", "formal"], "unit": "sentence",
        "judgements": {"raw": by_name, "z": by_name, "filtered": by_name},
        "raters": workers_of(raters),
        "baselines": {}, "counts": CorpusCounts(),
        "baseline": 0 if systems else None, "alpha": 0.05, "correction": "none",
        "variant": "raw", "report": {}, "draws": 200, **more,
    }  # fmt: skip
    return reported(StudySnapshot(units=units, systems=list(systems), scores=scores or {}, **given))


def workers_of(raters, **more):
    """Workers of whom nothing is known but that they judged."""
    nothing = np.full(raters, np.nan)
    given = {"names": [f"r{one}" for one in range(raters)], "control": nothing, "seconds": nothing}
    return Raters(**{**given, "left_out": [""] * raters, **more})


class Report(Mapping):
    """A report each part of which is made when it is read, as `build_report` makes it: most tests read none."""

    def __init__(self, built):
        self._parts, self._made = ReportParts(built), {}

    def __getitem__(self, name):
        if name not in self._made:
            self._made[name] = orjson.loads(orjson.dumps(self._parts.made[name](), option=orjson.OPT_SERIALIZE_NUMPY))
        return self._made[name]

    def __iter__(self):
        return iter(self._parts.made)

    def __len__(self):
        return len(self._parts.made)


def built_of(snapshot):
    """The snapshot with the tables that a report is made from."""
    judged = list(snapshot.judgements[snapshot.variant].values())
    kinds = [
        CriterionScale(one.name, one.scale, one.level, one.aspect, one.lowest, one.highest, one.better)
        for one in judged
    ]
    columns = {"text": [], "criterion": [], "rater": [], "value": []}
    for number, one in enumerate(judged):
        columns["text"].append(one.text)
        columns["criterion"].append(np.full(len(one.text), number))
        columns["rater"].append(one.rater)
        columns["value"].append(one.value)
    joined = {name: np.concatenate(parts) if parts else np.empty(0, dtype=int) for name, parts in columns.items()}
    given = JudgementTable([], [one.name for one in judged], list(snapshot.raters.names), **joined)
    texts = StudyTexts(units=snapshot.units, systems=[], rows=snapshot.systems, unit_of={}, terms=[])
    return BuiltSnapshot(texts, given, kinds, snapshot)


def reported(snapshot):
    """The snapshot with a report made anew."""
    return replace(snapshot, report=Report(built_of(snapshot)))


WORDS = "wow i am so dumb gonna see him at school today pls help me u know"
NEAT = {"gonna": "going to", "pls": "please", "u": "you", "i": "I", "dumb": "foolish", "wow": "indeed", "so": "very"}
SIZE, RATERS = 24, 3


def rewritten(text, *words):
    """The text with these of its words put in formal ones."""
    return " ".join(NEAT.get(word, word) if word in words else word for word in text.split())


@made_once
def gyafc_like(**more):
    """24 sentences of 3 to 14 words in two domains, two references each, three systems, the source and a reference."""
    random = np.random.default_rng(5)
    sources = [f"{number} " + " ".join(random.choice(WORDS.split(), 3 + number % 12)) for number in range(SIZE)]
    references = [[rewritten(text, *NEAT), rewritten(text, "gonna", "u", "i") + " ."] for text in sources]
    units = units_of(sources, references, domains=["Music", "Family"] * (SIZE // 2))
    systems = [
        system("Rules", [rewritten(text, "i") for text in sources]),
        system("Phrases", [rewritten(text, "i", "u", "pls", "gonna") for text in sources]),
        system("Neural", [None if number == 7 else rewritten(text, *NEAT)[:40] for number, text in enumerate(sources)]),
        system("Source", sources, "source"),
        system("Reference", [reference[0] for reference in references], "reference", is_human=True),
    ]
    means = {"formality": (-1, 0, 1, -2, 2), "fluency": (3, 3, 4, 3, 5), "meaning": (5, 5, 4, 6, 5)}
    scales = {"formality": ("style", "formality_7"), "fluency": ("fluency", "fluency_5"),
              "meaning": ("meaning", "meaning_6")}  # fmt: skip
    ends = {"formality": (-3, 3), "fluency": (1, 5), "meaning": (1, 6)}
    people = [
        judged(name, _rows(random, means[name], *ends[name], systems), aspect=scales[name][0], scale=scales[name][1],
               ends=ends[name])
        for name in means
    ]  # fmt: skip
    people.append(judged(RANK, _ranks(random, systems), level="ordinal"))
    own = {name: [by_metric(name, units, one.outputs) for one in systems[:3]] + [None] * 2
           for name in ("bleu", "ter", "pinc")}  # fmt: skip
    for name, size in (("style_accuracy", 100), ("perplexity_ngram", 300), ("content_preservation", 1)):
        values = [random.random(SIZE) * size for _ in systems[:3]]
        values[2][7] = np.nan
        own[name] = [*[by_value(value) for value in values], None, None]
    given = {"counts": GYAFC_COUNTS} | more
    return snapshot_of(units, systems, people, own, **given)


INTO, BACK = ("informal", "formal"), ("formal", "informal")
GYAFC_COUNTS = CorpusCounts(
    sentences={(*INTO, "train", "Music"): 1200, (*INTO, "train", "Family"): 900, (*INTO, "test", "Music"): 12,
               (*INTO, "test", "Family"): 12, (*BACK, "train", "Music"): 40},
    pairs={(*INTO, "train", "Music"): 1100, (*INTO, "test", "Music"): 12, (*INTO, "test", "Family"): 12},
    texts={("informal", "train"): ["hey"] * 2100, ("informal", "test"): ["yo"] * 24, ("formal", "test"): ["Hi."] * 48},
)  # fmt: skip


def _rows(random, means, low, high, systems):
    return [
        (unit, place, rater, float(np.clip(mean + random.integers(-1, 2), low, high)))
        for unit in range(SIZE)
        for place, mean in enumerate(means)
        if systems[place].outputs[unit] is not None
        for rater in range(RATERS)
    ]


def _ranks(random, systems):
    """Each rater's places of all outputs of each source of the first half, the reference mostly first."""
    rows = []
    for unit in range(SIZE // 2):
        there = [place for place, one in enumerate(systems) if one.outputs[unit] is not None]
        for rater in range(RATERS):
            scores = {place: random.integers(0, 4) + 2 * (place == 4) + (place == 1) for place in there}
            rows += [
                (unit, place, rater, 1.0 + sum(other > score for other in scores.values()))
                for place, score in scores.items()
            ]
    return rows


EXPERT, LAY = ("expert", "lay"), ("lay", "expert")
ELEMENTS = ("Symptoms", "Diagnosis", "Treatment")


@made_once
def msd_like(**more):
    """20 sentences either way, with concepts, edit distances and sections; two systems and people as a third."""
    random = np.random.default_rng(7)
    expert = [f"Patients with dyspnea number {one} " + "often have pain " * (1 + one % 4) + "." for one in range(20)]
    lay = [f"People {one} are short of breath. " + "They hurt. " * (1 + one % 3) for one in range(20)]
    units = units_of(
        expert + lay, [[one] for one in lay + expert], directions=(EXPERT, LAY), direction=[0] * 20 + [1] * 20,
        sections=[ELEMENTS[one % 3] for one in range(40)], concepts=[1 + one % 6 for one in range(40)],
        apart=[10.0 + 3 * (one % 9) for one in range(40)],
    )  # fmt: skip
    texts = units.sources
    systems = [
        system("Copying", texts),
        system("Dropping", [" ".join(text.split()[:4]) for text in texts]),
        system("Gold", [reference[0] for reference in units.references], is_human=True),
    ]
    rows = [
        (unit, place, rater, float(np.clip(4 - 2 * place + random.integers(-1, 2), 1, 5)))
        for unit in range(40) for place in range(2) for rater in range(2)
    ]  # fmt: skip
    scores = {
        "style_accuracy": [by_value(100.0 * (random.random(40) < share)) for share in (0.2, 0.6, 0.9)],
        "self_bleu": [by_metric("self_bleu", units, one.outputs) for one in systems],
        "bleu": [*[by_metric("bleu", units, one.outputs) for one in systems[:2]], None],
        "sari": [*[by_metric("sari", units, one.outputs) for one in systems[:2]], None],
    }
    given = {"styles": ["expert", "lay"], "counts": msd_counts(expert, lay)} | more
    people = [judged("content", rows, aspect="meaning", scale="content_5", ends=(1, 5))]
    return snapshot_of(units, systems, people, scores, **given)


def msd_counts(expert, lay):
    """The corpus of `msd_like`: its test texts, some to train on, and concepts, topics and sections."""
    return CorpusCounts(
        sentences={(*EXPERT, "test", ""): 20, (*LAY, "test", ""): 20},
        pairs={(*EXPERT, "test", ""): 20, (*LAY, "test", ""): 20},
        texts={("expert", "test"): expert, ("lay", "test"): lay,
               ("expert", "train"): ["Dyspnea is common. Give oxygen.", "Obtain radiography."],
               ("lay", "train"): ["Breathing is hard."]},
        concepts={("expert", "test"): ["C1", "C2", "C1", "C3"], ("lay", "test"): ["C1", "C1"]},
        topics={("expert", "Lungs"): 30, ("expert", "Heart"): 12, ("lay", "Lungs"): 25},
        sections={("expert", "Symptoms"): 20, ("expert", "Treatment"): 22, ("lay", "Symptoms"): 25},
    )  # fmt: skip


def bare(**more):
    """Two sentences without reference, one system, nobody who judged and no metric."""
    units = units_of(["hey there", "what up"])
    return snapshot_of(units, [system("Rules", ["Hey there.", "What up."])], **more)
