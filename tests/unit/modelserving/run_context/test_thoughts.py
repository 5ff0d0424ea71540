"""Thoughts in the forms that models write them, as the documentation of vLLM's reasoning parsers shows them
(https://docs.vllm.ai/en/stable/features/reasoning_outputs/), and OpenAI's of Harmony
(https://cookbook.openai.com/articles/openai-harmony)."""

import pytest

from modelserving.run_context import UnfinishedThought, without_thoughts

SAID = "She likes it."
HARMONY = "<|channel|>analysis<|message|>We need it plain.<|end|><|start|>assistant<|channel|>final<|message|>"


@pytest.mark.parametrize(
    "before",
    [
        "<think>\nHm: hard.\n</think>\n\n",  # DeepSeek R1, Qwen3, QwQ
        "Hm: hard.\n</think>\n\n",  # whose template begins the thought
        "<think>\n\n</think>\n\n",  # Qwen3 told not to think
        "<thinking>Is <think> a tag? </think> No.</thinking>",
        "<reasoning>One way. Another.</reasoning>\n",
        "<seed:think>Hm.</seed:think>",  # Seed-OSS
        "[THINK]Hm: hard.[/THINK]",  # Magistral
        "◁think▷Hm: hard.◁/think▷",  # Kimi
        "<|channel>thought\nHm: hard.<channel|>\n",  # Gemma 4
        "<|START_THINKING|>Hm.<|END_THINKING|><|START_RESPONSE|>",  # Cohere
        HARMONY,  # gpt-oss
        f"{HARMONY[:-11]} <|constrain|>json<|message|>",
        "analysisWe need it plain.assistantfinal",  # gpt-oss of a server that leaves out its tokens
        "Here is my thought process:\nHm.\nHere is my response:\n",  # Granite
    ],
)
def test_a_thought_is_cut(before):
    assert without_thoughts(f"{before}{SAID}").strip() == SAID


def test_what_is_around_the_answer_goes_with_the_thought():
    assert without_thoughts(f"<think>Hm.</think>\n<answer>\n{SAID}\n</answer>").strip() == SAID
    assert without_thoughts(f"{HARMONY}{SAID}<|return|>") == SAID
    assert without_thoughts(f"<|START_THINKING|>x<|END_THINKING|><|START_RESPONSE|>{SAID}<|END_RESPONSE|>") == SAID


@pytest.mark.parametrize(
    "answer",
    [
        "<think>\nHm: She likes it? She",
        "[THINK]Hm",
        "<reasoning>Hm",
        "<think>",
        "<think>Hm.</think>",
        "<think>Hm.</think>\n \n",
        "<think>One.</think> <think>Two",
        f"{SAID} <think>Is that so?</think>",
        "<|channel|>analysis<|message|>We need",
        "<|channel|>analysis<|message|>We need it plain.<|end|><|start|>assistant<|channel|>fi",
        HARMONY,
        "analysisThe user wants",
        "Here is my thought process:\nHm.",
    ],
)
def test_a_thought_without_an_answer_is_none(answer):
    with pytest.raises(UnfinishedThought):
        without_thoughts(answer)


@pytest.mark.parametrize(
    "answer",
    [
        SAID, "", "  ", "I think <b>so</b>.", "analysis shows that it helps", "Final analysis: it helps.",
        "[think] hard", "<answer>It is.</answer>", "An answer > another < a third", "It ends.<|end|>",
    ],
)  # fmt: skip
def test_an_answer_without_thoughts_stays_as_it_came(answer):
    assert without_thoughts(answer) == answer
