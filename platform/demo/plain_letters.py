"""The demo's larger study: three hundred sources, six systems, twelve simulated raters, a release, two trainings."""

from collections.abc import Sequence
from itertools import chain, count
from pathlib import Path
from tempfile import TemporaryDirectory
from uuid import uuid4

from accounts.models import Person
from annotation.actions.claim_assignment import claim_assignment
from annotation.actions.create_campaign import create_campaign
from annotation.actions.make_release import make_release
from annotation.actions.review_answer import review_answer
from annotation.actions.set_campaign_state import set_campaign_state
from annotation.actions.submit_answer import submit_answer
from annotation.models import Answer, Campaign
from annotation.review import Verdict
from corpora.formats import TextFile
from corpora.models import Study
from demo.clinical import SYSTEMS, Case, cases
from demo.simulated import Level, Levels, join, simulate
from demo.tour import SLUG
from evaluation.actions.close_human_study import close_human_study
from evaluation.actions.open_human_study import open_human_study
from evaluation.actions.plan_human_study import plan_human_study
from evaluation.models import HumanStudy
from foundation.text_keys import text_key
from study_file.actions.apply_study import apply_study

FILE = Path(__file__).parent / "clinical.toml"

# The worth of a text on simplicity, fluency and meaning before chance.
TURNED = (3.9, 4.2, 1.4)  # easy to read, and false
REFERENCE = (4.0, 4.3, 4.7)
LEVELS: dict[str, Level] = {
    "Careful writer": (4.9, 5.0, 4.9), "Fluent guesser": REFERENCE, "Shortener": (3.8, 4.0, 2.5),
    "Clipped writer": (3.5, 2.6, 4.2), "Glossary": (2.3, 2.7, 4.1), "Phrase table": (1.9, 1.7, 3.1),
}  # fmt: skip
CONTROLS: dict[str, Level] = {"broken": (2.5, 1.3, 1.5), "flipped": (4.0, 4.2, 1.6)}
WRITTEN, ACCEPTED = 36, 30
GUIDELINE = (
    "Say the sentence to the patient. Keep every fact: numbers, sides, and above all what is *not* the case. "
    "Write whole sentences, without abbreviations."
)
JUDGING = (
    "Judge how easily a patient would understand the text, then how it reads, then beside its source whether it says "
    "the same. A text that says the opposite of its source has the lowest meaning, however well it reads."
)


def make_plain_letters(people: Sequence[Person], raters: Sequence[Person], by: Person, reviewer: Person) -> Study:
    """All of the study. Its trainings wait in the queue for a worker."""
    found = cases()
    study = _texts(found, by)
    join(study, [*people, *raters])
    _judged(study, found, raters, by)
    _written(study, found, raters[:3], by, reviewer)
    return study


def _texts(found: list[Case], by: Person) -> Study:
    lines = {"sources.txt": [case.source for case in found], "references.txt": [case.reference for case in found]}
    declared = FILE.read_text(encoding="utf-8").replace(f'"{SLUG}"', f'"{_free_slug()}"')
    for number, (name, write) in enumerate(SYSTEMS.items()):
        lines[f"system{number}.txt"] = [write(case) for case in found]
        outputs = f'[{{ direction = "clinical-lay", file = "system{number}.txt" }}]'
        declared += f'\n[[systems]]\nname = "{name}"\noutputs = {outputs}\n'
    with TemporaryDirectory() as folder:
        for name, texts in lines.items():
            (Path(folder) / name).write_text("\n".join(texts) + "\n", encoding="utf-8")
        file = TextFile(declared.encode(), FILE.name)
        study, _ = apply_study(file=file, opened=lambda name: Path(folder) / name, by=by)
    return study


def _free_slug() -> str:
    """The usual one, with the next number behind it where a study that was archived has it."""
    numbered = (f"{SLUG}-{number}" for number in count(2))
    return next(slug for slug in chain([SLUG], numbered) if not Study.objects.filter(slug=slug).exists())


def _judged(study: Study, found: list[Case], raters: Sequence[Person], by: Person) -> HumanStudy:
    scale = {"scale": "likert_5"}
    planned = plan_human_study(
        study=study, name="Which system helps patients? (simulated)", slug="which-helps", by=by, guideline=JUDGING,
        criteria=[
            {"name": "simplicity", **scale, "aspect": "simplicity", "beside": "nothing"},
            {"name": "fluency", "scale": "fluency_5", "aspect": "fluency", "beside": "nothing"},
            {"name": "meaning", **scale, "aspect": "meaning", "beside": "source"},
        ],
        judgements=3, sampling=HumanStudy.Sampling.RANDOM, size=60, seed=5,
        controls={"every": 3, "kinds": ["broken", "flipped"]}, use_controls=True,
        exclusions={"control_p": 0.05, "least_seconds": 10},
        comparison={"baseline": "Glossary", "criterion": "meaning"},
        costs={"pay": {"currency": "EUR", "hour": 15.0}},
    )  # fmt: skip
    opened = open_human_study(human_study=planned, by=by)
    simulate(opened, raters, _levels(found), CONTROLS)
    return close_human_study(human_study=opened, by=by)


def _levels(found: list[Case]) -> Levels:
    """By the key of a text; one that several systems wrote has the worth of the best of them."""
    levels: dict[str, Level] = {}
    for name, write in SYSTEMS.items():
        for case in found:
            text = write(case)
            level = TURNED if text == case.missed else LEVELS[name]
            levels.setdefault(text_key(text), level)
    return levels


def _written(study: Study, found: list[Case], writers: Sequence[Person], by: Person, reviewer: Person) -> None:
    """A corpus in the making: some rewrites are accepted and released, some wait for the reviewer."""
    said = {case.source: case.other for case in found}
    campaign = create_campaign(
        study=study, name="Write for the patient", task_type="rewrite", overlap=1, guideline=GUIDELINE,
        needs_review=True, by=by,
        examples=[{
            "about": "Keep what is not the case", "good": "The scan shows no fresh stroke.",
            "bad": "The scan looked at a stroke.", "why": "A patient who misses the 'no' is frightened for nothing.",
        }],
    )  # fmt: skip
    set_campaign_state(campaign=campaign, state=Campaign.State.OPEN, by=by)
    answers = []
    for number in range(WRITTEN):
        writer = writers[number % len(writers)]
        work = claim_assignment(study=study, campaign=campaign.slug, person=writer).work
        assert work is not None
        made = submit_answer(
            study=study, campaign=campaign.slug, person=writer, assignment=work.assignment, lease=work.lease,
            key=uuid4(), content={"text": said[work.content["source"]]},
        )  # fmt: skip
        answers.append(Answer.objects.get(pk=made.answer))
    for answer in answers[:ACCEPTED]:
        review_answer(answer=answer, by=reviewer, verdict=Verdict.ACCEPTED)
    rating = create_campaign(
        study=study, name="Rate what systems wrote", task_type="rate", overlap=2, guideline=JUDGING, by=by,
    )  # fmt: skip
    set_campaign_state(campaign=rating, state=Campaign.State.OPEN, by=by)
    make_release(study=study, settings={"forms": ["jsonl", "csv"], "unreviewed": False}, by=by)
