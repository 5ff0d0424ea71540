"""What a training is trained on: what the study has in train and tune when it begins, and nothing of test."""

import pytest
from support.training_studies import TUNE, WORDS, fill, pairs, training_study

from corpora.actions.add_direction import add_direction
from corpora.models import Reference, ReferenceSet
from corpora.texts import streamed_units
from modelserving.training.dataset import TrainingData, digest, read_dataset
from modelserving.training_runs import dataset_snapshot

pytestmark = pytest.mark.django_db
STYLES = ("informal", "formal")


def frozen(study, folder, styles=STYLES, direction=True) -> TrainingData:
    chosen = study.directions.get(source_style=styles[0], target_style=styles[1]) if direction else None
    return dataset_snapshot.take_snapshot(study, styles, chosen, folder)


def test_pairs_and_tune_sets_are_those_of_the_splits(tmp_path):
    texts = pairs(24)
    data = frozen(training_study(24, references=2), tmp_path)
    train, tune = texts[: 24 - 2 * TUNE], texts[24 - 2 * TUNE : 24 - TUNE]
    assert list(data.train.sources) == [source for source, _ in train for _ in range(2)]
    assert list(data.train.targets) == [text for _, one in train for text in (one, f"{one} (1)")]
    assert list(data.dev.sources) == [source for source, _ in tune]
    assert data.dev.of_each == [[one, f"{one} (1)"] for _, one in tune]
    assert data.direction == STYLES
    assert "pt" in data.dictionary


def test_texts_of_a_style_come_from_every_direction(tmp_path):
    study = training_study(12)
    back = add_direction(study=study, source_style="formal", target_style="informal")
    fill(back, [(f"{b} back", f"{a} back") for a, b in pairs(12)])
    data = frozen(study, tmp_path, direction=False)
    assert list(data.texts["informal"]) == [a for a, _ in pairs(4)] + [f"{a} back" for a, _ in pairs(4)]
    assert list(data.texts["formal"]) == [f"{b} back" for _, b in pairs(4)] + [b for _, b in pairs(4)]
    assert len(data.dev_texts["formal"]) == 2 * TUNE
    assert len(data.train) == len(data.dev) == 0


def test_nothing_of_the_test_split_is_among_it(tmp_path):
    study = training_study(20, references=2)
    test = study.directions.get().sentences.filter(split="test")
    secret = {f"n{one.number - 1}" for one in test}
    frozen(study, tmp_path)
    assert len(secret) == TUNE
    words = {word for path in tmp_path.iterdir() for word in path.read_text().split()}
    assert "n0" in words
    assert not secret & words


def test_what_stands_in_the_tune_or_test_split_of_another_direction_is_left_out(tmp_path):
    """The same pairs both ways, split apart: the one direction's tune and test texts are the other's training texts."""
    study = training_study(20)
    back = add_direction(study=study, source_style="formal", target_style="informal")
    fill(back, [(b, a) for a, b in reversed(pairs(20))])
    data = frozen(study, tmp_path)
    tested = pairs(2 * TUNE)  # of the way back
    assert list(zip(data.train.sources, data.train.targets, strict=True)) == pairs(12)[2 * TUNE :]
    assert not {text for pair in tested for text in pair} & {*data.texts["informal"], *data.texts["formal"]}


def test_references_that_are_missing_or_empty_are_left_out(tmp_path):
    study = training_study(20, references=2)
    first, second = study.directions.get().reference_sets.order_by("number")
    Reference.objects.filter(set=first, sentence__number__in=[1, 13]).delete()
    Reference.objects.filter(set=second, sentence__number__in=[1, 13, 14]).update(text="")
    data = frozen(study, tmp_path)
    assert data.train.sources[0] == pairs(2)[1][0]
    assert len(data.train) == 2 * 11
    assert list(data.dev.sources) == [source for source, _ in pairs(16)[13:16]]
    assert data.dev.of_each[0] == [pairs(14)[13][1]]


def test_full_forms_in_brackets_are_read_as_metrics_read_them(tmp_path):
    study = training_study(20)
    one = study.directions.get().reference_sets.get()
    ReferenceSet.objects.filter(pk=one.pk).update(marks="brackets")
    Reference.objects.filter(set=one, sentence__number=1).update(text="pt[patient] was seen")
    assert frozen(study, tmp_path).train.targets[0] == "patient was seen"


def test_full_forms_are_kept_in_their_brackets_beside_it(tmp_path):
    study = training_study(20, references=2)
    one, other = study.directions.get().reference_sets.order_by("number")
    assert list(frozen(study, tmp_path / "unmarked").train.marked) == list(
        read_dataset(tmp_path / "unmarked").train.targets
    )
    assert not list((tmp_path / "unmarked").glob("*marked*"))
    ReferenceSet.objects.filter(pk=one.pk).update(marks="brackets")
    Reference.objects.filter(set=one, sentence__number=1).update(text="pt[patient] was\u2028seen")
    Reference.objects.filter(set=one, sentence__number=13).update(text="the pt[patient] left")
    Reference.objects.filter(set=other, sentence__number=1).update(text="[sic] stays")
    data = frozen(study, tmp_path / "marked")
    assert data.train.targets[:2] == ["patient was seen", "[sic] stays"]
    assert data.train.marked[:2] == ["pt[patient] was seen", "[sic] stays"]
    assert data.train.marked[2:] == data.train.targets[2:]
    assert [lines[0] for lines in data.dev.references] == ["the patient left", f"{pairs(13)[12][1]} (1)"]
    assert [lines[0] for lines in data.dev.marked] == ["the pt[patient] left", f"{pairs(13)[12][1]} (1)"]
    Reference.objects.filter(set=one, sentence__number=1).update(text="pt was seen")
    before = frozen(study, tmp_path / "b").digest
    Reference.objects.filter(set=one, sentence__number=1).update(text="pt was [seen]")
    assert frozen(study, tmp_path / "c").digest != before


def test_line_breaks_do_not_shift_the_lines(tmp_path):
    study = training_study(20)
    study.directions.get().sentences.filter(number=2).update(text="one\ntwo\u2028three")
    data = frozen(study, tmp_path)
    assert data.train.sources[1] == "one two three"
    assert len(data.train.sources) == len(data.train.targets) == 12


def test_equal_studies_have_one_digest(tmp_path):
    first = frozen(training_study(20), tmp_path / "a")
    assert frozen(training_study(20), tmp_path / "b").digest == first.digest == digest(tmp_path / "a")
    other = training_study(20)
    other.directions.get().sentences.filter(number=1).update(text=next(iter(WORDS)))
    assert frozen(other, tmp_path / "c").digest != first.digest
    other.directions.get().sentences.filter(number=1).update(text=pairs(1)[0][0])
    other.directions.get().sentences.filter(split="test").update(text="changed")
    assert frozen(other, tmp_path / "d").digest == first.digest


def test_many_rows_are_streamed(tmp_path, django_assert_max_num_queries, monkeypatch):
    monkeypatch.setattr(streamed_units, "CHUNK", 7)
    study = training_study(200)
    with django_assert_max_num_queries(24):
        assert len(frozen(study, tmp_path).train) == 192
