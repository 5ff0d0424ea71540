"""Who wrote a sentence that stands in a document: by words, or by characters where a script writes no spaces."""

import pytest

from annotation.independence import _within


@pytest.mark.parametrize(
    ("wrote", "document", "there"),
    [
        ("he was ill .", "that day he was ill . he slept", True),
        ("he was ill", "that day she was ill", False),
        ("was ill", "he was ill", False),  # of two words it is everybody's
        ("病人发烧了。", "三天前病人发烧了。所以住院。", True),
        ("病人发烧了。", "三天前病人没发烧。", False),
        ("ผู้ป่วยมีไข้", "วันนี้ผู้ป่วยมีไข้สูง", True),
        ("病人有 fever 了。", "三天前病人有 fever 了。", True),
    ],
)
def test_a_sentence_is_found_in_a_document(wrote, document, there):
    assert _within({wrote: [7]})(document) == ({7} if there else set())
