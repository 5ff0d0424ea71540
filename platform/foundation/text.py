"""Text as it is compared: case and outer space aside."""


def text_key(text: str) -> str:
    """The key under which two texts count as the same: outer space and case put aside."""
    return text.strip().casefold()
