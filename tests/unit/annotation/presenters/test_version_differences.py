"""Two versions side by side: their lines, without those that both have."""

from annotation.presenters.work import two_versions
from annotation.task_types import TASK_TYPES


def test_of_a_text_both_are_shown_whole():
    kind = TASK_TYPES["rewrite"]
    content, settings = {"source": "gotta go"}, kind.check_settings({})
    both = two_versions(
        kind, content, settings, [], {"text": "I must go."}, {"text": "I have to go.", "unchanged": True}
    )
    assert both == {"here": ["I must go."], "there": ["I have to go.", "unchanged"]}


def test_of_many_fields_only_what_differs_and_place_by_place():
    kind = TASK_TYPES["rank"]
    content = {"source": "u r", "references": [], "candidates": ["a", "b", "c"]}
    here, there = {"ranks": [1, 2, None]}, {"ranks": [1, 3, None]}
    both = two_versions(kind, content, kind.check_settings({}), [2, 1, 0], here, there)
    assert both == {"here": ["ranks 2: 2"], "there": ["ranks 2: 3"]}
