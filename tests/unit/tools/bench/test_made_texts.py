"""The texts that the bench scores."""

from tools.bench.bench_study import made_texts


def test_texts_are_the_same_each_time():
    texts = made_texts(systems=2, sentences=30, references=4)
    assert texts == made_texts(systems=2, sentences=30, references=4)
    assert [len(texts.sources), len(texts.references), len(texts.outputs)] == [30, 30, 2]
    assert {len(each) for each in texts.references} == {4}
    assert {len(each) for each in texts.outputs} == {30}


def test_each_system_changes_more_than_the_one_before():
    texts = made_texts(systems=5, sentences=200, references=1)
    kept = [
        sum(
            len(set(one.lower().split()) & set(source.lower().split()))
            for one, source in zip(each, texts.sources, strict=True)
        )
        for each in texts.outputs
    ]
    assert kept == sorted(kept, reverse=True)
    assert all(text.endswith(".") and text[0].isupper() for text in texts.sources)
