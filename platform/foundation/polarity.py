"""The better end of a scale, or of a metric, in a direction.

A scale of style has poles: the names of its low and its high end. The better end is the style that a direction goes
to, so from formal to informal a low formality is the good one. This is the one place that decides it.
"""

from collections.abc import Iterable, Mapping

from foundation.errors import UserError
from foundation.text_keys import composed

# Names of styles that are two ends of one thing, in English and in the languages of the pages.
#
# Names are compared in small letters, with - and _ for a space. The first of each side, an English one, is the name
# that scales and metrics use for the end.

Sides = tuple[tuple[str, ...], tuple[str, ...]]
# A line a language: English, German, Spanish, French, Hebrew, Arabic, Chinese.
_PAIRS = (
    (
        """informal, casual, colloquial
        informell, umgangssprachlich, salopp
        coloquial
        informel, familier
        לא רשמי, לא פורמלי
        غير رسمي, عامي
        非正式, 口语, 口语化""",
        """formal
        formell, förmlich
        formal
        formel, soutenu
        רשמי, פורמלי
        رسمي, فصيح
        正式, 书面, 书面语""",
    ),
    (
        """simple, simplified, easy, plain, lay, layman, laymen, layperson, laypeople, public, consumer, patient
        einfach, leicht, vereinfacht, einfache sprache, leichte sprache, laie, laien, patienten
        sencillo, simplificado, fácil, lectura fácil, llano, lego, paciente
        simplifié, facile, facile à lire, grand public, profane
        פשוט, מפושט, קל, הדיוט, מטופל
        بسيط, مبسط, سهل, مريض
        简单, 简化, 通俗, 易懂, 大众, 患者, 病人""",
        """complex, difficult, technical, expert, professional, clinical, scientific, specialist
        komplex, schwierig, schwer, fachlich, fachsprache, experte, experten, klinisch, wissenschaftlich
        complejo, difícil, técnico, experto, profesional, clínico, científico, especializado, especialista
        complexe, difficile, technique, professionnel, clinique, scientifique, spécialisé, spécialiste
        מורכב, קשה, טכני, מומחה, מקצועי, קליני, מדעי
        معقد, صعب, تقني, خبير, مهني, سريري, علمي, متخصص
        复杂, 困难, 技术, 专家, 专业, 临床, 科学, 学术""",
    ),
    (
        """toxic, offensive, hateful
        toxisch, beleidigend
        tóxico, ofensivo
        toxique, offensant
        רעיל, פוגעני
        سام, مسيء
        有毒, 冒犯, 有害""",
        """neutral, non toxic, nontoxic, detoxified, civil
        nicht toxisch, entgiftet
        no tóxico, neutro
        non toxique, neutre
        לא רעיל, ניטרלי
        غير سام, محايد
        无毒, 无害, 中性""",
    ),
    (
        """negative
        negativ
        negativo
        négatif
        שלילי
        سلبي
        负面, 消极""",
        """positive
        positiv
        positivo
        positif
        חיובי
        إيجابي
        正面, 积极""",
    ),
    (
        """impolite, rude
        unhöflich
        descortés, grosero
        impoli, grossier
        לא מנומס, גס
        غير مهذب, وقح
        不礼貌, 粗鲁""",
        """polite
        höflich
        cortés, educado
        poli
        מנומס
        مهذب
        礼貌""",
    ),
    (
        """subjective, biased
        subjektiv, voreingenommen
        subjetivo, sesgado
        subjectif, biaisé
        סובייקטיבי, מוטה
        ذاتي, متحيز
        主观, 有偏见""",
        """objective, neutral
        objektiv
        objetivo, neutro
        objectif, neutre
        אובייקטיבי, ניטרלי
        موضوعي, محايد
        客观, 中性""",
    ),
)


def _names(lines: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(name.strip() for line in lines.splitlines() for name in line.split(",")))


OPPOSITES: tuple[Sides, ...] = tuple((_names(low), _names(high)) for low, high in _PAIRS)

LONGEST, MOST = 60, 100
Poles = tuple[str, str]
"""What the low and the high end are called, such as ("informal", "formal")."""


def better_end(
    poles: Poles | None, target: str, meant: Mapping[str, str] | None = None, usual: bool | None = True
) -> bool | None:
    """The better end: True the high one, False the low, None neither; without poles `usual`, in every direction.

    A pole is the style that `meant` gives it, else the style of its own name. Neither end is the better one where the
    direction goes to no pole.
    """
    if poles is None:
        return usual
    low, high = (_plain(style_of(pole, meant)) for pole in poles)
    wanted = _plain(target)
    return None if wanted not in (low, high) or low == high else wanted == high


def style_of(pole: str, meant: Mapping[str, str] | None = None) -> str:
    """The style that a pole stands for in a study."""
    return next((style for name, style in (meant or {}).items() if _plain(name) == _plain(pole)), pole)


def undeclared(poles: Poles | None, styles: Iterable[str], meant: Mapping[str, str] | None = None) -> list[str]:
    """The poles that no style of the study stands for; only if both are undeclared, somebody has to declare them."""
    known = {_plain(style) for style in styles}
    return [pole for pole in poles or () if _plain(style_of(pole, meant)) not in known]


def ends_of_styles(styles: Iterable[str]) -> dict[str, str]:
    """The styles of the usual ends, by the names of a study's styles: {"simple": "plain", "complex": "technical"}.

    Names say it where one style alone stands at each end; an end with the name of a style is left out.
    """
    named = list(styles)
    found: dict[str, str] = {}
    for low, high in OPPOSITES:
        found |= {pole: style for pole, style in said_ends((low[0], high[0]), named).items() if pole not in found}
    return found


def said_ends(poles: Poles, styles: Iterable[str]) -> dict[str, str]:
    """The style of each of two ends, by the names of both; {} where they do not say it, or are the same names."""
    named = {_worded(style): style for style in styles}
    low, high = map(_worded, poles)
    for sides in OPPOSITES:
        for below, above in (sides, sides[::-1]):
            at = [[style for name, style in named.items() if name in side] for side in (below, above)]
            if low in below and high in above and len(at[0]) == len(at[1]) == 1:
                pairs = zip(map(_plain, poles), at, strict=True)
                return {pole: style for pole, (style,) in pairs if _worded(pole) not in named}
    return {}


def check_poles(given: Mapping[str, str], styles: Iterable[str]) -> dict[str, str]:
    """The styles of poles in a study, in their stored form; a UserError where one is no style of it."""
    found: dict[str, str] = {}
    known = {_plain(style): style for style in styles}
    for pole, style in given.items():
        name = _plain(pole)
        if not name or len(name) > LONGEST:
            raise UserError(
                "A pole has a name of at most {longest} letters, such as formal.", longest=LONGEST, where="poles"
            )
        if _plain(style) not in known:
            there = ", ".join(known.values())
            raise UserError(
                "The study has no style '{style}'; it has {there}.", style=style, there=there, where=f"poles.{name}"
            )
        found[name] = known[_plain(style)]
    if len(found) > MOST:
        raise UserError("At most {most} poles are named.", most=MOST, where="poles")
    return found


def _plain(name: str) -> str:
    return " ".join(name.split()).casefold()


def _worded(name: str) -> str:
    """A name as those of opposites are compared."""
    return _plain(composed(name).replace("-", " ").replace("_", " "))
