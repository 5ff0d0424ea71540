"""The attention checks of a human study, by the keys under which their judgements are found."""

from typing import NamedTuple

from annotation.models import Item
from evaluation.models import HumanStudy
from foundation.text_keys import text_key


class KeptCheck(NamedTuple):
    """A check: its sentence, the key of its text, its kind, and the key of the text that it was made of."""

    sentence: int
    key: str
    kind: str
    of: str


def kept_checks(human_study: HumanStudy) -> list[KeptCheck]:
    """The checks that were made when the human study opened.

    Those of studies that opened before texts were told apart by case are kept by keys in small letters. The frozen plan
    holds a digest of them, so they stay as they are, and the texts are looked up among those that raters were shown.
    """
    kept = human_study.control_texts
    folded = {check["sentence"] for check in kept if "key" in check}
    shown: dict[tuple[int, str], str] = {}
    if folded:
        items = Item.objects.filter(campaign__in=human_study.campaigns.all(), sentence__in=folded).order_by("pk")
        for sentence, content in items.values_list("sentence_id", "content"):
            for text in content.get("candidates", []):
                shown.setdefault((sentence, text.strip().casefold()), text_key(text))
    return [
        KeptCheck(check["sentence"], text_key(check["text"]), check["kind"], text_key(check["of_text"]))
        if "text" in check
        else KeptCheck(
            check["sentence"], shown.get((check["sentence"], check["key"]), check["key"]), check["kind"],
            shown.get((check["sentence"], check["of"]), check["of"]),
        )
        for check in kept
    ]  # fmt: skip
