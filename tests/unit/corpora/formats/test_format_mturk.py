import csv
import io
from collections import Counter

import pytest

from corpora.formats import FORMATS, JudgementFormat, RatingColumns, TextFile
from corpora.formats.mturk import read
from foundation.errors import UserError
from foundation.text_keys import text_key

COLUMNS = RatingColumns("Worker", "Origs", "Mods", "Responses", "Target", "Seconds", separator="|")
SCALES = {"fluency": range(1, 6), "formality": range(-3, 4)}
STYLES = ("formal", "informal")
HEADER = ("Worker", "Seconds", "Target", "Origs", "Mods", "Responses")
HIT = ("w1", "60", "formal", "a|b", "A|B", "fluency=5 formality=-2|fluency=1 formality=3")


def batch(*hits, header=HEADER):
    buffer = io.StringIO(newline="")
    csv.writer(buffer).writerows([header, *hits])
    return TextFile(buffer.getvalue().encode(), "batch.csv")


def changed(**cells):
    return tuple(cells.get(name, cell) for name, cell in zip(HEADER, HIT, strict=True))


def error_of(file, columns=COLUMNS, scales=SCALES, styles=STYLES):
    with pytest.raises(UserError) as caught:
        read(file, columns, scales, styles)
    return str(caught.value)


def test_lists_come_apart():
    judgements = read(batch(HIT), COLUMNS, SCALES, STYLES)
    assert [(j.source, j.output, j.criterion, j.value) for j in judgements] == [
        ("a", "A", "fluency", 5),
        ("a", "A", "formality", -2),
        ("b", "B", "fluency", 1),
        ("b", "B", "formality", 3),
    ]
    assert {(j.worker, j.target_style, j.seconds, j.line) for j in judgements} == {("w1", "formal", 30.0, 2)}


def test_the_last_of_a_worker_s_judgements_of_one_text_counts():
    again = changed(Mods="x| A ", Origs="b| a", Responses="fluency=2|fluency=3")
    judgements = read(batch(HIT, again), COLUMNS, SCALES, STYLES)
    found = {(j.criterion, text_key(j.output)): (j.value, j.line) for j in judgements}
    assert len(found) == len(judgements) == 5
    assert found["fluency", "A"] == (3, 3)
    assert found["formality", "A"] == (-2, 2)


def test_another_worker_or_another_direction_is_another_judgement():
    other = changed(Worker="w2")
    back = changed(Target="informal")
    assert len(read(batch(HIT, other, back), COLUMNS, SCALES, STYLES)) == 12


def test_a_target_style_for_each_output():
    judgements = read(batch(changed(Target="formal|informal")), COLUMNS, SCALES, STYLES)
    assert [j.target_style for j in judgements[::2]] == ["formal", "informal"]


def test_target_style_and_seconds_may_be_left_out():
    columns = RatingColumns("Worker", "Origs", "Mods", "Responses", separator="|")
    judgements = read(batch(HIT), columns, SCALES, STYLES)
    assert {(j.target_style, j.seconds) for j in judgements} == {("", None)}


@pytest.mark.parametrize(
    ("cells", "message"),
    [
        ({"Origs": "a"}, "the lists differ in length: 'Origs' 1, 'Mods' 2, 'Responses' 2."),
        ({"Target": "formal|formal|formal"}, "'Target' has 3 styles for 2 outputs; one or 2 were expected."),
        ({"Target": "fromal"}, "the style 'fromal' is not declared; declared are formal, informal."),
        ({"Worker": " "}, "the column 'Worker' is empty."),
        ({"Seconds": "soon"}, "a number of seconds was expected, and not 'soon'."),
        ({"Seconds": "nan"}, "a number of seconds was expected, and not 'nan'."),
        ({"Mods": "A| "}, "output 2: the source or the output is empty."),
        (
            {"Responses": "flency=5|fluency=1"},
            "output 1: the criterion 'flency' is not declared; declared are fluency.",
        ),
        ({"Responses": "fluency=5|fluency=6"}, "output 2: '6' is not on the scale of 'fluency' (1, 2, 3, 4, 5)."),
        ({"Responses": "fluency=5|fluency="}, "output 2: '' is not on the scale of 'fluency' (1, 2, 3, 4, 5)."),
        ({"Responses": "fluency=5|fluency"}, "output 2: 'criterion=value' was expected, and not 'fluency'."),
        ({"Responses": "fluency=5 fluency=4|"}, "output 1: the criterion 'fluency' is judged twice."),
        ({"Responses": "fluency=5|"}, "output 2: the response is empty."),
    ],
)
def test_faults_name_their_line(cells, message):
    assert (
        error_of(batch(HIT, changed(**cells)))
        == f"batch.csv, line 3{',' if message.startswith('output') else ':'} {message}"
    )


def test_a_missing_column():
    file = batch(HIT, header=("WorkerId", *HEADER[1:]))
    assert error_of(file) == "batch.csv, line 1: the header has no column 'Worker'; it has WorkerId."


def test_a_criterion_that_no_response_has():
    assert error_of(batch(HIT), scales={**SCALES, "topic": range(1, 6)}) == (
        "batch.csv: no response judges the criterion topic."
    )


def test_the_amazon_batch(shared):
    columns = RatingColumns(
        *("WorkerId", "Input.origs", "Input.mods", "Answer.responses", "Input.target", "WorkTimeInSeconds")
    )
    scales = dict.fromkeys(("grammaticality", "sentiment", "topic"), range(1, 6))
    file = TextFile(shared / "data/amazon/ratings-amazon.csv", "ratings-amazon.csv")
    form = FORMATS["mturk"]
    assert isinstance(form, JudgementFormat)
    judgements = form.read(file, columns, scales, ("negative", "positive"))
    # 400 HITs x 8 outputs = 3,200 judged texts, of which 42 are one worker's second judgement of equal texts
    assert Counter(j.criterion for j in judgements) == dict.fromkeys(scales, 3_158)
    assert len({j.line for j in judgements}) == 400
    assert Counter(j.target_style for j in judgements)["positive"] > 0
