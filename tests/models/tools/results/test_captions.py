"""Fu's experiment: what is trained and tested on, on made captions; the orders that are found."""

from pathlib import Path
from typing import Any

import pytest

from foundation.errors import UserError
from modelserving.transfer import TRANSFERS
from tools.results import caption_data, captions, captions_table, published_outputs
from tools.results.resumable_training import RunEnvironment
from tools.results.run_store import RunStore
from tools.results.table_rows import ResultRow

WORDS = {0: "funny dog", 1: "lovely dog"}


@pytest.fixture
def made(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Thirty captions of each style, of which six are held out."""
    monkeypatch.setattr(caption_data, "HELD_OUT", 6)
    folder = tmp_path / "captions"
    folder.mkdir()
    for style, words in WORDS.items():
        for part, count in (("train", 30), ("dev", 6), ("test", 4)):
            lines = [f"a {words if part != 'test' else 'dog'} runs {i} times ." for i in range(count)]
            (folder / f"sentiment.{part}.{style}").write_text("\n".join(lines) + "\n")
        rewrites = [f"a dog runs {i} times .\ta {WORDS[1 - style]} runs {i} times .\t1" for i in range(4)]
        (folder / f"reference.{style}").write_text("\n".join(rewrites) + "\n")
    return folder


def test_a_line_that_is_not_utf8_and_long_ones_are_left_out(made: Path) -> None:
    with (made / "sentiment.train.1").open("r+b") as file:
        file.write(b"\xe9")
    with (made / "sentiment.train.0").open("a") as file:
        file.write("word " * 21 + "\n")
    read = caption_data.read(made)
    assert {style: len(texts) for style, texts in read.data.texts.items()} == {"humorous": 25, "romantic": 23}
    assert len(read.tests["styled"].sources) == 5 + 6


def test_nothing_that_is_tested_was_trained_on(made: Path) -> None:
    read = caption_data.read(made)
    seen = {text for texts in (*read.data.texts.values(), *read.data.dev_texts.values()) for text in texts}
    styled, factual = read.tests["styled"], read.tests["factual"]
    assert not seen & {*styled.sources[-2:], *factual.sources}
    assert set(zip(styled.styles, styled.targets, strict=True)) == {caption_data.STYLES, caption_data.STYLES[::-1]}
    assert set(zip(factual.styles, factual.targets, strict=True)) == {
        ("factual", style) for style in caption_data.STYLES
    }


def test_peoples_captions_are_of_the_style_that_they_are_moved_into(made: Path) -> None:
    """The files of Li et al. have the number of the style that is left: 57 of 300 in .0 speak of love, 4 in .1."""
    found = caption_data.read(made).rewrites
    assert found["a dog runs 2 times .", "romantic"] == "a lovely dog runs 2 times ."
    assert found["a dog runs 2 times .", "humorous"] == "a funny dog runs 2 times ."


def test_the_runs_are_those_of_the_papers_tables() -> None:
    found = list(captions.runs([]))
    single = [one for one in found if one.model in captions.SINGLE]
    assert len(found) == len({one.name for one in found}) == 45 + len(single)
    assert [(one.name) for one in single if one.model not in captions.BY_CHANCE] == [
        "retrieve_only-seed1", "template_based-seed1"
    ], "no chance is in them"  # fmt: skip
    assert len(single) == 2 + 3 * len(captions.BY_CHANCE)
    for name, published in captions_table.PUBLISHED.items():
        assert [tuple(each.values()) for each in captions.DIMENSIONS[name]] == list(published)
    with pytest.raises(UserError, match="pbmt"):
        list(captions.runs(["pbmt"]))


def test_a_run_is_judged_and_stands_in_the_table(made: Path, tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(captions, "SEEDS", (1,))
        patch.setattr(captions, "DIMENSIONS", {"auto_encoder": [{"hidden": 8}]})
        captions.run(made, store, RunEnvironment(tmp_path), ["auto_encoder"], {"epochs": 1, "batch": 8})
        text = captions_table.table(store)
    run = next(one for one in store.all().values() if one["model"] == "auto_encoder")
    assert run["key"]["place"]["device"] == "cpu"
    assert 0 <= run["styled"]["strength"] <= 1
    assert run["key"]["options"]["epochs"] == 1
    assert len(run["factual"]["samples"]) == 5
    low, high = run["styled"]["intervals"]["strength"]
    assert low <= run["styled"]["strength"] <= high
    assert store.all()["copied"]["styled"]["preservation"] == pytest.approx(1.0)
    for label in ("the source, copied", "any caption of the style", "30% of the words replaced at random"):
        assert f"| {label} |" in text
    assert "a person's caption" in text
    assert "What each makes of 5 sources" in text


def test_the_models_of_the_captions_paper_have_a_table_with_bleu(made: Path, tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(captions, "SEEDS", (1,))
        patch.setattr(captions, "SINGLE", {name: {"threshold": 5.0, "least_content": 0} for name in captions.MARKED})
        captions.run(made, store, RunEnvironment(tmp_path), ["template_based"], {"epochs": 1})
        text = captions_table.table(store)
    found = {one["model"]: one for one in store.all().values() if one["model"]}
    assert found["template_based"]["key"]["options"]["threshold"] == 5.0
    assert "| `template_based` | 1 |" in text
    assert "Still to be made: `retrieve_only`." in text


def test_the_outputs_that_the_authors_published_stand_beside_ours(made: Path, tmp_path: Path) -> None:
    store, outputs = RunStore(tmp_path / "runs"), made / "outputs"
    outputs.mkdir()
    for ending in published_outputs.SYSTEMS.values():
        for left, words in enumerate((WORDS[1], WORDS[0])):
            lines = [f"a dog runs {i} times .\ta {words} runs {i} times .\t{left}\n" for i in range(4)]
            (outputs / f"sentiment.test.{left}.{ending}").write_text("".join(lines))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(captions, "SEEDS", (1,))
        patch.setattr(captions, "SINGLE", {"template_based": {"threshold": 5.0, "least_content": 0}})
        captions.run(made, store, RunEnvironment(tmp_path), ["template_based"], {})
        text = captions_table.table(store)
    line = next(line for line in text.splitlines() if line.startswith("| template based |"))
    cells = [cell.strip() for cell in line.strip("|").split("|")]
    assert cells[3] == "100.000", "the outputs are people's captions"
    assert all(float(cell) >= 0 for cell in cells[4:])
    cross = next(line for line in text.splitlines() if line.startswith("| cross aligned |"))
    assert cross.count("–") == 3, "it is no model of ours"
    (outputs / "sentiment.test.1.mit").write_text("")
    with pytest.raises(UserError, match=r"no output for 'a dog runs 0 times \.' in the files \*\.mit"):
        captions.run(made, RunStore(tmp_path / "others"), RunEnvironment(tmp_path), ["template_based"], {})


def test_controlled_generation_has_its_authors_network_and_more_weight_on_style(made: Path, tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs")
    small = {"epochs": 2, "pretraining": 1, "hidden": 8, "content": 8, "embedding": 8, "style": 4, "filters": 4}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(captions, "SEEDS", (1,))
        captions.run(made, store, RunEnvironment(tmp_path), ["controlled_gen"], small)
        text = captions_table.table(store)
    found = next(one for one in store.all().values() if one["model"] == "controlled_gen")
    assert found["key"]["options"]["base"] == "attention"
    assert found["key"]["options"]["attribute"] == 1.0
    assert "| `controlled_gen` | 1 |" in text


def test_the_systems_of_msd_stand_in_that_table_too(made: Path, tmp_path: Path) -> None:
    store = RunStore(tmp_path / "runs")
    given = {"epochs": 1, "batch": 8, "hidden": 8, "embedding": 4, "filters": 2, "adversarial_begin": 2}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(captions, "SEEDS", (1,))
        captions.run(made, store, RunEnvironment(tmp_path), ["unts"], given)
        text = captions_table.table(store)
    (found,) = [one for one in store.all().values() if one["model"]]
    assert found["key"]["options"]["both_directions"]
    assert found["key"]["options"]["hidden"] == 8
    assert "| `unts` | 1 |" in text


def test_the_style_transformer_stands_beside_them(made: Path, tmp_path: Path) -> None:
    store, tiny = RunStore(tmp_path / "runs"), {"hidden": 8, "heads": 2, "layers": 1, "feedforward": 8, "pretrain": 1}
    given = {"epochs": 1, "batch": 8, "discriminator_updates": 1, "generator_updates": 1}
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(captions, "SEEDS", (1,))
        patch.setitem(captions.SINGLE, "style_transformer", {**captions.STYLE_TRANSFORMER, **tiny})
        captions.run(made, store, RunEnvironment(tmp_path), ["style_transformer"], given)
        text = captions_table.table(store)
    found = next(one for one in store.all().values() if one["model"] == "style_transformer")
    assert found["key"]["options"]["longest"] == 20
    assert found["bleu"] is not None
    assert "| `style_transformer` | 1 |" in text


def test_bleu_is_of_peoples_captions_in_the_style_moved_into(made: Path) -> None:
    read = caption_data.read(made)
    test = read.tests["factual"]
    people = [read.rewrites[pair] for pair in zip(test.sources, test.targets, strict=True)]
    assert read.bleu(people) == pytest.approx(100)
    assert 0 < (read.bleu(test.sources) or 0) < 100


def run(model: str, strength: float, preservation: float, **dimensions: int) -> dict[str, Any]:
    scores = {"strength": strength, "preservation": preservation}
    return {"model": model, "dimensions": dimensions, "seed": 1, "styled": scores, "factual": scores}


def made_row(name: str, strength: float, preservation: float, **more: Any) -> ResultRow:
    return ResultRow(name, [{"label": name, "knows_nothing": False, **run(name, strength, preservation), **more}])


def test_a_model_that_is_below_chance_or_beaten_in_both_failed() -> None:
    copied = made_row("copied", 0.2, 1.0, knows_nothing=True)
    copied.first["styled"]["lower_bound"] = 0.8
    bars = [copied, made_row("any", 0.95, 0.79, knows_nothing=True), made_row("human", 0.99, 0.99)]
    assert captions_table.below_chance(made_row("m", 0.9, 0.79), 0.8)
    assert not captions_table.below_chance(made_row("m", 0.9, 0.80), 0.8)
    assert captions_table.beaten_by(made_row("m", 0.9, 0.78), bars) == [bars[1]], "people do know something"
    assert captions_table.beaten_by(made_row("m", 0.96, 0.78), bars) == []


def test_orders_are_said_as_they_are_found() -> None:
    runs = [run("auto_encoder", 0.1, 0.9), run("style_embedding", 0.5, 0.7), run("style_embedding", 0.7, 0.7)]
    assert captions_table.order(runs, "styled", "strength") == ""
    runs.append(run("multi_decoder", 0.9, 0.8))
    assert captions_table.order(runs, "styled", "strength").endswith(
        "`auto_encoder` 0.100 < `style_embedding` 0.600 < `multi_decoder` 0.900; the order of Fu's titles."
    )
    assert captions_table.order(runs, "styled", "preservation").endswith(
        "`style_embedding` 0.700 < `multi_decoder` 0.800 < `auto_encoder` 0.900; not the order of Fu's titles."
    )


def test_models_are_named_as_they_are_here() -> None:
    assert {*captions.DIMENSIONS, *captions.SINGLE} <= set(TRANSFERS.names())
