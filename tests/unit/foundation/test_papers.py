"""How a paper is named where there is little room."""

from foundation.papers import Paper


def named(authors):
    return Paper(authors, 2002, "A title", "https://example.org").brief


def test_of_more_than_two_authors_the_first_is_named():
    assert named("Papineni, Roukos, Ward and Zhu") == "Papineni et al. 2002"
    assert named("Chen and Goodman") == "Chen and Goodman 2002"
    assert named("Luo et al.") == "Luo et al. 2002"
    assert named("Lin") == "Lin 2002"
