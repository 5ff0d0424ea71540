"""Names of styles that are two ends of one thing, in English and in the languages of the pages.

Names are compared in small letters, with - and _ for a space. The first of each side, an English one, is what scales
and metrics call the end.
"""

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
