"""What servers say of one prompt that is too long, or that their filter refuses: it stands alone, the others go on."""

import json

import pytest

from modelserving.prompting.calls import of_status
from modelserving.run_context import FILTERED, TOO_LONG

# Bodies as the servers' own projects show them.
OPENAI = {
    "error": {
        "message": "This model's maximum context length is 8192 tokens. However, your messages resulted in "
        "9000 tokens.",
        "type": "invalid_request_error",
        "param": "messages",
        "code": "context_length_exceeded",
    }
}
VLLM_OLD = {
    "object": "error",
    "message": "This model's maximum context length is 16384 tokens. However, you requested "
    "122946 tokens (112946 in the messages, 10000 in the completion).",
    "type": "BadRequestError",
    "code": 400,
}
VLLM = {
    "error": {
        "message": "You passed 1015 input tokens and requested 10 output tokens. However, the model's context "
        "length is only 1024 tokens.",
        "type": "BadRequestError",
        "param": "input_tokens",
        "code": 400,
    }
}
VLLM_PROMPT = {"message": "The prompt (total length 25938) is too long to fit into the model (context length 4096)."}
LLAMA = {
    "error": {
        "code": 400,
        "message": "request (4390 tokens) exceeds the available context size (4096 tokens), try increasing it",
        "type": "exceed_context_size_error",
        "n_prompt_tokens": 4390,
        "n_ctx": 4096,
    }
}
TGI = {
    "error": "Input validation error: `inputs` tokens + `max_new_tokens` must be <= 4096. Given: 5000 `inputs` tokens "
    "and 20 `max_new_tokens`",
    "error_type": "validation",
}
ANTHROPIC = {
    "type": "error",
    "error": {"type": "invalid_request_error", "message": "prompt is too long: 9 > 8 maximum"},
}
AZURE = {
    "error": {
        "message": "The response was filtered due to the prompt triggering the content management policy.",
        "code": "content_filter",
        "status": 400,
        "innererror": {"code": "ResponsibleAIPolicyViolation"},
    }
}
AZURE_INNER = {"error": {"message": "Filtered.", "code": None, "innererror": {"code": "ResponsibleAIPolicyViolation"}}}
DASHSCOPE = {"error": {"message": "Input data may contain inappropriate content.", "code": "data_inspection_failed"}}
HTML = b"<html><h1>413 Request Entity Too Large</h1></html>"


def failure(status, body):
    return of_status("far", "sk-key", status, {}, body if isinstance(body, bytes) else json.dumps(body).encode())


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, OPENAI), (400, VLLM_OLD), (400, VLLM), (400, VLLM_PROMPT), (400, LLAMA), (500, LLAMA), (422, TGI),
        (400, ANTHROPIC), (413, HTML), (413, {}), (413, b""),
    ],
)  # fmt: skip
def test_a_prompt_that_is_too_long_stands_alone(status, body):
    found = failure(status, body)
    assert (found.alone, found.passes, found.free) == (TOO_LONG, False, True)
    assert found.sentence.startswith("The prompt is too long for the endpoint far")
    assert found.sentence.endswith(".")


@pytest.mark.parametrize(("status", "body"), [(400, AZURE), (400, AZURE_INNER), (400, DASHSCOPE), (422, DASHSCOPE)])
def test_a_prompt_that_a_filter_refuses_stands_alone(status, body):
    found = failure(status, body)
    assert (found.alone, found.passes, found.free) == (FILTERED, False, True)
    assert found.sentence.startswith("The filter of the endpoint far refused the prompt: ")


@pytest.mark.parametrize(
    ("status", "body"),
    [
        (400, {"error": {"message": "temperature must be at most 1", "code": "invalid_value"}}), (400, b""),
        (401, OPENAI["error"]["message"].encode()), (403, AZURE), (404, {"error": {"message": "no such model"}}),
        (429, {"error": {"message": "too many tokens a minute", "code": "rate_limit_exceeded"}}), (503, VLLM),
        (400, [1]), (400, {"error": {"code": ["context_length_exceeded"]}}),
        (400, {"error": None}), (400, {"error": 7}),
    ],
)  # fmt: skip
def test_what_is_wrong_with_all_prompts_stands_not_alone(status, body):
    assert failure(status, body).alone == ""
