"""The prompt of a judge: names are filled in, braces of texts are data, and what lacks a place is refused."""

import pytest

from annotation.scales import SCALES
from evaluation.llm_judge.fields import JudgeFields
from evaluation.llm_judge.prompts import ON_SCALE, SYSTEM, JudgePrompt, in_words
from foundation.errors import UserError
from foundation.options import validate_options


def test_names_are_filled_in_once_and_braces_of_texts_stay():
    prompt = JudgePrompt("", "{source} / {output} / {scale}", "scale")
    asked = prompt.messages({"source": "a {output} b", "output": "{source}", "scale": "1 to 5"})
    assert asked == [{"role": "user", "content": "a {output} b / {source} / 1 to 5"}]


def test_the_scale_is_said_with_its_labels():
    assert in_words(SCALES["fluency_5"]).startswith("1 = ")
    assert " ... 100 = " in in_words(SCALES["sqm_100"])


def test_equal_prompts_have_equal_versions_whatever_ends_lines_have():
    one = JudgePrompt(SYSTEM, ON_SCALE, "scale")
    assert one.version == JudgePrompt(SYSTEM, ON_SCALE.replace("\n", "\r\n"), "scale").version
    assert one.version != JudgePrompt("", ON_SCALE, "scale").version


@pytest.mark.parametrize(("given", "sentence"), [
    ({"message": "How good is {source}?"}, "message: The message has no {output}"),
    ({"message": "{output} {outputs}"}, "message: There is no {outputs}; there are {source_style}"),
    ({"way": "pairs", "message": "{first}"}, "message: The message has no {second}"),
    ({"endpoint": "lab", "folder": "x"}, "folder: The model is at an endpoint or in a folder"),
    ({"samples": 3}, "samples: Several answers need a temperature above 0"),
])  # fmt: skip
def test_what_cannot_be_asked_is_refused(given, sentence):
    with pytest.raises(UserError) as caught:
        validate_options(JudgeFields, {"criterion": "fluency", **given})
    assert str(caught.value).startswith(sentence)
