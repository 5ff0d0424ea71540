"""Items of the work page as its script puts them together (`js/annotation/frames.js`)."""

from typing import Any


class Frames:
    """What a page knows of frames; `headers` are those of its requests."""

    def __init__(self) -> None:
        self.known: dict[str, list[str]] = {}

    @property
    def headers(self) -> dict[str, str]:
        return {"HX-Request": "true", "X-Frames": " ".join(self.known) or "none"}

    def html(self, answer: Any) -> str:
        """The item of an answer to such a request."""
        if answer["Content-Type"] != "application/json":
            return answer.content.decode()
        told = answer.json()
        self.known |= told["frames"]
        return self._filled(told["item"])

    def _filled(self, part: Any) -> str:
        if isinstance(part, str):
            return part
        values = [*map(self._filled, part["values"]), ""]
        return "".join(text + value for text, value in zip(self.known[part["frame"]], values, strict=True))
