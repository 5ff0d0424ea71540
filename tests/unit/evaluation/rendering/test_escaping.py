"""Any text as LaTeX that can be set."""

import pytest

from evaluation.rendering.latex import KNOWN, breakable, safe


@pytest.mark.parametrize(
    ("text", "set_as"),
    [
        ("a & b_c 50% #1 {x} ~^\\ $", r"a \& b\_c 50\% \#1 \{x\} \textasciitilde{}\textasciicircum{}"
                                      r"\textbackslash{} \$"),
        ("a → b, p ≤ .05, ± 2, α = −1", r"a $\rightarrow$ b, p $\leq$ .05, $\pm$ 2, $\alpha$ = $-$1"),
        ("Müller, señor, Łódź, naïve, Šárka", r"M\"{u}ller, se\~{n}or, \L{}\'{o}d\'{z}, na\"{i}ve, \v {S}\'{a}rka"),
        ("e\u0301 is é", r"\'{e} is \'{e}"),
        ("[unk] *bold* \"so\" | `x`", "{[}unk{]} {*}bold{*} {''}so{''} \\textbar{} {`}x{`}"),
        ("3–4 -- no—yes", "3--4 -{}- no---yes"),
        ("two\nlines\tand \x07 bell", "two lines and bell"),
        ("ﬁne ½ ａ x²", r"fine $\frac12$ a x$^2$"),
        ("\u200bzero width", "zero width"),
    ],
)  # fmt: skip
def test_what_has_letters_is_set(text, set_as):
    assert safe(text).replace("  ", " ") == set_as


def test_what_pdflatex_has_no_letters_for_stands_by_its_number():
    assert safe("in 北京 today") == r"in \restylechars{U+5317 U+4EAC}{北京} today"
    assert safe("हिंदी") == r"\restylechars{U+0939 U+093F U+0902 U+0926 U+0940}{हिंदी}", "signs stay with their letters"
    assert safe("good 😀") == r"good \restylechars{U+1F600}{😀}"


def test_nothing_is_left_that_pdflatex_cannot_read():
    for number in [*range(0x20, 0x2FF), *range(0x2000, 0x2300)]:
        found = safe(f"x{chr(number)}x")
        assert found.isascii() or r"\restylechars" in found, hex(number)
    assert all(value.isascii() for value in KNOWN.values())


def test_a_word_that_is_too_long_for_a_column_may_be_broken():
    assert (
        breakable("see https://example.org/paper")
        == r"see https://\allowbreak{}example.\allowbreak{}org/pape\allowbreak{}r"
    )
    assert breakable("short words stay") == "short words stay"
