"""Any text as LaTeX that sets it, by pdfLaTeX as by XeLaTeX and LuaLaTeX, with no package but booktabs."""

import unicodedata
from collections.abc import Iterator
from itertools import groupby

SPECIAL = {
    "\\": r"\textbackslash{}", "&": r"\&", "%": r"\%", "$": r"\$", "#": r"\#", "_": r"\_", "{": r"\{", "}": r"\}",
    "~": r"\textasciitilde{}", "^": r"\textasciicircum{}", "<": r"\textless{}", ">": r"\textgreater{}",
    "|": r"\textbar{}", '"': "{''}", "`": "{`}", "[": "{[}", "]": "{]}", "*": "{*}",
}  # fmt: skip
"""A bracket or a star after the end of a row would be read as its option, quotes are active in some languages."""

_WORDS = {
    "–": "--", "—": "---", "‐": "-", "‑": "-", "‒": "--", "―": "---", "‘": "{`}", "’": "{'}", "‚": ",", "“": "{``}",
    "”": "{''}", "„": ",,", "…": r"\ldots{}", "•": r"\textbullet{}", "†": r"\dag{}", "‡": r"\ddag{}", "§": r"\S{}",
    "¶": r"\P{}", "©": r"\copyright{}", "®": r"\textregistered{}", "™": r"\texttrademark{}", "£": r"\pounds{}",
    "ß": r"\ss{}", "æ": r"\ae{}", "Æ": r"\AE{}", "œ": r"\oe{}", "Œ": r"\OE{}", "ø": r"\o{}", "Ø": r"\O{}",
    "ł": r"\l{}", "Ł": r"\L{}", "ı": r"\i{}", "ȷ": r"\j{}", "å": r"\aa{}", "Å": r"\AA{}", "¡": "!{`}", "¿": "?{`}",
    "ª": "a", "º": "o",
}  # fmt: skip
_MATH = {
    "→": r"\rightarrow", "←": r"\leftarrow", "↑": r"\uparrow", "↓": r"\downarrow", "↔": r"\leftrightarrow",
    "⇒": r"\Rightarrow", "⇐": r"\Leftarrow", "⇔": r"\Leftrightarrow", "↦": r"\mapsto", "≤": r"\leq", "≥": r"\geq",
    "≠": r"\neq", "≈": r"\approx", "≡": r"\equiv", "∼": r"\sim", "±": r"\pm", "∓": r"\mp", "×": r"\times", "÷": r"\div",
    "−": "-", "·": r"\cdot", "∙": r"\cdot", "∞": r"\infty", "√": r"\surd", "∑": r"\sum", "∏": r"\prod", "∫": r"\int",
    "∂": r"\partial", "∆": r"\Delta", "∇": r"\nabla", "∈": r"\in", "∉": r"\notin", "⊂": r"\subset", "∩": r"\cap",
    "∪": r"\cup", "∀": r"\forall", "∃": r"\exists", "¬": r"\neg", "∧": r"\wedge", "∨": r"\vee", "⟨": r"\langle",
    "⟩": r"\rangle", "°": r"^\circ", "′": "'", "″": "''", "µ": r"\mu", "★": r"\star", "☆": r"\star", "✓": r"\surd",
    "✗": r"\times", "½": r"\frac12", "¼": r"\frac14", "¾": r"\frac34", "α": r"\alpha", "β": r"\beta", "γ": r"\gamma",
    "δ": r"\delta", "ε": r"\varepsilon", "ζ": r"\zeta", "η": r"\eta", "θ": r"\theta", "ι": r"\iota", "κ": r"\kappa",
    "λ": r"\lambda", "μ": r"\mu", "ν": r"\nu", "ξ": r"\xi", "π": r"\pi", "ρ": r"\rho", "σ": r"\sigma",
    "ς": r"\varsigma", "τ": r"\tau", "υ": r"\upsilon", "φ": r"\varphi", "χ": r"\chi", "ψ": r"\psi", "ω": r"\omega",
    "Γ": r"\Gamma", "Δ": r"\Delta", "Θ": r"\Theta", "Λ": r"\Lambda", "Ξ": r"\Xi", "Π": r"\Pi", "Σ": r"\Sigma",
    "Φ": r"\Phi", "Ψ": r"\Psi", "Ω": r"\Omega", "⁰": "^0", "¹": "^1", "²": "^2", "³": "^3", "⁴": "^4", "⁵": "^5",
    "⁶": "^6", "⁷": "^7", "⁸": "^8", "⁹": "^9", "⁻": "^-", "₀": "_0", "₁": "_1", "₂": "_2", "₃": "_3", "₄": "_4",
}  # fmt: skip
KNOWN = SPECIAL | _WORDS | {mark: f"${math}$" for mark, math in _MATH.items()}
ACCENTS = {
    "\u0300": "`", "\u0301": "'", "\u0302": "^", "\u0303": "~", "\u0304": "=", "\u0306": "u ", "\u0307": ".",
    "\u0308": '"', "\u030a": "r ", "\u030b": "H ", "\u030c": "v ", "\u0323": "d ", "\u0327": "c ", "\u0331": "b ",
}  # fmt: skip
"""Of the combining marks those that every encoding of fonts has."""

OTHER = r"\restylechars"
DEFINES_OTHER = rf"\providecommand{{{OTHER}}}[2]{{\ifx\Umathchar\undefined{{[#1]}}\else#2\fi}}"
"""What pdfLaTeX has no letters for stands there by its number; with the others it needs a font that has them."""

LONG_WORD, EVERY = 18, 8  # characters: a longer word may be broken after so many


def safe(text: str) -> str:
    """The text in one line."""
    return _escaped(" ".join(unicodedata.normalize("NFC", text).split()))


def breakable(text: str) -> str:
    """The text for a column of a width: words that are too long for one may be broken."""
    words = unicodedata.normalize("NFC", text).split()
    return " ".join(_broken(word) if len(word) > LONG_WORD else _escaped(word) for word in words)


def _broken(word: str) -> str:
    parts = [word[start : start + EVERY] for start in range(0, len(word), EVERY)]
    return r"\allowbreak{}".join(map(_escaped, parts))


def _escaped(text: str) -> str:
    escaped: list[str] = []
    for known, marks in groupby(_pairs(text), key=lambda pair: pair[1] is not None):
        pairs = list(marks)
        escaped.append("".join(code or "" for _, code in pairs) if known else _other([mark for mark, _ in pairs]))
    return "".join(escaped)


def _pairs(text: str) -> Iterator[tuple[str, str | None]]:
    """Each character and its LaTeX; None where only a font of its own has it, with the marks that belong to it."""
    before, foreign = "", False
    for mark in text:
        known = _known(mark)
        if foreign and unicodedata.category(mark).startswith("M"):
            known = None
        yield mark, "{}-" if mark == before == "-" else known  # two would become one dash
        before, foreign = mark, known is None


def _known(mark: str) -> str | None:
    """A character in LaTeX; None where only a font of its own has it, "" for what is not to be seen."""
    if mark in KNOWN or " " <= mark <= "~":
        return KNOWN.get(mark, mark)
    kind = unicodedata.category(mark)
    if kind in ("Cc", "Cf", "Co", "Cs", "Mn"):
        return ""
    if kind == "Zs":
        return "~" if mark == "\u00a0" else " "
    plain, *accents = list(unicodedata.normalize("NFKD", mark))
    if plain.isascii() and all(accent.isascii() for accent in accents):
        return "".join(SPECIAL.get(character, character) for character in (plain, *accents))
    return _accented(plain, accents) if plain.isascii() and all(accent in ACCENTS for accent in accents) else None


def _accented(plain: str, accents: list[str]) -> str:
    accented = SPECIAL.get(plain, plain)
    for accent in accents:
        accented = rf"\{ACCENTS[accent]}{{{accented}}}"
    return accented


def _other(marks: list[str]) -> str:
    numbers = " ".join(f"U+{ord(mark):04X}" for mark in marks)
    return f"{OTHER}{{{numbers}}}{{{''.join(marks)}}}"
