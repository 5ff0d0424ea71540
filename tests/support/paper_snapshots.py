"""Small snapshots as those of Fu et al., PLABA and MedLane, for the tests of their tables and figures."""

from dataclasses import replace

import numpy as np
from support.snapshots import by_metric, by_value, judged, made_once, snapshot_of, system, units_of

from evaluation.metrics import METRICS, MetricInput
from evaluation.snapshot import CorpusCounts

SIZE = 12
FU_SYSTEMS = (
    ("auto 32", "auto-encoder", {"word": 64, "encoder": 32}, 1, 0.0),
    ("auto 128", "auto-encoder", {"word": 64, "encoder": 128}, 1, 0.1),
    ("auto 64", "auto-encoder", {"word": 64, "encoder": 64}, 1, 0.2),
    ("multi 32", "Multi-Decoder", {"encoder": 32}, 1, 0.9),
    ("style 32 64 a", "style_embedding", {"encoder": 32, "style": 64}, 1, 0.4),
    ("style 32 64 b", "style_embedding", {"encoder": 32, "style": 64}, 2, 0.6),
    ("style 32 32", "style_embedding", {"encoder": 32, "style": 32}, 1, 0.7),
)


@made_once
def fu_like(**more):
    """12 titles, seven systems of three families; the third system's content preservation is lacking once."""
    random = np.random.default_rng(3)
    sources = [f"an efficient method number {one}" for one in range(SIZE)]
    systems = [
        system(name, [f"{text} wow" for text in sources], family=family, seed=seed, options=options)
        for name, family, options, seed, _ in FU_SYSTEMS
    ]
    strength = [by_value([share] * SIZE) for *_, share in FU_SYSTEMS]
    content = [by_value(0.8 + 0.2 * random.random(SIZE)) for _ in FU_SYSTEMS]
    content[2] = by_value([np.nan, *content[2].sentences[1:]])
    content = [replace(one, details={"lower_bound": 0.5 + place / 100}) for place, one in enumerate(content)]
    rows = [
        (unit, place, rater, float(np.clip(np.round(10 * (content[place].sentences[unit] - 0.8)), 0, 2)))
        for unit in range(SIZE) for place in (2, 4) for rater in range(3) if unit or place == 4
    ]  # fmt: skip
    people = [judged("similarity", rows, aspect="meaning", scale="similarity_3", level="ordinal", ends=(0, 2))]
    scores = {"transfer_strength": strength, "content_preservation": content}
    return snapshot_of(units_of(sources), systems, people, scores, **more)


SENTENCES = (
    "The patients were administered an anticoagulant medication intravenously.",
    "Hypertension is associated with cerebrovascular accidents.",
    "We conducted a randomized trial of two interventions.",
    "The results were statistically significant in both groups.",
)
PLAIN = (
    "The patients got a drug against clots by a needle. It worked.",
    "High blood pressure goes with strokes.",
    "We did a fair test of two treatments. People were put in groups by chance.",
    "The results were not by chance in both groups.",
)
ABSTRACTS = 10
PLABA_METRICS = ("rouge_1", "rouge_2", "rouge_l", "bleu", "sari", "self_bleu", "fkgl")


def _mixed(source, plain, turn):
    """The source with two of three words taken from the plain text."""
    pairs = enumerate(zip(source.split(), plain.split(), strict=False), turn)
    return " ".join(b if at % 3 else a for at, (a, b) in pairs)


@made_once
def plaba_like(**more):
    """10 abstracts with two adaptations each; a model of three seeds, and one that copies, which is the baseline."""
    sources = [" ".join(SENTENCES[(one + at) % 4] for at in range(2 + one % 3)) for one in range(ABSTRACTS)]
    plain = [" ".join(PLAIN[(one + at) % 4] for at in range(2 + one % 3)) for one in range(ABSTRACTS)]
    references = [[text, text.replace("drug", "medicine").replace("People", "They")] for text in plain]
    units = units_of(sources, references, directions=(("abstract", "plain"),))
    mixed = [
        [_mixed(a, b, one + seed) for one, (a, b) in enumerate(zip(sources, plain, strict=True))] for seed in range(3)
    ]
    systems = [
        system("Copy", sources),
        *[system(f"T5 {seed}", mixed[seed], family="T5", seed=seed) for seed in range(3)],
    ]
    scores = {name: [by_metric(name, units, one.outputs) for one in systems] for name in PLABA_METRICS}
    baselines = {"copied_source": {name: by_metric(name, units, sources) for name in PLABA_METRICS}}
    given = {"unit": "document", "styles": ["abstract", "plain"], "baselines": baselines} | more
    return snapshot_of(units, systems, (), scores, **given)


NOTES = ("pt has sob today", "the pt was given asa and felt well", "no cp or sob", "hx of mi in the last year",
         "pt denies cp", "the mi was seen on ekg by the team this morning", "bp was low", "she had an mi")  # fmt: skip
FORMS = {"pt": "patient", "sob": "shortness of breath", "asa": "aspirin", "cp": "chest pain", "hx": "history",
         "mi": "heart attack", "ekg": "heart tracing", "bp": "blood pressure"}  # fmt: skip
MEDLANE_METRICS = ("bleu_1", "bleu_2", "bleu_3", "bleu", "bleu_mean", "rouge_l", "cider", "sari", "hit", "cwr",
                   "ascore", "fkgl")  # fmt: skip


@made_once
def medlane_like(**more):
    """8 clinical notes, a reference each with 14 full forms in all; three systems that know more and more of them."""
    full = [" ".join(FORMS.get(word, word) for word in text.split()) for text in NOTES]
    units = units_of(NOTES, [[text] for text in full], directions=(("clinical", "lay"),))
    terms = [[[FORMS[word] for word in text.split() if word in FORMS]] for text in NOTES]
    known = ({"pt": "patient"}, {**FORMS, "mi": "mi", "sob": "difficulty"}, {**FORMS, "hx": "hx"})
    systems = [
        system(name, [" ".join(forms.get(word, word) for word in text.split()) for text in NOTES])
        for name, forms in zip(("Dictionary", "Moses", "Declare"), known, strict=True)
    ]
    scores = {name: [with_terms(name, units, terms, one.outputs) for one in systems] for name in MEDLANE_METRICS}
    counts = CorpusCounts(
        texts={
            ("clinical", "test"): [*NOTES, "never selected"],
            ("lay", "test"): full,
            ("lay", "train"): ["the pt left ."],
        },
        annotated={
            ("clinical", "lay", "test"): (list(NOTES), full),
            ("clinical", "lay", "train"): ([], ["the pt left ."]),
        },
        forms={("clinical", "lay", "test"): [len(lines[0]) for lines in terms], ("clinical", "lay", "tune"): [0, 4]},
    )
    return snapshot_of(units, systems, (), scores, **{"styles": ["clinical", "lay"], "counts": counts} | more)


def with_terms(name, units, terms, outputs):
    """The scores of a metric that may read the full forms."""
    metric = METRICS[name]
    return metric.score(
        MetricInput(
            list(units.sources), list(outputs), [list(reference) for reference in units.references], terms=terms
        )
    )
