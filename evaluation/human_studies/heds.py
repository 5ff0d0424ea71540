"""The frozen plan of a human study as a Human Evaluation Datasheet, HEDS 3.0 (Belz and Thomson 2024).

The file is one that the form at https://nlp-heds.github.io/ reads (*upload json*): `{element: {"data": {criterion:
value}, "control": {}, "number": "3.1.1"}}`, where the criterion is "" outside section 4, and an option that is chosen
holds its words in "text" too. Restyle fills in what the plan settles. All else is empty, as the form marks it, and its
question's number stands in `restyle.left_to_a_person`.
"""

from collections.abc import Iterator, Mapping
from typing import Any

import orjson

from annotation.scales import SCALES
from corpora.models import Study
from evaluation.models import HumanStudy
from evaluation.statistics import STATISTICS
from foundation.errors import UserError

SHEET, EVALUATORS = "heds-sample_evaluators_design", "heds-sample_evaluators_design-evaluators"
DESIGN, CRITERION = "heds-sample_evaluators_design-experimental_design", "heds-criteria-criterion"
ELICITED = f"{CRITERION}-response_elicitation"
TEXTS = {
    "heds-paper_and_resources-paper-experiment_identification": "1.1.2",
    **{
        f"heds-paper_and_resources-names_and_affiliations-{who}-{what}": f"1.3.{place}.{number}"
        for place, who in enumerate(("person_completing_this_sheet", "contact_author"), 1)
        for number, what in enumerate(("name", "affiliation", "email"), 1)
    },
    f"{SHEET}-sample-number_of_system_outputs": "3.1.1", f"{SHEET}-sample-statistical_power-method": "3.1.3.1",
    f"{SHEET}-sample-statistical_power-value": "3.1.3.2", f"{SHEET}-sample-statistical_power-script": "3.1.3.3",
    f"{EVALUATORS}-number_of_evaluators": "3.2.1", f"{EVALUATORS}-recruitment_method": "3.2.3",
    f"{EVALUATORS}-training_practice": "3.2.4", f"{EVALUATORS}-characteristics": "3.2.5",
    f"{DESIGN}-collection_method": "3.3.2", f"{DESIGN}-quality_assurance-description": "3.3.3.2",
    f"{DESIGN}-what_evaluators_see-link": "3.3.4.1", f"{DESIGN}-what_evaluators_see-description": "3.3.4.2",
    f"{DESIGN}-evaluators_place_of_choosing": "3.3.8",
    "heds-ethics-review_body": "5.1", "heds-ethics-impact_assessments": "5.4",
}  # fmt: skip
"""The questions that are answered in words, outside section 4, by their elements in the form."""
OF_CRITERION = {
    f"{ELICITED}-qc_name-participant_criterion_name": "4.3.1.1",
    f"{ELICITED}-qc_name-mapped_criterion_name": "4.3.1.2",
    f"{ELICITED}-participant_criterion_definiiton": "4.3.2", f"{ELICITED}-size_of_scale": "4.3.3",
    f"{ELICITED}-list_or_range": "4.3.4", f"{ELICITED}-task_description": "4.3.6",
    f"{ELICITED}-verbatim_question": "4.3.7", f"{ELICITED}-response_aggregation": "4.3.9",
    f"{ELICITED}-effect_size_method": "4.3.10", f"{ELICITED}-inter_annotator-agreement": "4.3.11.1",
    f"{ELICITED}-inter_annotator-agreement_score": "4.3.11.2",
    f"{ELICITED}-intra_annotator-intra_annotator_agreement": "4.3.12.1",
    f"{ELICITED}-intra_annotator-intra_annotator_agreement_score": "4.3.12.2",
}  # fmt: skip
CHOICES = ("1.1.1", "1.2", "2.1", "2.2", "2.3", "2.4", "2.5", "3.1.2", "3.2.2.1", "3.2.2.2", "3.2.2.3", "3.2.2.4",
           "3.3.1", "3.3.3.1", "3.3.5", "3.3.6", "3.3.7", "5.2", "5.3")  # fmt: skip
CHOICES_OF_CRITERION = ("4.1.1", "4.1.2", "4.1.3", "4.2.1", "4.2.2", "4.2.3", "4.3.5", "4.3.8")
LANGUAGES = {"en": 42, "de": 56, "fr": 49, "es": 150, "ar": 8, "he": 63, "zh": 30, "it": 77, "pt": 130, "nl": 40,
             "pl": 129, "ru": 136, "uk": 171, "cs": 37, "hi": 65, "ja": 78, "ko": 90, "tr": 167, "sv": 154, "da": 38,
             "no": 117, "nb": 118, "nn": 119, "fi": 48, "am": 7, "fa": 128, "id": 71}  # fmt: skip
"""The places of languages among the form's options; for another one a person chooses."""
SAMPLED = {
    "random": (1, "1. By simple automatic random selection"),
    "length": (2, "2. By an automatic random process but using stratified sampling over given properties"),
}
Sheet = dict[str, dict[str, Any]]


def heds(human_study: HumanStudy) -> bytes:
    """The datasheet as JSON; a UserError before the study opened."""
    if not human_study.frozen:
        raise UserError("The datasheet is that of a frozen plan; open the human study first.")
    frozen = human_study.plan_at_opening
    plan, study = frozen["rules"], human_study.study
    sheet: Sheet = {}
    for element, number in TEXTS.items():
        _write(sheet, element, number, "")
    for element, number, text in _answers(plan):
        _write(sheet, element, number, text)
    for element, number, words in (*_options(plan), *_languages(study)):
        _choose(sheet, element, number, words)
    names = [criterion.get("label") or criterion["name"] for criterion in plan["criteria"]]
    sheet[CRITERION] = {"data": {}, "control": {name: place == 0 for place, name in enumerate(names)}}
    for name, criterion in zip(names, plan["criteria"], strict=True):
        _criterion(sheet, name, criterion, plan)
    left = _left(sheet, names)
    kept = {**sheet, "restyle": {"plan": frozen["sha256"], "left_to_a_person": left}}
    return orjson.dumps(kept, option=orjson.OPT_INDENT_2) + b"\n"


def _write(sheet: Sheet, element: str, number: str, text: str, of: str = "") -> None:
    entry = sheet.setdefault(element, {"data": {}, "control": {}, "number": number})
    entry["data"][of] = text


def _choose(sheet: Sheet, element: str, number: str, words: str, of: str = "") -> None:
    entry = sheet.setdefault(element, {"data": {}, "control": {}, "text": {}, "number": number})
    entry["data"][of], entry["text"][of] = True, words


def _answers(plan: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    outputs = len(plan["sentence_ids"]) * (len(plan["systems"]) + plan["rate_source"] + plan["rate_reference"])
    yield f"{SHEET}-sample-number_of_system_outputs", "3.1.1", str(outputs)
    yield (f"{SHEET}-sample-statistical_power-method", "3.1.3.1",
           "Simulation of the planned comparison on the planned scale (Restyle, docs/human-studies.md).")  # fmt: skip
    yield (f"{DESIGN}-collection_method", "3.3.2",
           "Answers are given in the browser, in Restyle, and stored with the version of the guideline.")  # fmt: skip
    yield f"{DESIGN}-quality_assurance-description", "3.3.3.2", _checks(plan)
    if plan.get("guideline", "").strip():
        yield f"{DESIGN}-what_evaluators_see-description", "3.3.4.2", plan["guideline"].strip()
    rules = ", ".join(f"{name.replace('_', ' ')}: {value}" for name, value in plan["crew"].items())
    if rules:
        yield f"{EVALUATORS}-characteristics", "3.2.5", f"Required of everybody: {rules}."


def _checks(plan: Mapping[str, Any]) -> str:
    controls, rules = plan["controls"], plan["exclusions"]
    said = []
    if controls:
        kinds, leaves = ", ".join(controls["kinds"]), "leaves" if plan["use_controls"] else "does not leave"
        said.append(f"One of {controls['every']} pages has an attention check ({kinds}); it {leaves} people out.")
    said += [f"People are left out by {name.replace('_', ' ')}, {bound:g}." for name, bound in rules.items()]
    return " ".join(said) or "None."


def _options(plan: Mapping[str, Any]) -> Iterator[tuple[str, str, str]]:
    if chosen := SAMPLED.get(plan["sampling"]):
        yield f"{SHEET}-sample-system_output_selection-{chosen[0]}", "3.1.2", chosen[1]
    if plan["costs"].get("pay"):
        yield f"{EVALUATORS}-evaluators-payment-1", "3.2.2.2", "1. Paid (monetary compensation)"
    quality = f"{DESIGN}-quality_assurance-method"
    if plan["controls"]:
        yield (f"{quality}-2", "3.3.3.1",
               "2. Automatic quality checking methods are used during and/or after evaluation")  # fmt: skip
    if plan["exclusions"] or (plan["controls"] and plan["use_controls"]):
        yield (
            f"{quality}-4",
            "3.3.3.1",
            "4. Evaluators are excluded if they fail quality checks (often or badly enough)",
        )
    elif not plan["controls"]:
        yield f"{quality}-7", "3.3.3.1", "7. None of the above (no quality assurance methods used)"


def _languages(study: Study) -> Iterator[tuple[str, str, str]]:
    """Both sides are texts of the study's language; whether they are sentences the study says."""
    whole = study.unit == Study.Unit.DOCUMENT
    place, words = (7, "7. Text: document") if whole else (5, "5. Text: sentence")
    for side, number in (("input", "2.1"), ("output", "2.2")):
        yield f"heds-system-{side}_types-{place}", number, words
    known = LANGUAGES.get(study.language.partition("-")[0])
    if known:
        for side, number in (("input", "2.4"), ("output", "2.5")):
            yield f"heds-system-{side}_languages-{known}", number, ""


def _criterion(sheet: Sheet, name: str, criterion: Mapping[str, Any], plan: Mapping[str, Any]) -> None:
    scale = SCALES[criterion["scale"]]
    ranged = scale.kind == "range"
    levels = "; ".join(f"{level.value:g} {level.label}".strip() for level in scale.levels)
    told = {
        "4.3.1.1": name, "4.3.3": "continuous" if ranged else str(len(scale.values)),
        "4.3.4": f"{scale.lowest:g} to {scale.highest:g}" if ranged else levels,
        "4.3.9": "Mean over sentences of means over people.", "4.3.10": _compared(criterion["name"], plan),
        "4.3.11.1": "Krippendorff's alpha, with an interval by bootstrap over texts.",
    }  # fmt: skip
    for element, number in OF_CRITERION.items():
        _write(sheet, element, number, told.get(number, ""), name)
    beside = criterion.get("beside", "")
    frame = (1, "1. Quality of output in its own right") if beside in ("", "nothing") else (
        2, "2. Quality of output relative to the input") if beside == "source" else (
        3, "3. Quality of output relative to a system-external frame of reference")  # fmt: skip
    mode = f"{CRITERION}-evaluation_mode"
    for element, number, words in (
        (f"{CRITERION}-criteria-self_vs_external_frame-{frame[0]}", "4.1.3", frame[1]),
        (f"{mode}-objective_or_subjective-2", "4.2.1", "2. Subjective"),
        (f"{mode}-absolute_or_relative-1", "4.2.2", "1. Absolute"),
        (f"{mode}-intrinsic_or_extrinsic-1", "4.2.3", "1. Intrinsic"),
        (f"{ELICITED}-scale_presented_as-3", "4.3.5", "3. Slider") if ranged else
        (f"{ELICITED}-scale_presented_as-1", "4.3.5", "1. Multiple-choice options"),
        (f"{ELICITED}-form_of_response-2", "4.3.8", "2. Direct quality estimation"),
    ):  # fmt: skip
        _choose(sheet, element, number, words, name)


def _compared(criterion: str, plan: Mapping[str, Any]) -> str:
    asked = plan["comparison"]
    if asked.get("criterion") != criterion:
        return ""
    return f"{STATISTICS[asked['test']].label}, level {asked['alpha']:g}."


def _left(sheet: Sheet, names: list[str]) -> list[str]:
    """The numbers of the questions that a person must still answer, in the form's order."""
    answered = {(entry["number"], of) for entry in sheet.values() for of, value in entry["data"].items() if value}
    wanted = [(number, "") for number in (*TEXTS.values(), *CHOICES)]
    wanted += [(number, name) for name in names for number in (*OF_CRITERION.values(), *CHOICES_OF_CRITERION)]
    left = {number for number, of in wanted if (number, of) not in answered}
    return sorted(left, key=lambda number: [int(part) for part in number.split(".")])
