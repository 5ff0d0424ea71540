"""The rewrite in an answer: what stands around it is taken off, and an answer that holds none is told."""

import json
import re

from modelserving.run_context import (
    CUT,
    FILTERED,
    UNUSABLE,
    WITHHELD,
    Answer,
    Refusal,
    UnfinishedThought,
    unfinished,
    without_thoughts,
)

KEY = "rewrite"  # of the JSON that a structured answer is
DECLINED = "refusal"  # the end of an answer that its server marks as a refusal
SHOWN = 80  # characters of an answer in a sentence about it
ROUNDS = 6  # layers that may stand around a rewrite
QUOTES = {'"': '"', "“": "”", "„": "“", "«": "»", "'": "'", "‘": "’", "`": "`", "「": "」"}
FENCE = re.compile(r"```(?>(?:[^\n`]*+\n)?)(.*)```", re.DOTALL)
_POLITE = r"sure(?: thing)?|certainly|of course|absolutely|okay|ok|great|no problem"
_OF_A_REWRITE = r"text|rewrit\w*|version|sentences?|translation|paraphrased?|paraphrasing|style|it"
# "Here is the text in the style formal:", or with any words where its line ends with the colon.
OPENING = re.compile(
    rf"(?:(?:{_POLITE}|here(?: is|'s|’s| you go)|below is|the rewritten|rewritten)\b)"
    rf"(?:[^\n]{{0,200}}?\b(?:{_OF_A_REWRITE})\b[^\n:]{{0,100}}:\s*(?=\S)|[^\n]{{0,200}}?:[ \t*]*\n\s*(?=\S))",
    re.IGNORECASE,
)
AGREEMENT = re.compile(rf"(?:{_POLITE})\b[^\n:]{{0,60}}\n\s*(?=\S)", re.IGNORECASE)
LABEL = r"(?:\*\*|__|#{{1,6}} )?(?:{words})(?: (?:text|version|sentence|output|answer))?(?: ?\([^()\n]{{0,60}}\))?"
LABEL_END = r"(?:\s*+:\s*+(?:\*\*|__)?|(?:\*\*|__)\s*+:|(?:\*\*|__)?[^\S\n]*+\n)\s*+(?=\S)"
LABELS = ("rewritten", "rewrite", "output", "answer", "result", "paraphrase", "paraphrased", "final")
POSTSCRIPT = re.compile(
    r"[(\[*_]*(?:notes?|explanations?|reasoning|changes|key changes|let me know|please let me know|feel free"
    r"|i hope|hope this|i(?:'ve|’ve| have)? (?:made|changed|kept|rewr[oi]t\w*|replaced)|would you like"
    r"|this (?:version|rewrit\w*))\b",
    re.IGNORECASE,
)
ITEM = re.compile(r"(?:[*_]*(?:option|version|alternative)? ?[1-9][.):]|[-*•] )", re.IGNORECASE)
_CANNOT = r"(?: (?:can(?:no|['’])t|can not|won['’]t|will not|am (?:not able|unable))|['’]m (?:not able|unable))"
# A refusal begins the answer: each pattern says so itself (`\A`), so that it costs nothing at later places.
REFUSING = re.compile(
    r"\A(?:(?:(?:i['’]m|i am) (?:very |really )?sorry|sorry|i apologi[sz]e|apologies|unfortunately"
    r"|as an ai\b[^.\n]{0,80})?"
    rf"[^.!?\n]{{0,40}}?\bi{_CANNOT}(?: to)?(?: \w+){{0,3}}? "
    r"(?:assist|help|rewrite|comply|fulfil\w*|provide|process|generate|create|complete|respond|engage|do (?:that|this)"
    r"|answer (?:that|this)|continue|participate|support)\b|as an ai (?:language )?model\b)",
    re.IGNORECASE,
)
DENIES = re.compile(r"\b(?:can'?t|cannot|can not|won'?t|wont|unable|not able|sorry|apolog\w+|ai)\b", re.IGNORECASE)
_BEFORE, _WORDS = r"\A(?:[^.!?。！？\n]{0,50}?", r"(?:\w+[ ,]){0,5}?"
# A refusal in the other languages of the pages, and words of a source by which its rewrite may say the same.
DECLINING: dict[str, tuple[re.Pattern[str], re.Pattern[str]]] = {
    "ar": (
        re.compile(
            rf"{_BEFORE}لا (?:أستطيع|يمكنني) {_WORDS}(?:ال)?(?:مساعد|إعادة|تنفيذ|تلبية|تقديم|إنشاء|إجاب|رد)|"
            r"(?:بصفتي|كوني) نموذج)"
        ),
        re.compile(r"\b(?:لا|لن|ليس\w*|عذر\w*|آسف\w*|مش|ما)\b"),
    ),
    "de": (
        re.compile(
            rf"{_BEFORE}\b(?:ich kann|kann ich) {_WORDS}nicht {_WORDS}(?:helfen|dienen|behilflich|um\w+|erfüllen"
            r"|be\w+|erstellen|verfassen|schreiben|unterstützen|nachkommen)\b|als ki\b)",
            re.IGNORECASE,
        ),
        re.compile(r"\b(?:nich\w*|kein\w*|leider|ne|unmöglich|ki)\b", re.IGNORECASE),
    ),
    "es": (
        re.compile(
            rf"{_BEFORE}\bno puedo {_WORDS}(?:ayudar|reescribir|reformular|cumplir|procesar|generar|crear|proporcionar"
            r"|responder|atender|hacer eso)|como (?:modelo|ia)\b)",
            re.IGNORECASE,
        ),
        re.compile(r"\b(?:no|nunca|siento|imposible|ia)\b", re.IGNORECASE),
    ),
    "fr": (
        re.compile(
            rf"{_BEFORE}\bje ne (?:peux|puis) {_WORDS}(?:aider|réécrire|reformuler|répondre|traiter|générer|créer"
            r"|fournir|accéder|satisfaire|assister)\b|en tant qu(?:e modèle|['’]ia)\b)",
            re.IGNORECASE,
        ),
        re.compile(r"\b(?:pas|ne|peu[tx]|désolé\w*|impossible|ia)\b", re.IGNORECASE),
    ),
    "he": (
        re.compile(
            rf"{_BEFORE}(?:לא יכולה?|אינני יכולה?|איני יכולה?) {_WORDS}(?:לעזור|לסייע|לשכתב|לבצע|לספק|ליצור|לענות)|"
            r"כמודל שפה)"
        ),
        re.compile(r"\b(?:לא|אינ\w*|אין|אי אפשר|מצטער\w*|סליחה)\b"),
    ),
    "zh": (
        re.compile(
            rf"{_BEFORE}我?(?:无法|不能)[^。！？\n]{{0,12}}?(?:协助|帮助|帮到|帮你|帮您|改写|提供|满足|完成|处理|生成|回答)|"
            r"作为(?:一个|一款)?(?:人工智能|AI|语言模型))"
        ),
        re.compile(r"[不没无]|抱歉|对不起"),
    ),
}


def rewrite_in(
    answer: Answer, source: str, target_style: str, *, clean: bool, structured: bool, keep_cut: bool, most: int
) -> str | Refusal:
    """The rewrite of `source` in an answer, in one line, or the reason why it holds none.

    Args:
        clean: Whether quotation marks, openings, labels and postscripts are taken off.
        structured: Whether a JSON object with the text `rewrite` was asked for.
        keep_cut: Whether an answer that ended at the most tokens is a rewrite.
        most: The most tokens of an answer.
    """
    if answer.finish == WITHHELD:
        return Refusal(FILTERED, "The service's filter withheld the model's answer.")
    try:
        said = without_thoughts(answer.text)
    except UnfinishedThought:
        return unfinished(most if answer.finish == CUT else 0)
    if answer.finish == CUT and not said.strip():  # the service keeps thoughts to itself
        return unfinished(most)
    if answer.finish == CUT and not keep_cut:
        return Refusal(UNUSABLE, f"The model's answer ended at {most:,} tokens: allow more.")
    if structured and bare(said).startswith("{"):
        found = _in_json(bare(said))
        if found is None:
            return Refusal(UNUSABLE, f"The model's answer is no JSON with the text '{KEY}'.")
        said = found
    elif clean:
        said = unwrapped(said, source, target_style)
    line = one_line(said)
    if not line:
        return Refusal(UNUSABLE, "The model's answer is empty.")
    if answer.finish == DECLINED or refuses(line, source):
        return Refusal(UNUSABLE, f"The model declined: “{line[:SHOWN]}{'…' * (len(line) > SHOWN)}”.")
    if clean and lists_several(said, source):
        return Refusal(UNUSABLE, "The model's answer lists several rewrites.")
    return line


def one_line(text: str) -> str:
    """The text with each run of white space as one space."""
    return " ".join(text.split())


def bare(text: str) -> str:
    """The text without a fence of backquotes around the whole."""
    found = FENCE.fullmatch(text.strip())
    return found[1].strip() if found else text.strip()


def unwrapped(text: str, source: str = "", target_style: str = "") -> str:
    """The text without what a model writes around a rewrite.

    An opening ("Here is the text:"), a label ("Formal:"), a fence of backquotes, quotation marks around the whole, and
    a postscript ("Note: ...") in a paragraph of its own. Quotation marks stay where the source has them around it too;
    an opening or a label stays where the source has as many colons.
    """
    found = text.strip()
    for _ in range(ROUNDS):
        before = found
        found = _without_quotes(_without_opening(bare(_without_postscript(found)), source, target_style), source)
        if found == before:
            break
    return found


def _without_opening(text: str, source: str, target_style: str) -> str:
    agreement = AGREEMENT.match(text)
    if agreement and not source.casefold().startswith(text[:2].casefold()):
        return text[agreement.end() :]
    if text.count(":") <= source.count(":") and "\n" not in text:
        return text
    words = "|".join(map(re.escape, filter(None, (*LABELS, target_style))))
    label = re.compile(LABEL.format(words=words) + LABEL_END, re.IGNORECASE)
    found = OPENING.match(text) or label.match(text)
    return text[found.end() :].strip() if found else text


def _without_quotes(text: str, source: str) -> str:
    closing, given = QUOTES.get(text[:1]), source.strip()
    if not closing or len(text) < 2 or not text.endswith(closing) or closing in text[1:-1]:
        return text
    quoted = given[:1] in QUOTES and given[-1:] in (*QUOTES, *QUOTES.values())
    return text if quoted else text[1:-1].strip()


def _without_postscript(text: str) -> str:
    paragraphs = re.split(r"\n\s*\n", text)
    kept = 1
    while kept < len(paragraphs) and not POSTSCRIPT.match(paragraphs[kept].strip()):
        kept += 1
    return "\n\n".join(paragraphs[:kept])


def refuses(text: str, source: str) -> bool:
    """Whether the text declines to answer, in a language of the pages, and the source says nothing of the kind."""
    ways = [(REFUSING, DENIES), *DECLINING.values()]
    return any(refusing.search(text) and not denying.search(source) for refusing, denying in ways)


def lists_several(text: str, source: str) -> bool:
    """Whether the text is a list of two lines and more, and the source is none."""
    items = [line for line in text.splitlines() if ITEM.match(line.strip())]
    return len(items) > 1 and not ITEM.match(source.strip())


def _in_json(text: str) -> str | None:
    try:
        found = json.loads(text)
        said = found[KEY]
    except (ValueError, KeyError, TypeError, RecursionError):
        return None
    return said if isinstance(said, str) else None
