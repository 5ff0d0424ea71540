from evaluation.ngrams import TextCache


def test_what_is_kept_is_not_made_again():
    made = []
    kept = TextCache(characters=100)
    for _ in range(3):
        assert kept.of("key", lambda: made.append(1) or "value", 5) == "value"
    assert len(made) == 1


def test_the_older_half_goes_where_there_is_no_room():
    kept = TextCache(characters=12)
    for key in "abcd":
        kept.of(key, lambda: "first", 2)
    kept.of("e", lambda: "first", 2)
    assert [kept.of(key, lambda: "again", 2) for key in "cde"] == ["first"] * 3
    assert kept.of("a", lambda: "again", 2) == "again"


def test_what_is_longer_than_the_room_is_not_kept():
    kept = TextCache(characters=10)
    assert [kept.of("long", lambda at=at: at, 50) for at in (1, 2)] == [1, 2]
    assert kept.room == 10


def test_room_is_counted_in_characters():
    kept = TextCache(characters=1000)
    for at in range(500):
        kept.of(at, lambda: "x", at % 50)
        assert kept.room >= 0
