import random

import pytest
import sacrebleu
from sacrebleu.metrics.lib_ter import translation_edit_rate

from evaluation.metrics import METRICS, MetricInput

TER = METRICS["ter"]


def test_equals_sacrebleu(texts, golden):
    for case in golden("ter")["cases"]:
        scores = TER.score(texts, **case["settings"])
        assert scores.corpus == pytest.approx(case["corpus"], abs=1e-9)
        assert scores.sentences == pytest.approx(case["sentences"], abs=1e-9)


def test_takes_differing_numbers_of_references(uneven, golden):
    assert TER.score(uneven).corpus == pytest.approx(golden("ter")["uneven"], abs=1e-9)


def test_by_hand():
    """A shifted phrase is one edit: 'c d' moved over 'a b', in a sentence of five words."""
    scores = TER.score(MetricInput([], ["c d a b e", "x b"], [["a b c d e"], ["a b"]]))
    assert scores.sentences == pytest.approx([20, 50])
    assert scores.details == {"edits": 2, "reference_length": 7}
    assert scores.corpus == pytest.approx(200 / 7)


def test_case_is_a_setting_and_said():
    batch = MetricInput([], ["A b"], [["a b"]])
    assert TER.score(batch).corpus == 0
    assert "|case:lc|" in TER.score(batch).signature
    assert TER.score(batch, lowercase=False).corpus == 50
    assert "|case:mixed|" in TER.score(batch, lowercase=False).signature


def test_empty_sides():
    scores = TER.score(MetricInput([], ["", "a b", ""], [["a b c"], [""], [""]]))
    assert scores.sentences.tolist() == [100, 100, 0]
    assert scores.corpus == pytest.approx(100 * 5 / 3)
    assert TER.score(MetricInput([], ["a b"], [[""]])).corpus == 100


def edits(output, *references):
    return TER.score(MetricInput([], [output], [list(references)]), lowercase=False).details["edits"]


def drawn(seed, longest, vocabulary):
    """Words drawn at random, or a reference with words moved, changed, left out and put in."""
    numbers = random.Random(seed)  # noqa: S311
    words = [f"w{i}" for i in range(vocabulary)]
    reference = numbers.choices(words, k=numbers.randint(0, longest))
    output = list(reference) if seed % 2 else numbers.choices(words, k=numbers.randint(0, longest))
    for _ in range(numbers.randint(0, 6) if output else 0):
        at, length = numbers.randrange(len(output) + 1), numbers.randint(1, 12)
        moved, output[at : at + length] = output[at : at + length], []
        at = numbers.randint(0, len(output))
        output[at:at] = numbers.choice([moved, [], numbers.choices(words, k=length)])
    return " ".join(output), " ".join(reference)


@pytest.mark.parametrize(
    "seeds", [range(40), pytest.param(range(40, 120), marks=pytest.mark.soak)], ids=("few", "more")
)
@pytest.mark.parametrize("vocabulary", [2, 5, 30])
def test_random_texts_have_sacrebleus_edits(vocabulary, seeds):
    for seed in seeds:
        output, reference = drawn(seed, 24, vocabulary)
        expected = translation_edit_rate(output.split(), reference.split())[0]
        assert edits(output, reference) == expected, (output, reference)


@pytest.mark.parametrize("seed", range(6))
def test_long_texts_have_sacrebleus_edits_within_its_beam(seed):
    output, reference = drawn(seed, 110, 40)
    assert edits(output, reference) == translation_edit_rate(output.split(), reference.split())[0]


@pytest.mark.parametrize(
    ("output", "reference"),
    [
        pytest.param("a " * 40 + "x y", "x y " + "a " * 40, id="moved farther than the beam is wide"),
        pytest.param(" ".join(f"o{i}" for i in range(60)), " ".join(f"r{i}" for i in range(58)), id="nothing shared"),
        pytest.param("b", " ".join(f"r{i}" for i in range(80)) + " b", id="one word against many: a wider beam"),
        pytest.param(" ".join(f"r{i}" for i in range(80)), "r79", id="many words against one"),
        pytest.param(
            "x y " + " ".join(f"w{i}" for i in range(70)), " ".join(f"w{i}" for i in range(70)) + " x y",
            id="farther than words are shifted",
        ),
        pytest.param(
            " ".join(f"s{i}" for i in range(14)) + " a b c", "a b c " + " ".join(f"s{i}" for i in range(14)),
            id="more words than are shifted at once",
        ),
        pytest.param("a b c d e " * 10, "e d c b a " * 10, id="more shifts than are looked at"),
        pytest.param(
            " ".join(f"q{i}" for i in range(30)) + " k l m " + " ".join(f"p{i}" for i in range(30)) + " z",
            " ".join(f"p{i}" for i in range(30)) + " m l k " + " ".join(f"q{i}" for i in range(30)),
            id="a distance within the beam that is not the plain one",
        ),
    ],
)  # fmt: skip
def test_edge_cases_have_sacrebleus_edits(output, reference):
    assert edits(output, reference) == translation_edit_rate(output.split(), reference.split())[0]


def test_of_several_references_the_nearest_counts():
    for seed in range(60):
        output, *_ = drawn(seed, 16, 4)
        references = [drawn(seed + at, 16, 4)[1] for at in range(1000, 1004)]
        expected = min(translation_edit_rate(output.split(), reference.split())[0] for reference in references)
        assert edits(output, *references) == expected


@pytest.mark.parametrize("system", ["orgin", "retrieval"])
def test_equals_sacrebleu_on_the_amazon_outputs(amazon, system):
    batch = amazon(system)
    theirs = sacrebleu.TER()
    outputs, references = batch.outputs[:250], [refs[0] for refs in batch.references[:250]]
    scores = TER.score(MetricInput([], outputs, [[reference] for reference in references]))
    assert scores.corpus == pytest.approx(theirs.corpus_score(outputs, [references]).score, abs=1e-9)
    expected = [
        theirs.sentence_score(*pair).score
        for pair in zip(outputs, [[reference] for reference in references], strict=True)
    ]
    assert scores.sentences == pytest.approx(expected, abs=1e-9)


def test_equals_sacrebleu_on_asset(asset):
    outputs, references = asset.outputs[:60], [refs[:3] for refs in asset.references[:60]]
    theirs = sacrebleu.TER(normalized=True, case_sensitive=True)
    scores = TER.score(MetricInput([], outputs, references), normalized=True, lowercase=False)
    expected = [theirs.sentence_score(*pair).score for pair in zip(outputs, references, strict=True)]
    assert scores.sentences == pytest.approx(expected, abs=1e-9)
    streams = [list(each) for each in zip(*references, strict=True)]
    assert scores.corpus == pytest.approx(theirs.corpus_score(outputs, streams).score, abs=1e-9)
