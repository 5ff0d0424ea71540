"""The best of several rewrites: by a metric of text and rewrite, or of the rewrites among themselves."""

import json
import random
from dataclasses import replace

import pytest
import sacrebleu
from support.language_model_server import completion, served
from support.styled_texts import preferred

from evaluation.learned_scorers.training_material import TrainingMaterial
from foundation.errors import UserError
from modelserving.prompting.choosing import best_of, check_metric
from modelserving.prompting.model import PromptedModel, load_prompted, service_of
from modelserving.prompting.options import CallOptions, PromptOptions
from modelserving.prompting.template import DRAWN, Examples
from modelserving.run_context import RunContext

STYLES = ("informal", "formal")
WORDS = ["the", "a", "cat", "dog", "sat", "lay", "on", "under", "mat", "rug"]


def test_minimum_bayes_risk_takes_the_rewrite_nearest_to_the_others():
    """Against sacreBLEU's chrF of each pair, summed by hand."""
    draws = random.Random(3)  # noqa: S311 (no secret)
    for _ in range(20):
        rewrites = [" ".join(draws.choices(WORDS, k=draws.randint(3, 7))) for _ in range(draws.randint(2, 6))]
        rewrites += draws.choices(rewrites, k=2)
        gains = [
            sum(sacrebleu.sentence_chrf(one, [other]).score for at, other in enumerate(rewrites) if at != place)
            for place, one in enumerate(rewrites)
        ]
        best = best_of("a source", rewrites, "chrf")
        assert gains[rewrites.index(best)] == pytest.approx(max(gains))


def test_a_metric_of_the_text_and_the_rewrite_needs_no_others():
    assert best_of("the cat sat", ["the cat sat", "a dog lay down", "the cat lay"], "pinc") == "a dog lay down"


def judged():
    """128 judged pairs: people prefer the formal text."""
    pairs = preferred()
    return TrainingMaterial(preferences=[*pairs, *((f"{source} again", *rest) for source, *rest in pairs)])


def test_a_reward_model_of_peoples_judgements_chooses():
    rewrites = ["lol dude check the report", "the committee regrets the report", "gonna grab some tea"]
    assert check_metric("preference_reward", "best_by", chooses=True).label == "Reward"
    assert best_of("omg i love the report", rewrites, "preference_reward", judged=judged()) == rewrites[1]
    with pytest.raises(UserError, match="There are too few judgements to learn from"):
        best_of("omg i love the report", rewrites, "preference_reward", judged=TrainingMaterial())
    with pytest.raises(UserError, match="tune_by: Reward cannot be computed here: it needs preferences"):
        check_metric("preference_reward", "tune_by")


def test_what_people_judged_is_kept_with_the_model_and_named_in_its_signature(server, tmp_path):
    model = replace(model_of(samples=2, temperature=1.0, best_by="preference_reward"), judged=judged())
    model.save(tmp_path)
    again = load_prompted(tmp_path)
    assert again.judged.preferences == model.judged.preferences
    assert again.signature(STYLES, CallOptions()) == model.signature(STYLES, CallOptions())
    assert f"|preferences:{judged().digest('preferences')}" in model.signature(STYLES, CallOptions())
    (tmp_path / "preferences.json").write_text('[["a", "b", "c", 7]]')
    with pytest.raises(UserError, match="A margin is above 0 and at most 1"):
        load_prompted(tmp_path)


def test_a_metric_of_which_less_is_better_takes_the_least():
    assert best_of("x", ["the cat sat", "the cat sat", "a dog lay under it"], "ter") == "the cat sat"


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("style_accuracy", "best_by: Style acc. cannot be computed here: it needs styles, texts."),
        ("fkgl", "best_by: FKGL has no better end by which one could choose."),
    ],
)
def test_a_metric_that_cannot_choose_is_one_sentence(name, sentence):
    with pytest.raises(UserError) as caught:
        check_metric(name, "best_by", chooses=True)
    assert str(caught.value) == sentence


def test_several_outputs_without_a_temperature_are_refused():
    with pytest.raises(UserError, match="samples: Several outputs need a temperature above 0"):
        PromptOptions(samples=2)


@pytest.fixture
def server(monkeypatch):
    with served() as one:
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODELS", f"far={one.url}")
        monkeypatch.setenv("RESTYLE_LANGUAGE_MODEL_KEYS", "")
        yield one


def model_of(**options):
    chosen = PromptOptions(endpoint="far", model="m", **options)
    return PromptedModel(
        options=chosen, examples=Examples([], 0, DRAWN, 1), directions=(STYLES,), seed=5, local=False,
        service=service_of(chosen, 5),
    )  # fmt: skip


def test_samples_have_seeds_of_their_own_and_are_chosen_among_the_usable_and_asked_once(server):
    said = {5: "You are right about her.", 6: "", 7: "She is a cat.", 8: "You are right about it."}

    def behave(request):
        choice = [{"index": 0, "message": {"content": said[request["seed"]]}, "finish_reason": "stop"}]
        return 200, {}, completion(request, choices=choice)

    server.behave = behave
    context = RunContext()
    model = model_of(samples=4, temperature=1.0).within(context)
    assert list(model.transfer(["u r right", "", "u r right"], STYLES, CallOptions())) == [said[5], "", said[5]]
    assert sorted(request["seed"] for request in server.requests) == [5, 6, 7, 8]
    assert context.refused == {}
    assert "|samples:4|best_by:chrf" in model.signature(STYLES, CallOptions())
    said.update(dict.fromkeys(said, "I cannot help with that."))
    assert list(model_of(samples=4, temperature=0.9).within(context).transfer(["u"], STYLES, CallOptions())) == [""]
    assert context.refused["u"].sentence == "The model declined: “I cannot help with that.”."


@pytest.mark.parametrize(
    ("usage", "price_cached", "cost", "cached"),
    [
        ({"prompt_tokens_details": {"cached_tokens": 80}}, 100.0, 0.020 + 0.008 + 0.020, 80),
        ({"prompt_cache_hit_tokens": 80}, 100.0, 0.020 + 0.008 + 0.020, 80),  # as DeepSeek's servers tell it
        ({"prompt_tokens_details": {"cached_tokens": 80}}, 0.0, 0.100 + 0.020, 80),
        ({"prompt_tokens_details": {"cached_tokens": 8000}}, 100.0, 0.010 + 0.020, 100),  # no more than there are
        ({"prompt_tokens_details": None}, 100.0, 0.100 + 0.020, 0),
        ({"prompt_tokens_details": {"cached_tokens": "80"}}, 100.0, 0.100 + 0.020, 0),
    ],
)
def test_tokens_that_the_endpoint_had_in_its_cache_have_a_price_of_their_own(server, usage, price_cached, cost, cached):
    counted = {"prompt_tokens": 100, "completion_tokens": 10, **usage}
    server.behave = lambda request: (200, {}, completion(request, usage=counted))
    context = RunContext()
    model = model_of(price_input=1000.0, price_output=2000.0, price_cached=price_cached).within(context)
    list(model.transfer(["u r right"], STYLES, CallOptions(most_cost=5.0)))
    assert context.usage.cost == pytest.approx(cost)
    assert context.usage.most == pytest.approx(cost)
    assert context.usage.cached == cached


def test_what_is_the_same_in_all_prompts_stands_first(server):
    """Servers keep the common beginning of prompts in a cache."""
    pairs = [(f"source {n}", f"target {n}") for n in range(4)]
    model = model_of(shots=3)
    model.examples = Examples(pairs, 3, DRAWN, 1)
    first, second = (json.dumps(model.prompt(text, STYLES)) for text in ("aaa", "bbb"))
    common = next(place for place in range(len(first)) if first[place] != second[place])
    assert first[common:].startswith("aaa")
    assert all(f"target {n}" in first[:common] or f"target {n}" not in first for n in range(4))
