"""Where a table begins, and whether its first row names its columns."""

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass
from statistics import median
from typing import NamedTuple

from corpora.table_parser.notes import Note, Question
from foundation.translation import translatable, translate

COMMENTS = frozenset(re.findall(r"\w+", """
    comment comments note notes remark remarks memo rationale
    kommentar kommentare anmerkung anmerkungen bemerkung bemerkungen notiz notizen hinweis hinweise begründung
    comentario comentarios nota notas observación observaciones observacion
    commentaire commentaires remarque remarques
    تعليق تعليقات ملاحظة ملاحظات
    הערה הערות
    备注 评论 评语 注释 附注 意见 批注
    """))  # fmt: skip
"""Names of columns in which somebody says something about a row's texts, in the site's languages."""
SOURCES = frozenset(re.findall(r"\w+", """
    quelle quelltext ausgangstext ausgangssatz satz original fuente origen oración oracion frase texto phrase texte
    المصدر مصدر الأصل الجملة النص מקור המקור משפט טקסט 原文 原句 源文 源句 句子
    """))  # fmt: skip
REFERENCES = frozenset(re.findall(r"\w+", """
    referenz referenzen umschreibung umformulierung vereinfachung referencia referencias reescritura simplificación
    simplificacion référence références reference reformulation simplification réécriture
    مرجع المرجع مراجع إعادة الصياغة تبسيط ייחוס אסמכתה שכתוב פישוט 参考 参考文本 参考译文 改写 简化
    """))  # fmt: skip
OUTPUTS = frozenset(re.findall(r"\w+", """
    ausgabe ausgaben systemausgabe salida salidas sortie sorties مخرج مخرجات الناتج פלט פלטים 输出 系统输出
    """))  # fmt: skip
SPLIT_NAMES = frozenset(re.findall(r"\w+", """
    aufteilung teilmenge datenteil partición particion división reparto subconjunto partition répartition découpage
    التقسيم تقسيم القسم חלוקה פיצול 划分 数据划分 拆分 子集
    """))  # fmt: skip
"""Names of columns of texts and splits in the site's other languages; those in English stand at the guess of each
content."""
WORDS = COMMENTS | SOURCES | REFERENCES | OUTPUTS | SPLIT_NAMES | frozenset(re.findall(r"\w+", """
    source sources src sentence sentences text texts original input inputs id ids key number no nr index line ref
    refs reference references target targets tgt gold hyp hypothesis output outputs prediction predictions
    generated system systems model models worker workers rater raters annotator annotators judge participant user
    person score scores rating ratings value values label labels answer response split set fold domain topic
    category title name style section before after simplified simplification summary corrected
    revised edited prompt completion instruction premise label paraphrase toxic neutral polite impolite
    positive negative heading part code doc document documents article abstract pmid criterion
    criteria aspect question time seconds duration date formality fluency meaning translation rewrite formal
    informal expert lay simple complex status email language
    """))  # fmt: skip
NUMBER = re.compile(r"[-+]?\d{1,20}(?:[.,]\d{1,20})?%?")
PARTS = re.compile(r"[^\W\d_]+")
HUMP = re.compile(r"(?<=[a-z])(?=[A-Z])")
SPACE = re.compile(r"\s")
SEPARATOR = re.compile(r"sep=.?", re.I)
UNSPACED = re.compile("[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff]")
"""Letters of languages that put no space between words, and Hangul, whose words are short."""
ALONE = ("text", "texts", "source", "sources", "sentence", "sentences", "src", "input", "output", "target")
"""Names that the column of a table with one column may have, and that hardly are its first text."""
LONGEST = 80


def tokens(name: str) -> list[str]:
    """The words of a column's name in lower case: `sourceText_1` is source and text."""
    return [word.lower() for word in PARTS.findall(HUMP.sub(" ", name[:200]))]


def is_comment(name: str) -> bool:
    """Whether a column's name says that it holds comments: `Kommentar`, `annotator_notes`, `comment on the output`."""
    words = tokens(name)
    return bool(words) and bool({words[0], words[-1]} & COMMENTS)


class Weight(NamedTuple):
    """The weight for and against a row as names of columns; `short` is the weight for it of being short."""

    fore: float = 0
    against: float = 0
    short: float = 0

    @property
    def is_clear(self) -> bool:
        return not self.fore or (self.fore >= 2 and not self.against) or abs(self.fore - self.against) >= 2

    @property
    def is_header(self) -> bool:
        return self.fore > self.against and (self.fore >= 2 or self.against == 0)


def is_header(first: Sequence[str], others: Sequence[Sequence[str]], known: Collection[str] = ()) -> bool:
    """Whether `first` looks like names of columns, before some of the rows below it."""
    return weigh(first, others, known).is_header


def weigh(first: Sequence[str], others: Sequence[Sequence[str]], known: Collection[str] = ()) -> Weight:
    """A row against those below it: names that are `known` (in small letters), words, types, lengths, repetition."""
    cells = [cell.strip() for cell in first]
    named = [cell for cell in cells if cell]
    below = [[row[place].strip() for row in others if place < len(row) and row[place].strip()]
             for place in range(len(cells))]  # fmt: skip
    if not named or any(len(cell) > LONGEST or _is_number(cell) for cell in named):
        return Weight()
    marks = [_weigh_cell(cell, column, known) for cell, column in zip(cells, below, strict=True) if cell]
    fore, against, short = (sum(each) for each in zip(*marks, strict=True))
    if len(cells) == 1:  # its first text may be short, or a word
        if named[0].lower() in known or named[0] in ALONE or (below[0] and all(map(_is_number, below[0]))):
            return Weight(fore, against)
        return Weight(1, 0.5) if fore and not against and not SPACE.search(named[0]) else Weight()
    fore += min(short, 1.5)  # alone it settles nothing
    if len({cell.lower() for cell in named}) < len(named):
        against += 1
    return Weight(fore, against)


def _weigh_cell(cell: str, column: Sequence[str], known: Collection[str]) -> Weight:
    fore = against = 0.0
    words = tokens(cell)
    if cell.lower() in known:
        fore += 3
    elif words and set(words) <= WORDS:
        fore += 2
    elif set(words) & WORDS and (len(words) <= 3 or not SPACE.search(cell)):
        fore += 1
    if cell.endswith((".", "!", "。", "！")) and len(words) > 1:
        against += 2
    if not column:
        return Weight(fore, against)
    if all(map(_is_number, column)):
        return Weight(fore + 3, against)
    if cell.endswith(("?", "？")) and len(words) > 1:
        against += 1
    if cell in column:
        against += 0 if fore else 3
    elif len(column) > 1 and len(set(column)) * 2 <= len(column):
        fore += 1.5
    sizes, own = sorted(map(words_in, column)), words_in(cell)
    typical = median(sizes)
    if typical < 3:
        return Weight(fore, against)
    if own * 2 > typical:
        return Weight(fore, against if fore and own < 2 else against + 1.5)
    return Weight(fore + 1, against) if len(sizes) >= 3 and own * 2 <= sizes[0] else Weight(fore, against, 0.75)


def words_in(text: str) -> float:
    """The length of a text in words; where words have no spaces between, two letters are one."""
    words = text.split()
    wide = sum(UNSPACED.match(letter) is not None for letter in text) if not text.isascii() else 0
    return max(len(words), wide / 2)


def _is_number(cell: str) -> bool:
    return bool(NUMBER.fullmatch(cell))


@dataclass(frozen=True)
class Beginning:
    """The beginning of a table: the number of rows `above` it, and whether the next row names its columns."""

    above: int = 0
    header: bool = False
    notes: tuple[Note, ...] = ()
    questions: tuple[Question, ...] = ()


def beginning(
    rows: Sequence[tuple[int, Sequence[str]]], known: Collection[str], *, header: bool | None, above: int | None,
    is_table: bool,
) -> Beginning:  # fmt: skip
    """The beginning of a table, by its first rows (line, cells); given values are not guessed."""
    notes, questions = list[Note](), list[Question]()
    found = _above([cells for _, cells in rows], known) if above is None and is_table else above or 0
    found = min(found, len(rows) - 1)
    if above is None and found:
        lines = tuple(str(line) for line, _ in rows[:found])
        if all(SEPARATOR.fullmatch("".join(cells).strip()) or not any(cells) for _, cells in rows[:found]):
            notes.append(Note("The row that names the delimiter is skipped.", lines, found))
        else:
            shown = " / ".join(" ".join(filter(None, cells))[:60] for _, cells in rows[:found])
            questions.append(Question(
                "above", translate("Text above the table: {shown}", shown=shown),
                ((str(found), translatable("Skip the text above the table")),
                 ("0", translatable("These are rows of the table"))),
            ))  # fmt: skip
    if header is not None:
        return Beginning(found, header, tuple(notes), tuple(questions))
    first, others = rows[found][1], [cells for _, cells in rows[found + 1 :]]
    weight = weigh(first, others, known)
    if above is None and is_table and not found and _is_heading(first, weight, others, known):
        both = (first, others[0])
        shown = " / ".join(" | ".join(cell.strip()[:40] for cell in cells if cell.strip()) for cells in both)
        questions.append(Question(
            "above", translate("Two rows may name the columns: {shown}", shown=shown),
            (("1", translatable("The second one names them: skip the first")),
             ("0", translatable("The second one belongs to the texts"))),
        ))  # fmt: skip
    if not weight.is_clear and others:
        shown = " | ".join(cell[:40] for cell in first)
        questions.append(Question(
            "header", translate("Is this the first row of the table, or names of its columns? {shown}", shown=shown),
            (("yes", translatable("Names of the columns")), ("no", translatable("A row like the others"))),
        ))  # fmt: skip
    return Beginning(found, weight.is_header, tuple(notes), tuple(questions))


def _is_heading(first: Sequence[str], weight: Weight, others: Sequence[Sequence[str]], known: Collection[str]) -> bool:
    """Whether a row with gaps stands above one without, which looks more like names of columns: heads of several."""
    if len(others) < 2 or all(map(str.strip, first)) or not all(map(str.strip, others[0])):
        return False
    second = weigh(others[0], others[1:], known)
    return second.is_header and second.is_clear and second.fore > weight.fore


def _above(rows: Sequence[Sequence[str]], known: Collection[str]) -> int:
    """How many rows stand above the table: a title, comments, the delimiter as Excel writes it."""
    filled = [[cell for cell in cells if cell.strip()] for cells in rows]
    width = max(map(len, filled), default=0)
    found = 0
    while found + 1 < len(rows) and width > 1 and _is_no_row(filled[found], width):
        found += 1
    if not found:
        return 0
    stated = all(one and one[0].lstrip().startswith(("#", "sep=")) for one in filled[:found])
    weight = weigh(rows[found], rows[found + 1 :], known)
    return found if stated or weight.is_header else 0


def _is_no_row(cells: Sequence[str], width: int) -> bool:
    if not cells:
        return True
    return len(cells) == 1 or (cells[0].startswith("# ") and len(cells) != width)
