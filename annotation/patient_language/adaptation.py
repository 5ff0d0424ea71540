"""The guideline of an adaptation, and what makes the adaptation of one sentence complete (PLABA, Fig. 2)."""

import unicodedata
from collections.abc import Mapping
from typing import Any

from annotation.answer_checks.written_text import one_line, storable
from foundation.errors import UserError

OPERATIONS = ("kept", "rewritten", "split", "dropped")
LONGEST_TARGET = 1000
MOST_TARGETS = 20
LONGEST_REASON = 500
LONGEST_RULE = 1000
MOST_RULES = 40
REASONS = (
    "Not relevant to a patient's understanding",
    "Only statistics",
    "Only about how the study was done",
    "Says again what stands elsewhere",
)
# The paper's nine, in words of our own; after the first line of each comes its example.
RULES = (
    "Use the everyday word for a rare or technical one.\nrenal impairment → kidney problems",
    "Say who does what: active, not passive.\nThe vaccine was given by nurses. → Nurses gave the vaccine.",
    "Leave a label at the start of a sentence out, or make it part of the sentence.\n"
    "AIM: To test a new inhaler. → We wanted to test a new inhaler.",
    "Split a long, winding sentence into short ones.\n"
    "The drug, which is taken daily, eased pain but caused nausea. → "
    "People take the drug daily. It eased pain. It also made some feel sick.",
    "Leave out confidence intervals, p-values and other statistics.\n"
    "Fewer people fell ill (RR 0.6, 95% CI 0.5 to 0.8). → Fewer people fell ill.",
    "Carry a sentence over unchanged where everybody understands it.\nMost children get better within a week.",
    "Drop a sentence that does not help a patient to understand the text.\nData were analysed with standard software.",
    "Put the thing itself for a pronoun or a word that points elsewhere.\nIt lowers it. → The drug lowers blood sugar.",
    "Explain a hard term or an abbreviation where it first comes up.\n"
    "COPD → COPD, a lung disease that makes it hard to breathe",
)


def check_rules(given: object) -> list[str]:
    """The rules of the guideline, each a sentence, and its example on the lines after it; may be empty."""
    if not isinstance(given, (list, tuple)) or not all(isinstance(text, str) for text in given):
        raise UserError("Expected a list of texts.", where="rules")
    rules = [text.strip() for text in given]
    if any(not rule or len(rule) > LONGEST_RULE for rule in rules):
        raise UserError("Each rule must have 1 to {longest_rule} characters.", longest_rule=LONGEST_RULE, where="rules")
    if len(rules) > MOST_RULES:
        raise UserError("At most {most_rules} rules are allowed.", most_rules=MOST_RULES, where="rules")
    return rules


def rule_and_example(rule: str) -> dict[str, str]:
    first, _, rest = rule.partition("\n")
    return {"rule": first.strip(), "example": rest.strip()}


def check_sentence(
    given: Mapping[str, Any], sentence: Mapping[str, Any], settings: Mapping[str, Any]
) -> dict[str, Any]:
    """The decision on one sentence in its stored form; a UserError that names the sentence, `where` sentence-NUMBER."""
    number = sentence["number"]
    try:
        operation = given.get("operation")
        if operation not in OPERATIONS:
            raise UserError("it is not decided yet: carry it over, rewrite it, split it or drop it.")
        targets, reason = _decided(operation, given, sentence["text"], settings)
    except UserError as error:
        raise UserError(
            "Sentence {number}: {fault}", number=number, fault=_lowered(error.sentence), where=f"sentence-{number}"
        ) from None
    return {"number": number, "operation": operation, "targets": targets, "reason": reason}


def drafted(given: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """What is decided so far, cut to what could be stored, a little over the limits so that nobody loses an end."""
    operation, targets = given.get("operation"), given.get("targets")
    listed = targets if isinstance(targets, list) else []
    storable_targets = [storable(target)[: 2 * settings["max_length"]] for target in listed if isinstance(target, str)]
    return {
        "number": given["number"],
        "operation": operation if operation in OPERATIONS else "",
        "targets": storable_targets[: 2 * MOST_TARGETS],
        "reason": storable(given.get("reason", ""))[: 2 * LONGEST_REASON],
    }


def _decided(
    operation: str, given: Mapping[str, Any], source: str, settings: Mapping[str, Any]
) -> tuple[list[str], str]:
    if operation == "kept":
        return [source], ""
    if operation == "dropped":
        return [], _reason(given.get("reason"), settings["reasons"])
    targets = _targets(given.get("targets"), settings["max_length"])
    if operation == "split" and len(targets) < 2:
        raise UserError("a split needs two sentences or more.")
    if operation == "rewritten" and len(targets) != 1:
        raise UserError("a rewrite is one sentence; choose to split it for more.")
    if operation == "rewritten" and targets[0] == unicodedata.normalize("NFC", source).strip():
        raise UserError("the rewrite is the same as the source; change it, or carry the sentence over.")
    return targets, ""


def _targets(given: object, longest: int) -> list[str]:
    if not isinstance(given, list) or len(given) > MOST_TARGETS:
        raise UserError("expected a list of at most {most_targets} sentences.", most_targets=MOST_TARGETS)
    targets = [one_line(text) for text in given]
    for target in targets:
        if len(target) > longest:
            raise UserError(
                "a target has {target_count} characters; at most {longest} are allowed.",
                target_count=len(target),
                longest=longest,
            )
    return targets


def _reason(given: object, reasons: list[str]) -> str:
    if not isinstance(given, str) or not given.strip():
        raise UserError("say why it is dropped.")
    if reasons:
        if given not in reasons:
            raise UserError("this reason is not in the guideline's list.")
        return given
    reason = one_line(given)
    if len(reason) > LONGEST_REASON:
        raise UserError(
            "the reason has {reason_count} characters; at most {longest_reason} are allowed.",
            reason_count=len(reason),
            longest_reason=LONGEST_REASON,
        )
    return reason


def _lowered(sentence: str) -> str:
    return sentence[0].lower() + sentence[1:]
