"""Two items of each kind of work, and how somebody does one of them: by keys at a desk, by taps on a phone.

Where the campaign submits at once, an item of choices is submitted by the last of them.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from support import abstracts, stage_items
from support import campaigns as make
from support.effort import Hand

from annotation.models import Campaign
from corpora.models import Document, DocumentSentence, Question

SOURCE = "gotta see the show again next week , u know , before its over"
TEXTS = (
    "I have to see the show again next week, you know, before it is over.",
    "You know, I must see the show once more next week before it ends.",
    "I need to watch the show again next week before its end.",
    "I got to see the show again next week, you know, before its over.",
    "It is necessary for me to see the show again, you know.",
)
LABELS = ["Paraphrase", "Punctuation", "Capitalization", "Spelling", "Contraction"]
SENTENCE = "Pt was placed on nasal cannula last week, which was tolerated well."
NO_TEXT = {"title", "element", "styles", "concepts", "heading", "settings"}
MARKED = {"side": "output", "start": 2, "end": 6, "kind": "", "severity": "Minor", "reason": ""}
SUBMIT = ".workbar [data-key='Ctrl+Enter']:not(.danger)"


class Kind(NamedTuple):
    """A kind of work: its campaign, whose texts are so many times as long, one item of it at a desk and on a phone, and
    the answer that both make; an order and documents are named by their places on the page.
    """

    campaign: Callable[[int], Campaign]
    by_keys: Callable[[Hand], Any]
    by_taps: Callable[[Hand], Any]
    answer: Callable[[int], Mapping[str, Any]]


def _longer(content: Any, times: int) -> Any:
    """The content of an item with each of its texts so many times; names, single words and what is no text stay."""
    if isinstance(content, dict):
        return {key: one if key in NO_TEXT else _longer(one, times) for key, one in content.items()}
    if isinstance(content, list):
        return [_longer(one, times) for one in content]
    return " ".join([content] * times) if isinstance(content, str) and " " in content else content


def _always(**answer: Any) -> Callable[[int], Mapping[str, Any]]:
    return lambda times: answer


def _judged(task_type: str, texts: int, **settings: Any) -> Callable[[int], Campaign]:
    return _of(task_type, lambda: {"source": SOURCE, "references": [], "candidates": list(TEXTS[:texts])}, **settings)


def _of(task_type: str, content: Callable[[], dict[str, Any]], **settings: Any) -> Callable[[int], Campaign]:
    return lambda times: stage_items.campaign_of(
        make.study(items=1), task_type, [_longer(content(), times) for _item in range(2)], **settings
    )


def _labelled(**settings: Any) -> Callable[[int], Campaign]:
    return _of("label", lambda: {"source": SOURCE, "text": TEXTS[0]}, labels=LABELS, **settings)


def _label(number: int) -> str:
    return f"[data-label][value='{LABELS[number]}']"


def _radio(name: str, value: object) -> str:
    return f"input[name='{name}'][value='{value}']"


def _keys(*keys: str) -> Callable[[Hand], None]:
    """The keys that answer, and the one that submits where the last of them does not."""
    return lambda hand: hand.press(*keys, *[] if hand.at_once else ["Control+Enter"])


def _taps(*targets: str) -> Callable[[Hand], None]:
    def do(hand: Hand) -> None:
        for target in targets:
            hand.tap(target)
        _submit(hand)

    return do


def _submit(hand: Hand) -> None:
    if not hand.at_once:
        hand.tap(SUBMIT)


def rate_by_taps(hand: Hand) -> None:
    for place in range(5):
        hand.tap(_radio(f"rating-{place}-formality", 2))
        hand.tap(_radio(f"rating-{place}-fluency", 4))
    for place in range(5):
        hand.tap(_radio(f"rating-{place}-meaning", 5))
    _submit(hand)


def rank_by_keys(hand: Hand) -> None:
    """The last text has the place that is left; at once it is submitted when that is said."""
    hand.press("2", "1", "4", "3" if hand.at_once else "Control+Enter")


def rank_by_taps(hand: Hand) -> None:
    for place in (2, 1, 4):
        hand.tap(f"[data-text='{place}'] .text")
    hand.tap("[data-text='3'] .text" if hand.at_once else SUBMIT)


def rewrite_by_taps(hand: Hand) -> None:
    hand.tap("#text")
    hand.write(TEXTS[0])
    if hand.at_once:
        hand.tap_enter()
    else:
        hand.tap(SUBMIT)


def rewrite_by_keys(hand: Hand) -> None:
    hand.write(TEXTS[0])
    hand.press("Enter" if hand.at_once else "Control+Enter")


def align_by_taps(hand: Hand) -> None:
    source, target = "[data-side-button='source']", "[data-side-button='target']"
    for own, others in (((0,), (0, 1)), ((1,), (2,))):
        for number in own:
            hand.tap(f"label[for='align-source-{number}']")
        hand.tap(target)
        for number in others:
            hand.tap(f"label[for='align-target-{number}']")
        hand.tap("[data-make]")
        if own == (0,):
            hand.tap(source)
    hand.tap(SUBMIT)


def screen_by_taps(hand: Hand) -> None:
    hand.tap("[data-choose='true']")
    hand.tap("#screen-focus")
    hand.write("heart attack")
    hand.tap("#screen-kind")
    hand.write("treatment")
    hand.tap("[data-type='C']")
    for number in range(3):
        hand.tap(f"[data-document] >> nth={number} >> [data-in='true']")
    hand.tap(SUBMIT)


def screen_by_keys(hand: Hand) -> None:
    hand.press("y")
    hand.write("heart attack")
    hand.press("Tab")
    hand.write("treatment")
    hand.press("Escape", "c", "i", "i", "i", "Control+Enter")


def adapt_by_taps(hand: Hand) -> None:
    for number in range(1, 5):
        hand.tap(f"[data-sentence='{number}'] [data-operation='kept']")
    hand.tap(SUBMIT)


def spans_by_taps(hand: Hand) -> None:
    hand.tap("[data-marking='output'] [role='option'] >> nth=1")
    hand.tap("[data-choice][data-value='Minor']")
    hand.tap("input[name='rating-0-score']")
    hand.write("80")
    hand.tap(SUBMIT)


def spans_by_keys(hand: Hand) -> None:
    hand.press("ArrowRight", "1", "Enter")
    hand.write("80")
    hand.press("Control+Enter")


def rephrase_by_taps(hand: Hand) -> None:
    hand.tap("[data-case='unchanged']")
    hand.tap("[data-all-right]")
    hand.tap(SUBMIT)


def _carried(times: int) -> dict[str, Any]:
    return {"sentences": [{"number": number, "operation": "kept", "reason": "", "targets": [text]}
                          for number, text in enumerate(_aspirin(times), 1)]}  # fmt: skip


def _unchanged(times: int) -> dict[str, Any]:
    sentence, addressed = _longer([SENTENCE, SENTENCE.replace("Pt was", "You were")], times)
    return {"unchanged": True, "final": False, "spans": [], "simplified": sentence,
            "rephrased_addressed": [{"full": "", "text": addressed}], "simplified_addressed": addressed}  # fmt: skip


def _aspirin(times: int) -> tuple[str, ...]:
    return tuple(_longer(list(abstracts.ASPIRIN), times))


def _adapt(times: int) -> Campaign:
    return abstracts.campaign(abstracts.study(*[_aspirin(times)] * 2), "adapt")


def _screen(times: int) -> Campaign:
    study = abstracts.study(*[_aspirin(times)] * 3)
    question = Question.objects.create(study=study, number=2, code="q2", text="What else helps?", topic="hearts")
    for number in range(4, 7):
        document = Document.objects.create(
            study=study, number=number, style="expert", code=f"3100{number}", title="Aspirin", question=question
        )
        DocumentSentence.objects.create(document=document, number=1, text=_aspirin(times)[0])
    return abstracts.campaign(study, "screen")


RATED = {"formality": 2, "fluency": 4, "meaning": 5}
KINDS = {
    "rewrite": Kind(
        _of("rewrite", lambda: {"source": SOURCE}), rewrite_by_keys, rewrite_by_taps, _always(text=TEXTS[0])
    ),
    "rate": Kind(_judged("rate", 5), _keys(*["2", "4"] * 5, *["5"] * 5), rate_by_taps, _always(ratings=[RATED] * 5)),
    "rank": Kind(_judged("rank", 4), rank_by_keys, rank_by_taps, _always(ranks=[2, 1, 4, 3])),
    "best_worst": Kind(
        _judged("best_worst", 4),
        _keys("2", "4"),
        _taps(_radio("best", 2), _radio("worst", 4)),
        _always(best=2, worst=4),
    ),
    "verify": Kind(
        _of("verify", stage_items.rewrite_to_check),
        _keys("a"),
        _taps(_radio("verify-verdict", "accept")),
        _always(verdict="accept", reason="", note=""),
    ),
    "spans": Kind(
        _judged("spans", 1),
        spans_by_keys,
        spans_by_taps,
        _always(marks=[MARKED], none=False, ratings=[{"score": 80}]),
    ),
    "label": Kind(
        _labelled(single=True), _keys("2"), _taps(_label(1)), _always(labels=LABELS[1:2], none=False, note="")
    ),
    "align": Kind(
        _of("align", stage_items.group),
        lambda hand: hand.press(
            *("Space", "ArrowRight", "Space", "ArrowDown", "Space", "Enter"),
            *("Space", "ArrowRight", "Space", "Enter", "Control+Enter"),
        ),
        align_by_taps,
        _always(pairs=[{"source": [0], "target": [0, 1]}, {"source": [1], "target": [2]}], none=False),
    ),
    "screen": Kind(
        _screen,
        screen_by_keys,
        screen_by_taps,
        _always(chosen=True, focus="heart attack", kind="treatment", type="C", documents=[True] * 3),
    ),
    "adapt": Kind(_adapt, lambda hand: hand.press("c", "c", "c", "c", "Control+Enter"), adapt_by_taps, _carried),
    "rephrase_simplify": Kind(
        _of("rephrase_simplify", lambda: {"source": SENTENCE, "split": "test"}),
        lambda hand: hand.press("n", "Alt+Enter", "Control+Enter"),
        rephrase_by_taps,
        _unchanged,
    ),
}
SEVERAL = {
    "label, several": Kind(
        _labelled(),
        lambda hand: hand.press("2", "4", "Control+Enter"),
        lambda hand: [hand.tap(_label(1)), hand.tap(_label(3)), hand.tap(SUBMIT)],
        _always(labels=LABELS[1:4:2], none=False, note=""),
    ),
}
"""Work where the last answer cannot be told, so that it is never submitted at once."""
