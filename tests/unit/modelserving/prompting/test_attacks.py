"""What endpoints and models answer in place of a rewrite: each is cleaned to the rewrite, or told in one sentence."""

import json

import pytest
from support.language_model_server import completion, served

from foundation.errors import UserError
from modelserving.prompting.cleaning import KEY, refuses
from modelserving.prompting.model import PromptedModel, service_of
from modelserving.prompting.options import CallOptions, PromptOptions
from modelserving.prompting.template import DRAWN, Examples
from modelserving.run_context import RunContext

SOURCE, GOOD = "u r right about her", "You are right about her."
STYLES = ("informal", "formal")
EMPTY, SEVERAL = "The model's answer is empty.", "The model's answer lists several rewrites."
CUT = "The model's answer ended at 1,024 tokens: allow more."
THOUGHT = "The model's answer is a thought, and nothing else."
CUT_THOUGHT = "The model's answer ended at 1,024 tokens, still in its thoughts: allow more."
NO_JSON = "The model's answer is no JSON with the text 'rewrite'."


@pytest.fixture
def server(monkeypatch):
    with served() as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"far={one.url}")
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "")
        yield one


def says(text, finish="stop", **message):
    def behave(request):
        choice = {"index": 0, "message": {"role": "assistant", "content": text, **message}, "finish_reason": finish}
        return 200, {}, completion(request, choices=[choice])

    return behave


def rewrite(server, behave, source=SOURCE, **options):
    """The output for a source, and the sentences of those without one."""
    server.behave = behave
    chosen = PromptOptions(endpoint="far", model="m", **options)
    model = PromptedModel(
        options=chosen, examples=Examples([], 0, DRAWN, 1), directions=(STYLES,), seed=1, local=False,
        service=service_of(chosen, 1),
    )  # fmt: skip
    said = []
    context = RunContext(say=said.append)
    working = model.within(context)
    (output,) = working.transfer([source], STYLES, CallOptions(retries=0))
    context.tell_refused([("Source 1", source)])
    return output, said, working.signature(STYLES, CallOptions())


def cleaned_to(text, good=GOOD, source=SOURCE, **message):
    return pytest.param(text, source, good, message, id=repr(text)[:60])


@pytest.mark.parametrize(
    ("text", "source", "good", "message"),
    [
        cleaned_to(GOOD),
        cleaned_to(f"<think>He? No, she.</think>\n\n{GOOD}"),
        cleaned_to(GOOD, reasoning_content="He? No, she."),
        cleaned_to(f"“{GOOD}”"),
        cleaned_to(f"Here is the rewritten text:\n\n{GOOD}"),
        cleaned_to(f'Sure! Here is a formal version: "{GOOD}"'),
        cleaned_to(f"Certainly!\n\n{GOOD}"),
        cleaned_to(f"Here you go:\n{GOOD}"),
        cleaned_to(f"Rewritten (formal): {GOOD}"),
        cleaned_to(f"**Formal:** {GOOD}"),
        cleaned_to(f"**Rewritten text**\n{GOOD}"),
        cleaned_to(f"```\n{GOOD}\n```"),
        cleaned_to(f"Here is the text in the style formal:\n```text\n{GOOD}\n```"),
        cleaned_to(f"{GOOD}\n\nNote: I changed 'u' to 'you'."),
        cleaned_to(f"{GOOD}\n\n(Note: the meaning is kept.)\n\nLet me know if you want more."),
        cleaned_to(f"Output: {GOOD}\n\n**Explanation:** 'u' is informal."),
        # what the source has too is the text's own
        cleaned_to('"You are right."', '"You are right."', source='"u r right"'),
        cleaned_to("Answer: it is nine.", "Answer: it is nine.", source="answer: its 9"),
        cleaned_to("I am sorry, I cannot help you with this.", "I am sorry, I cannot help you with this.",
                   source="sry cant help u w this"),
        cleaned_to("Here is where I live.", "Here is where I live."),
        cleaned_to("It is certain: she left.", "It is certain: she left."),
        cleaned_to("Note: she left.", "Note: she left.", source="note: she left"),
        cleaned_to("I cannot complete the form.", "I cannot complete the form.", source="i cant complete teh form"),
        cleaned_to("Sure, I will come.", "Sure, I will come.", source="sure ill come"),
        cleaned_to("The answer is 42.", "The answer is 42.", source="its 42"),
    ],
)  # fmt: skip
def test_an_answer_is_cleaned_to_the_rewrite(server, text, source, good, message):
    assert rewrite(server, says(text, **message), source)[:2] == (good, [])


def told(behave, sentence, **options):
    return pytest.param(behave, sentence, options, id=sentence[:60])


@pytest.mark.parametrize(
    ("behave", "sentence", "options"),
    [
        told(says(""), EMPTY),
        told(says(" \n "), EMPTY),
        told(says(None), EMPTY),
        told(says("```\n```"), EMPTY),
        told(says('""'), EMPTY),
        told(says("You are right ab", "length"), CUT),
        told(says("<think>She? Or", "length"), CUT_THOUGHT),
        told(says("<think>She? Or he?"), THOUGHT),
        told(says("You are", "content_filter"), "The service's filter withheld the model's answer."),
        told(says(None, refusal="No."), "The model declined: “No.”."),
        told(says("I'm sorry, but I can't assist with that request."),
             "The model declined: “I'm sorry, but I can't assist with that request.”."),
        told(says("I cannot help with rewriting this."), "The model declined: “I cannot help with rewriting this.”."),
        told(says("As an AI language model, I do not rewrite such texts."),
             "The model declined: “As an AI language model, I do not rewrite such texts.”."),
        told(says("I’m unable to rewrite this text."), "The model declined: “I’m unable to rewrite this text.”."),
        told(says(f"1. {GOOD}\n2. You are correct about her."), SEVERAL),
        told(says(f"Option 1: {GOOD}\n\nOption 2: You are correct."), SEVERAL),
        told(says('{"rewrite": "You are'), NO_JSON, structured=True),
        told(says('{"text": "You are right."}'), NO_JSON, structured=True),
        told(says('{"rewrite": 7}'), NO_JSON, structured=True),
        told(says('{"rewrite": " "}'), EMPTY, structured=True),
        told(says('{"rewrite": "I cannot help with this request."}'),
             "The model declined: “I cannot help with this request.”.", structured=True),
    ],
)  # fmt: skip
def test_an_answer_without_a_rewrite_is_one_sentence_that_names_the_text(server, behave, sentence, options):
    output, said, _ = rewrite(server, behave, **options)
    assert (output, said) == ("", [f"Source 1: {sentence}"])


@pytest.mark.parametrize("text", [json.dumps({KEY: GOOD}), f"```json\n{json.dumps({KEY: GOOD})}\n```", GOOD])
def test_a_structured_answer_is_its_text_and_a_plain_one_of_an_endpoint_without_schemas_too(server, text):
    assert rewrite(server, says(text), structured=True)[0] == GOOD
    sent = server.requests[0]["response_format"]["json_schema"]
    assert (sent["strict"], sent["schema"]["required"]) == (True, [KEY])


def test_a_cut_answer_is_an_output_where_somebody_wants_it(server):
    assert rewrite(server, says("You are right ab", "length"), keep_cut=True)[0] == "You are right ab"


def refusing(*fields, words):
    """A server that takes none of the fields, and names one at a time."""

    def behave(request):
        found = [field for field in fields if field in request]
        return (*words(found[0])[:1], {}, json.dumps(words(found[0])[1]).encode()) if found else says(GOOD)(request)

    return behave


OPENAI = lambda field: (400, {"error": {  # noqa: E731
    "message": f"Unsupported value: '{field}' does not support this with this model.", "type": "invalid_request_error",
    "param": field, "code": "unsupported_value"}})  # fmt: skip
MISTRAL = lambda field: (422, {"object": "error", "message": {"detail": [{  # noqa: E731
    "type": "extra_forbidden", "loc": ["body", field], "msg": "Extra inputs are not permitted"}]}})  # fmt: skip
AZURE = lambda field: (400, {"error": {"message": f"Unrecognized request argument supplied: {field}"}})  # noqa: E731


@pytest.mark.parametrize("words", [OPENAI, MISTRAL, AZURE])
def test_fields_that_the_endpoint_does_not_take_are_left_out_once_seen_and_said(server, words):
    behave = refusing("temperature", "seed", "response_format", "reasoning_effort", words=words)
    output, said, signature = rewrite(server, behave, structured=True, effort="low", top_p=0.9)
    assert output == GOOD
    assert said == [
        f"The endpoint far takes no {one}; calls go without."
        for one in ("temperature", "seed", "response_format", "reasoning_effort")
    ]
    assert signature.endswith("|left_out:reasoning_effort,response_format,seed,temperature")
    assert set(server.requests[-1]) == {"model", "messages", "max_tokens", "top_p"}
    assert len(server.requests) == 5


def test_a_field_that_is_refused_though_it_was_not_sent_ends_the_run(server):
    server.behave = lambda request: (400, {}, json.dumps(OPENAI("seed")[1]).encode())
    with pytest.raises(UserError, match="refused the request: Unsupported value: 'seed'"):
        rewrite(server, server.behave)
    assert len(server.requests) == 2


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("{", "extra_body: Expected a JSON object, line 1: Expecting property name enclosed in double quotes."),
        ("[1]", 'extra_body: Expected a JSON object, such as {"top_k": 20}.'),
        ('{"n": 4}', "extra_body: 'n' cannot be given here."),
        ('{"max_tokens": 4}', "extra_body: 'max_tokens' cannot be given here."),
        ('{"api_key": "x"}', "extra_body: 'api_key' cannot be given here."),
        ('{"top_k": NaN}', "extra_body: Expected a JSON object."),
    ],
)
def test_further_fields_are_a_json_object_of_fields_that_the_options_do_not_have(text, sentence):
    with pytest.raises(UserError) as caught:
        PromptOptions(extra_body=text)
    assert str(caught.value) == sentence


def test_further_fields_and_the_effort_are_sent_and_signed(server):
    _, _, signature = rewrite(server, says(GOOD), extra_body='{"top_k": 20}', effort="high")
    assert (server.requests[0]["top_k"], server.requests[0]["reasoning_effort"]) == (20, "high")
    assert "|effort:high|extra_body:" in signature


@pytest.mark.parametrize(
    ("said", "source", "rewritten"),
    [
        ("عذرًا، لا أستطيع مساعدتك في هذا الطلب.", "النص جميل", "لا أستطيع مساعدتك.|ما بقدر ساعدك"),
        ("Es tut mir leid, aber dabei kann ich Ihnen nicht helfen.", "du hast recht",
         "Ich kann Ihnen nicht helfen.|kann dir nich helfen"),
        ("Lo siento, pero no puedo reescribir este texto.", "tienes razon", "No puedo ayudarle.|no t puedo ayudar"),
        ("Je suis désolé, mais je ne peux pas vous aider.", "t as raison",
         "Je ne peux pas vous aider.|peux pas taider"),
        ("אני מצטער, אבל אני לא יכול לעזור בזה.", "צודק אחי", "אני לא יכול לעזור לך.|לא יכול לעזור לך"),
        ("很抱歉，我无法协助改写这段文字。", "你说得对", "我无法帮助您。|帮不了你"),
    ],
)  # fmt: skip
def test_refusals_of_the_languages_of_the_pages_are_known_unless_the_source_says_so(
    said: str, source: str, rewritten: str
) -> None:
    output, informal = rewritten.split("|")
    assert refuses(said, source)
    assert not refuses(output, informal), "the rewrite of a text that says so"
    assert not refuses(source, source)
