"""How the name of an entry stands in an address."""


class EntryName:
    """A path converter: `leaderboard`, and `acme:lengths` for `acme/lengths`, the entry of an installed package."""

    regex = r"[-\w]+(?::[-\w]+)?"

    def to_python(self, value: str) -> str:
        return value.replace(":", "/")

    def to_url(self, value: str) -> str:
        return value.replace("/", ":")
