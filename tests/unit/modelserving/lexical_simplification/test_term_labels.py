"""Term labels: against all ways to keep words of short texts, and worked by hand on MedLane's sentences."""

from itertools import combinations, pairwise, product

from modelserving.lexical_simplification.word_pieces import Run, changed_runs, kept_words

TEXTS = ["".join(letters) for size in range(1, 5) for letters in product("ab", repeat=size)]


def replaced(source: str | list[str], target: str | list[str], runs: list[Run]) -> list[str]:
    """The source with each run replaced by its stretch of the target."""
    found, at = list[str](), 0
    for run in runs:
        found += [*source[at : run.start], *target[run.begin : run.stop]]
        at = run.end
    return [*found, *source[at:]]


def most_kept(source: str, target: str) -> int:
    """By trying every choice of words of the source, longest first."""
    for size in range(len(source), -1, -1):
        for chosen in combinations(source, size):
            rest = iter(target)
            if all(word in rest for word in chosen):
                return size
    return 0


def test_as_many_words_are_kept_as_any_choice_keeps():
    for source, target in product(TEXTS, [*TEXTS, ""]):
        kept = kept_words(source, target)
        assert len(kept) == most_kept(source, target)
        assert all(source[i] == target[j] for i, j in kept)
        assert kept == sorted(kept)


def test_the_source_with_its_runs_replaced_is_the_target():
    for source, target in product(TEXTS, [*TEXTS, ""]):
        runs = changed_runs(source, target)
        assert replaced(source, target, runs) == list(target)
        assert all(run.end > run.start for run in runs)
        assert all(first.end < second.start for first, second in pairwise(runs))


def runs_of(source: str, target: str) -> list[tuple[str, str]]:
    words, rewritten = source.split(), target.split()
    return [
        (" ".join(words[run.start : run.end]), " ".join(rewritten[run.begin : run.stop]))
        for run in changed_runs(words, rewritten)
    ]


def test_medlanes_sentences_by_hand():
    assert runs_of("pt was put on 5L nc .", "patient was put on 5L tube insertion on nose .") == [
        ("pt", "patient"), ("nc", "tube insertion on nose"),
    ]  # fmt: skip
    assert runs_of("no acute mi seen", "no heart attack seen") == [("acute mi", "heart attack")]
    assert runs_of("she was very ill", "she was ill") == [("very", "")]


def test_what_is_only_added_goes_to_the_next_word_and_at_the_end_to_the_last():
    assert runs_of("she was ill", "she was very ill") == [("ill", "very ill")]
    assert runs_of("she was ill", "she was ill .") == [("ill", "ill .")]
    assert runs_of("she was ill", "today she was ill .") == [("she", "today she"), ("ill", "ill .")]
    assert runs_of("so ill now", "very so ill today") == [("so", "very so"), ("now", "today")]
    assert runs_of("a b", "x a y") == [("a b", "x a y")]
    assert runs_of("same words", "same words") == []
