"""Prompts of templates: what is filled in, and that texts are data."""

import pytest

from foundation.errors import UserError
from modelserving.prompting.template import Template

WAY = ("informal", "formal")


def test_the_prompt_names_both_styles_and_ends_where_the_rewrite_begins() -> None:
    system, user = Template().messages("wat r u doin", WAY, [("gotta go", "I must go.")])
    assert system["role"] == "system"
    assert (
        user["content"].splitlines()[0].startswith('Rewrite the text from the style "informal" in the style "formal".')
    )
    assert user["content"].endswith(
        "Text (informal): gotta go\nRewritten (formal): I must go.\n\n"
        "Text (informal): wat r u doin\nRewritten (formal):"
    )


def test_without_examples_their_place_closes_up_and_the_texts_own_empty_lines_stay() -> None:
    *_, user = Template().messages("one\n\n\n\ntwo", WAY, [])
    assert "alone.\n\nText (informal): one\n\n\n\ntwo\nRewritten" in user["content"]


def test_braces_in_texts_and_examples_and_styles_are_data() -> None:
    *_, user = Template(message="{examples} | {text}").messages(
        "{target_style} {x}", ("{text}", "b"), [("{target}", "{")]
    )
    assert user["content"] == "Text ({text}): {target}\nRewritten (b): { | {target_style} {x}"


def test_other_braces_of_a_template_stay() -> None:
    *_, user = Template(message='Answer as {"text": 1}: {text}').messages("a", WAY, [])
    assert user["content"] == 'Answer as {"text": 1}: a'


def test_no_words_for_the_system_are_no_message() -> None:
    assert [message["role"] for message in Template(system="  ").messages("a", WAY, [])] == ["user"]


@pytest.mark.parametrize(
    ("template", "shots", "where", "says"),
    [
        (Template(message="{txt} {text}"), 0, "message", "no {txt}"),
        (Template(system="{source}"), 0, "system", "no {source}"),
        (Template(message="rewrite this"), 0, "message", "no {text}"),
        (Template(message="{text}"), 2, "message", "no {examples}"),
        (Template(example="{source}"), 1, "example", "{target}"),
    ],
)
def test_a_template_that_lacks_something_is_a_sentence(template: Template, shots: int, where: str, says: str) -> None:
    with pytest.raises(UserError) as caught:
        template.check(shots)
    assert caught.value.where == where
    assert says in caught.value.sentence
