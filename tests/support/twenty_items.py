"""Campaigns of twenty items of each kind of work, in English or Arabic, and how a listener does one of them.

A listener knows the accessibility tree and the keyboard: nothing here finds an element by its markup.
"""

from collections.abc import Callable
from typing import Any, NamedTuple

from playwright.sync_api import Locator, Page
from support import abstracts, stage_items
from support import campaigns as make
from support.effort import Hand
from support.items_to_measure import KINDS, LABELS, SENTENCE, SOURCE, TEXTS

from annotation.models import Campaign
from corpora.models import Study

COUNT = 20
LONG = 20  # characters


class QuickHand(Hand):
    """A hand that costs a test little time: a long text is written at one stroke, and nothing is counted."""

    def tap(self, target: Locator | str) -> None:
        (self.page.locator(target) if isinstance(target, str) else target).tap()

    def write(self, text: str) -> None:
        if len(text) > LONG:
            self.page.keyboard.insert_text(text)
        else:
            super().write(text)


class Texts(NamedTuple):
    """What the items of a campaign are made of; `language` is the study's."""

    language: str
    source: str
    rewrites: tuple[str, ...]
    experts: tuple[str, ...]
    laymen: tuple[str, ...]
    abstract: tuple[str, ...]
    sentence: str


ENGLISH = Texts("en", SOURCE, TEXTS, stage_items.EXPERT, stage_items.LAYMAN, abstracts.ASPIRIN, SENTENCE)
FEW = ENGLISH._replace(rewrites=TEXTS[:2])
ARABIC = Texts(
    language="ar",
    source="لازم اشوف العرض مرة ثانية الاسبوع الجاي قبل ما يخلص",
    rewrites=(
        "يجب أن أشاهد العرض مرة أخرى في الأسبوع القادم قبل أن ينتهي.",
        "علي أن أرى العرض ثانية في الأسبوع المقبل قبل نهايته.",
        "أحتاج إلى مشاهدة العرض مجددا في الأسبوع القادم.",
        "لا بد لي من رؤية العرض مرة ثانية قبل انتهائه.",
        "من الضروري أن أحضر العرض مرة أخرى.",
    ),
    experts=("يسبب الانصباب الجنبي ضيق التنفس.", "يكشف الفحص عن خفوت الأصوات.", "يسمع الاحتكاك الجنبي أحيانا."),
    laymen=(
        "قد يؤلمك صدرك عندما تتنفس بعمق.",
        "أكثر الأعراض شيوعا هو ضيق النفس.",
        "يطرق الطبيب على الصدر ويستمع.",
        "لا يشعر بعض الناس بأي أعراض.",
    ),
    abstract=(
        "يقلل الأسبرين من تجلط الدم لدى المرضى.",
        "لا توجد آثار جانبية خطيرة.",
        "شفي معظم الناس خلال أسبوع.",
        "انخفض خطر الوفاة في السنة الأولى.",
    ),
    sentence="وضع المريض على الأكسجين في الأسبوع الماضي.",
)
PLAIN: dict[str, Callable[[Texts], dict[str, Any]]] = {
    "rewrite": lambda texts: {"source": texts.source},
    "rate": lambda texts: {"source": texts.source, "references": [], "candidates": list(texts.rewrites)},
    "rank": lambda texts: {"source": texts.source, "references": [], "candidates": list(texts.rewrites[:4])},
    "best_worst": lambda texts: {"source": texts.source, "references": [], "candidates": list(texts.rewrites[:4])},
    "spans": lambda texts: {"source": texts.source, "references": [], "candidates": list(texts.rewrites[:1])},
    "verify": lambda texts: stage_items.rewrite_to_check(texts.source, texts.rewrites[0]),
    "label": lambda texts: {"source": texts.source, "text": texts.rewrites[0]},
    "align": lambda texts: stage_items.group(texts.experts, texts.laymen),
    "rephrase_simplify": lambda texts: {"source": texts.sentence, "split": "test"},
}
SETTINGS: dict[str, dict[str, Any]] = {"label": {"labels": LABELS}, "verify": {"reasons": ["Wrong meaning"]}}


def campaign_of(name: str, texts: Texts = ENGLISH, prefetch: int = 0) -> Campaign:
    """An open campaign of twenty items of this kind."""
    if name in PLAIN:
        study, content = make.study(items=1), PLAIN[name](texts)
    else:
        study, content = _of_abstracts(name, texts)
    Study.objects.filter(pk=study.pk).update(language=texts.language)
    made = stage_items.campaign_of(study, name, [content] * COUNT, **SETTINGS.get(name, {}))
    Campaign.objects.filter(pk=made.pk).update(prefetch=prefetch)
    return made


def _of_abstracts(name: str, texts: Texts) -> tuple[Study, dict[str, Any]]:
    """A study with a question and its abstracts, and the item that is made of them."""
    study = abstracts.study(*[texts.abstract] * (3 if name == "screen" else 1), text=texts.source)
    return study, abstracts.campaign(study, name).items.get().content


def by_keys(name: str, texts: Texts = ENGLISH) -> Callable[[Hand], Any]:
    """How somebody does an item at a desk; what they write is in the language of the texts."""
    if name != "rewrite":
        return KINDS[name].by_keys
    return lambda hand: [hand.write(texts.rewrites[0]), hand.press("Control+Enter")]


def _press(part: Page | Locator, role: Any, name: str, key: str = "Space") -> None:
    part.get_by_role(role, name=name, exact=True).press(key)


def _write(part: Page, role: Any, name: str, text: str) -> None:
    part.get_by_role(role, name=name, exact=True).focus()
    QuickHand(part).write(text)


def _rate(page: Page) -> None:
    for criterion, level in (("Formality", "2 Formal"), ("Fluency", "5 Perfect"), ("Meaning", "5 Mostly equivalent")):
        for place in (1, 2):
            _press(page.get_by_role("group", name=f"Text {place}: {criterion}", exact=True), "radio", level)


def _rank(page: Page) -> None:
    for place in (1, 2):
        _press(page.get_by_role("group", name=f"Place of text {place}", exact=True), "radio", str(3 - place))


def _best_worst(page: Page) -> None:
    _press(page.get_by_role("group", name="Text 1", exact=True), "radio", "Best")
    _press(page.get_by_role("group", name="Text 2", exact=True), "radio", "Worst")


def _spans(page: Page) -> None:
    _press(page, "listbox", "Text", "1")
    _write(page, "spinbutton", "Score, a number from 0 to 100", "80")


def _align(page: Page) -> None:
    _press(page, "checkbox", ENGLISH.experts[1])
    _press(page, "checkbox", ENGLISH.laymen[2])
    _press(page, "button", "Make the pair", "Enter")


def _screen(page: Page) -> None:
    _press(page, "button", "Choose it", "Enter")
    _write(page, "textbox", "Focus", "heart attack")
    _write(page, "combobox", "Kind", "treatment")
    _press(page, "button", "C · clinical", "Enter")
    for number in range(1, 4):
        _press(page.get_by_role("group", name=f"Abstract {number}: in or out", exact=True), "button", "In", "Enter")


def _adapt(page: Page) -> None:
    for number in range(1, 5):
        _press(page.get_by_role("article", name=f"Sentence {number}", exact=True), "button", "Carry over", "Enter")


def _rephrase(page: Page) -> None:
    _press(page, "button", "Needs no change", "Enter")
    _press(page, "button", "It is right as proposed", "Enter")


# Of FEW, an item of these kinds.
BY_TREE: dict[str, Callable[[Page], None]] = {
    "rewrite": lambda page: _write(page, "textbox", "Rewrite in the other style", TEXTS[0]),
    "rate": _rate,
    "rank": _rank,
    "best_worst": _best_worst,
    "spans": _spans,
    "verify": lambda page: _press(page, "radio", "Accept"),
    "label": lambda page: _press(page, "checkbox", LABELS[1]),
    "align": _align,
    "screen": _screen,
    "adapt": _adapt,
    "rephrase_simplify": _rephrase,
}
