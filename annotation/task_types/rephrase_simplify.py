"""Write out a sentence's abbreviations, then say it in plain words, then say it to the patient (MedLane section 3.2).

The answer is {"spans": [{"start", "end", "full"}], "simplified", "rephrased_addressed": segments,
"simplified_addressed", "unchanged", "final"}. A form addressed to the patient is null until somebody gave it; `said` in
a draft tells where the page's proposal or the person's own words were said to be right.
"""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from annotation.answer_checks import as_typed, checked_line, drafted_state, read_state, write_state
from annotation.patient_language import (
    REPHRASED_ADDRESSED,
    SIMPLIFIED,
    SIMPLIFIED_ADDRESSED,
    addressed,
    addressed_text,
    check_cases,
    check_segments,
    check_simplified,
    decided,
    storable_segments,
)
from annotation.task_data import Material, PreviousStage, Product, Segment
from annotation.task_types._base import Answer, Content, ItemContent, Said, Settings, TaskType
from annotation.text_marks import check_spans, fitting_spans, segments_of, spans_of, written_out
from foundation.errors import UserError
from foundation.papers import MEDLANE

SAYABLE = (REPHRASED_ADDRESSED, SIMPLIFIED_ADDRESSED)


class RephraseSimplify(TaskType):
    label = "Rephrase and simplify"
    verb = "Write out the abbreviations, then say it in plain words"
    answer_content = (
        '{"spans": [{"start": 0, "end": 2, "full": "..."}], "simplified": "...", "rephrased_addressed": [{"text":'
        ' "...", "full": ""}, ...], "simplified_addressed": "...", "unchanged": false, "final": false}: '
        "`unchanged` says that nothing is to be written out, `final` that the written-out form is the last one; "
        "the two forms for the patient are needed where the campaign asks for them"
    )
    writes_target = True
    template = "annotation/work/rephrase_simplify.html"
    paper = MEDLANE
    makes = "two_step"
    # `addressed`: both forms are also said to the patient. `hidden_dictionary`: no concepts are shown (MedLane).
    # `prefill_earlier`: a re-translation begins with the version that was rejected, not with nothing.
    # `remember_forms`: a person is offered the full forms that they themselves chose before in the study. Off where the
    # same people annotate twice and the second time is to be independent of the first.
    defaults = {
        "max_length": 2000, "max_full": 200, "addressed": True, "hidden_dictionary": True, "prefill_earlier": False,
        "remember_forms": True,
    }  # fmt: skip
    bounds = {"max_length": (1, 100_000), "max_full": (1, 2000)}

    def build(self, material: Iterable[Material], settings: Settings, seed: int) -> Iterator[ItemContent]:
        for source in material:
            content: Content = {"source": source.source, "split": source.split}
            if not settings["hidden_dictionary"]:
                content["concepts"] = [dict(concept) for concept in source.concepts]
            yield ItemContent(source.sentence_id, content)

    def scripts(self, settings: Settings) -> Sequence[str]:
        return ["rephrase.js", "addressed.js"] if settings["addressed"] else ["rephrase.js"]

    def follow(self, before: PreviousStage, settings: Settings) -> Content | None:
        """A rejected one is made again, with the earlier version and the remarks on it beside the sentence."""
        product = before.product
        if product.get("kind") != "two_step":
            return None
        content: Content = {"source": product["source"], "split": _split(before)}
        if before.takes == "rejected":
            content["earlier"] = product
            said = {key: before.answer[key] for key in ("reason", "note") if before.answer.get(key)}
            if before.task == "verify" and said:
                content["said"] = said
        return content

    def products(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Product]:
        rephrased = [] if _last_alone(content) else segments_of(content["source"], answer["spans"])
        yield {
            "kind": "two_step",
            "source": content["source"],
            "rephrased": rephrased,
            "simplified": answer["simplified"],
            "rephrased_addressed": answer[REPHRASED_ADDRESSED],
            "simplified_addressed": answer[SIMPLIFIED_ADDRESSED],
            "unchanged": answer["unchanged"],
            "final": answer["final"],
        }

    def asked(self, settings: Settings) -> list[str]:
        addressed_too = [REPHRASED_ADDRESSED, SIMPLIFIED_ADDRESSED] if settings["addressed"] else []
        return ["rephrased", SIMPLIFIED, *addressed_too, "unchanged", "final"]

    def said(self, answer: Answer, content: Content, settings: Settings) -> Iterator[Said]:
        """Each form that was written, and whether it is one of the two special cases."""
        (product,) = self.products(answer, content, settings)
        for form in self.asked(settings)[:-2]:
            written = product[form] or ""
            text = written if isinstance(written, str) else written_out(written)
            if text:
                yield Said(form, "", text)
        for case in ("unchanged", "final"):
            yield Said(case, "yes" if answer[case] else "no")

    def texts(self, answer: Answer, content: Content) -> tuple[str, str] | None:
        return content["source"], _last_form(answer, content)

    def agrees(self, answer: Answer, expected: Answer, content: Content, settings: Settings) -> float:
        """The mean of the equal special case and the share of marks that both have (F1); wording is not compared."""
        same = [answer[key] == expected.get(key, False) for key in ("unchanged", "final")]
        ours, theirs = _marked(answer["spans"]), _marked(expected.get("spans", []))
        shared = 2 * len(ours & theirs) / (len(ours) + len(theirs)) if ours or theirs else 1.0
        return (float(all(same)) + shared) / 2

    def present(
        self, content: Content, settings: Settings, order: Sequence[int], answer: Answer | None = None
    ) -> dict[str, Any]:
        earlier = content.get("earlier")
        if answer is None and earlier and settings["prefill_earlier"]:
            answer = answer_of(earlier)
        state = _state(answer or {})
        hidden = settings["hidden_dictionary"]
        return {
            "source": content["source"],
            "last_alone": _last_alone(content),
            "earlier": earlier,
            "said": content.get("said"),
            "concepts": []
            if hidden
            else [concept for concept in content.get("concepts", []) if concept.get("definition")],
            "addressed": settings["addressed"],
            "remembers": settings.get("remember_forms", True),
            "max_length": settings["max_length"],
            "max_full": settings["max_full"],
            "simplified": state[SIMPLIFIED],
            "state": write_state(state),
            "proposed": write_state(self.proposes(state, content, settings)),
        }

    def proposes(self, answer: Answer, content: Content, settings: Settings) -> dict[str, Any]:
        """The answer so far, addressed to the patient: `rephrased` as segments, `simplified` as text."""
        if not settings["addressed"]:
            return {}
        spans = [span for span in answer["spans"] if span["full"].strip()]
        last = _last_form(answer, content) if answer[SIMPLIFIED] or answer["unchanged"] or answer["final"] else ""
        rephrased = [] if _last_alone(content) else addressed(segments_of(content["source"], spans))
        return {"rephrased": rephrased, "simplified": addressed_text(last)}

    def parse(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        return self.check(read_state(form), content, settings)

    def check(self, answer: Mapping[str, Any], content: Content, settings: Settings) -> Answer:
        source, alone = content["source"], _last_alone(content)
        spans = check_spans(answer.get("spans", []), source, settings["max_full"])
        unchanged, final = answer.get("unchanged") is True, answer.get("final") is True
        if alone and (spans or final):
            raise UserError("This campaign asks for the last form only: mark no abbreviations.", where="spans")
        check_cases(spans, unchanged, final)
        checked: Answer = {"spans": spans, "unchanged": unchanged, "final": final}
        checked[SIMPLIFIED] = check_simplified(answer.get(SIMPLIFIED, ""), checked, source, settings["max_length"])
        return {**checked, **self._check_addressed(answer, checked, content, settings)}

    def _check_addressed(
        self, answer: Mapping[str, Any], checked: Answer, content: Content, settings: Settings
    ) -> dict[str, Any]:
        """Both forms addressed to the patient, each said to be right where it differs; none where none is asked for."""
        if not settings["addressed"]:
            return {REPHRASED_ADDRESSED: [], SIMPLIFIED_ADDRESSED: ""}
        said = answer.get("said") if isinstance(answer.get("said"), dict) else {}
        proposed = self.proposes(checked, content, settings)
        rephrased: list[Segment] = []
        if not _last_alone(content):
            own = segments_of(content["source"], checked["spans"])
            given = decided(answer, REPHRASED_ADDRESSED, said, own, proposed["rephrased"])
            rephrased = check_segments(given, own, settings["max_full"], settings["max_length"])
        if rephrased and (checked["unchanged"] or checked["final"]):  # the last form is the one before it
            return {REPHRASED_ADDRESSED: rephrased, SIMPLIFIED_ADDRESSED: written_out(rephrased)}
        given = decided(answer, SIMPLIFIED_ADDRESSED, said, checked[SIMPLIFIED], proposed["simplified"])
        text = checked_line(given, "What is said to the patient", SIMPLIFIED_ADDRESSED, settings["max_length"])
        return {REPHRASED_ADDRESSED: rephrased, SIMPLIFIED_ADDRESSED: text}

    def partial(self, form: Mapping[str, str], content: Content, settings: Settings) -> Answer:
        state = drafted_state(form)
        segments, said = state.get(REPHRASED_ADDRESSED), state.get("said")
        text = state.get(SIMPLIFIED_ADDRESSED)
        return {
            "spans": fitting_spans(state.get("spans"), content["source"]),
            SIMPLIFIED: as_typed(state.get(SIMPLIFIED)),
            REPHRASED_ADDRESSED: storable_segments(segments) if isinstance(segments, list) else None,
            SIMPLIFIED_ADDRESSED: as_typed(text) if isinstance(text, str) else None,
            "unchanged": state.get("unchanged") is True,
            "final": state.get("final") is True,
            "said": {key: True for key in SAYABLE if isinstance(said, dict) and said.get(key) is True},
        }


def answer_of(product: Mapping[str, Any]) -> Answer:
    """The answer that made such a product; its words to the patient have to be looked at again."""
    return {
        "spans": spans_of(product["rephrased"]),
        **{key: product[key] for key in (SIMPLIFIED, "unchanged", "final")},
        **{key: product[key] or None for key in SAYABLE},
        "said": {},
    }


def _last_alone(content: Content) -> bool:
    """Whether this sentence is for training: then the last form alone is asked for."""
    return bool(content.get("split") == "train")


def _split(before: PreviousStage) -> str:
    content = before.content.get("content", before.content)
    return str(content.get("split") or ("test" if before.product["rephrased"] else "train"))


def _state(answer: Mapping[str, Any]) -> Answer:
    """An answer or a draft as the editor holds it. A stored answer's forms were said to be right."""
    state: Answer = {
        "spans": answer.get("spans", []),
        SIMPLIFIED: answer.get(SIMPLIFIED, ""),
        REPHRASED_ADDRESSED: answer.get(REPHRASED_ADDRESSED) or None,
        SIMPLIFIED_ADDRESSED: answer.get(SIMPLIFIED_ADDRESSED),
        "unchanged": answer.get("unchanged", False),
        "final": answer.get("final", False),
    }
    return {**state, "said": answer.get("said", {key: True for key in SAYABLE if state[key]})}


def _last_form(answer: Mapping[str, Any], content: Content) -> str:
    if answer["unchanged"] or answer["final"] or not answer[SIMPLIFIED]:
        return written_out(segments_of(content["source"], [span for span in answer["spans"] if span["full"]]))
    return str(answer[SIMPLIFIED])


def _marked(spans: Iterable[Mapping[str, Any]]) -> set[tuple[int, int]]:
    return {(span["start"], span["end"]) for span in spans}


TASK_TYPE = RephraseSimplify()
