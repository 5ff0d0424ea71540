from evaluation.metrics import METRICS, MetricInput

EDITS = METRICS["edit_distance"]


def test_equals_nltk(texts):
    from nltk.metrics.distance import edit_distance

    theirs = [edit_distance(source, output) for source, output in zip(texts.sources, texts.outputs, strict=True)]
    assert max(theirs) > 10
    assert EDITS.score(texts).sentences.tolist() == theirs


def test_by_hand():
    scores = EDITS.score(MetricInput(["kitten", "flaw", "same", "gotta"], ["sitting", "lawn", "same", "got to"], []))
    assert scores.sentences.tolist() == [3, 2, 0, 2]
    assert scores.corpus == 7 / 4
    assert scores.details == {"median": 2}


def test_counts_characters_not_bytes():
    assert EDITS.score(MetricInput(["café", "x"], ["cafe", "😀"], [])).sentences.tolist() == [1, 1]


def test_case_counts_unless_put_aside():
    batch = MetricInput(["OMG yes"], ["omg Yes"], [])
    assert EDITS.score(batch).corpus == 4
    assert EDITS.score(batch, lowercase=True).corpus == 0


def test_an_empty_output_is_as_far_as_the_source_is_long():
    assert EDITS.score(MetricInput(["gone", ""], ["", "new"], [])).sentences.tolist() == [4, 3]
