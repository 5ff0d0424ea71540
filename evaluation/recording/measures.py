"""Numbers of a source by which scores are grouped."""


def words_of(text: str) -> int:
    """How many words stand between white space, as the length of a sentence is counted in tokenized corpora."""
    return len(text.split())
