"""Components: parts of pages that a template names, `<c-act at="...">Remove</c-act>`, each described by one file.

`templates/components/act.html` is the HTML of `c-act`. The loader writes it in the component's place before Django
reads the template, once a process, so that a page with components costs what it costs without them. In such a file

- `{% given NAME %}` is the attribute of that name. Where it is not given, `{% given NAME|OTHER %}` is the other one and
  `{% given NAME "..." %}` the text; else an element's attribute that holds only this is left out, with its space;
- `$NAME` is the same within a tag of Django's: `{% for $rows %}`;
- `{% if_given NAME %}...{% endif_given %}` is kept where the attribute is given;
- `{% content %}` is the text between the component's tags;
- `{% rest %}` are all other attributes; a component without it takes no others.

A value that is too long for an attribute may be an element within the component, named as the attribute: in `c-table`,
`<c-head>...</c-head>`.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass, field

from django.template import TemplateSyntaxError

from config.templating.whitespace import DJANGO, VALUE, tokens_of

PREFIX = "c-"
ATTRIBUTE = re.compile(rf"(?P<name>[a-zA-Z@:][\w:.@-]*)(?:=(?P<value>{VALUE}))?|(?P<django>{DJANGO})|(?P<space>\s+)")
GIVEN = re.compile(r'(?P<space> ?)\{% given (?P<name>\w+)(?:\|(?P<other>\w+))?(?: "(?P<usual>[^"]*)")? %\}')
ONLY_GIVEN = re.compile(r'(?<!\s)\s+[\w-]+="\{% given (?P<name>\w+) %\}"')
IF_GIVEN = re.compile(r"\{% (?:if_given (\w+)|endif_given) %\}")
COMMENT = re.compile(r"\{% (?:(comment) %\}|endcomment %\}\s*)")
IN_A_TAG = re.compile(r"\$(\w+)")
CONTENT, REST = "{% content %}", "{% rest %}"

Sources = Callable[[str], str]  # the source of a component's file, by the component's name; LookupError without one


@dataclass
class Use:
    """A use of a component in a template: its attributes, and its contents."""

    name: str
    definition: str
    given: dict[str, str] = field(default_factory=dict)
    rest: str = ""
    written: list[str] = field(default_factory=list)

    @property
    def takes(self) -> set[str]:
        given = [found.group("name", "other") for found in GIVEN.finditer(self.definition)]
        asked = filter(None, IF_GIVEN.findall(self.definition))
        return {name for names in given for name in names if name}.union(asked, IN_A_TAG.findall(self.definition))

    def text(self) -> str:
        """Its HTML."""
        text = _without(self.definition, IF_GIVEN, lambda name: not self.given.get(name))
        text = ONLY_GIVEN.sub(lambda found: found[0] if self.given.get(found["name"]) else "", text)
        text = IN_A_TAG.sub(lambda found: self.given.get(found[1], ""), text)
        text = GIVEN.sub(self._given, text).replace(f" {REST}", self.rest)
        return text.replace(CONTENT, "".join(self.written).strip())

    def _given(self, found: re.Match[str]) -> str:
        value = self.given.get(found["name"]) or self.given.get(found["other"]) or found["usual"]
        return found["space"] + value if value else ""


def with_components(source: str, sources: Sources) -> str:
    """The source of a template with the HTML of its components in their places.

    Raises:
        TemplateSyntaxError: There is no such component, it takes no such attribute, or it is not closed.
    """
    if f"<{PREFIX}" not in source and f"</{PREFIX}" not in source:
        return source
    opened = [Use("", "")]
    for token in tokens_of(source):
        if token.kind != "html" or not token.name.startswith(PREFIX):
            opened[-1].written.append(token.text)
            continue
        name = token.name.removeprefix(PREFIX)
        if not token.is_closing:
            opened.append(_use(name, token.text, opened[-1], sources))
        if token.is_closing and (opened[-1].name != name or token.text != f"</{token.name}>"):
            still = f"; open is <{PREFIX}{opened[-1].name}>" if opened[-1].name else ""
            raise TemplateSyntaxError(f"{token.text} closes nothing{still}.")
        if token.is_closing or token.text.endswith("/>"):
            _close(opened.pop(), opened[-1], sources)
    if len(opened) > 1:
        raise TemplateSyntaxError(f"<{PREFIX}{opened[-1].name}> is not closed.")
    return "".join(opened[0].written)


def _without(text: str, tags: re.Pattern[str], is_left_out: Callable[[str], bool]) -> str:
    """The text without its pairs of tags, and without what stands between those that are left out.

    The group of `tags` is the name in an opening tag; a closing tag has none.
    """
    kept, *rest = tags.split(text)
    pieces = zip(rest[::2], rest[1::2], strict=True)
    return kept + "".join(piece for name, piece in pieces if not (name and is_left_out(name)))


def _use(name: str, tag: str, parent: Use, sources: Sources) -> Use:
    if name in parent.takes:
        if tag != f"<{PREFIX}{name}>":
            raise TemplateSyntaxError(f"{tag}: what <{PREFIX}{parent.name}> is given as an element has no attributes.")
        return Use(name, CONTENT)
    try:
        use = Use(name, _without(sources(name), COMMENT, bool).strip())
    except LookupError:
        raise TemplateSyntaxError(f"There is no component {name!r}: no file components/{name}.html.") from None
    takes = use.takes
    for found in ATTRIBUTE.finditer(tag.removesuffix(">").removesuffix("/"), len(PREFIX) + len(name) + 1):
        if found["name"] and found["name"] in takes:
            use.given[found["name"]] = found["value"][1:-1] if found["value"] else found["name"]
            use.rest = use.rest.rstrip()
        else:
            use.rest += found[0]
    use.rest = use.rest.rstrip()
    if use.rest and REST not in use.definition:
        raise TemplateSyntaxError(f"<{PREFIX}{name}> takes {', '.join(sorted(takes))}, and not {use.rest.strip()}.")
    return use


def _close(use: Use, parent: Use, sources: Sources) -> None:
    """Put a component, or an attribute given as an element, into the component around it."""
    if use.definition == CONTENT and use.name in parent.takes:
        parent.given[use.name] = "".join(use.written).strip()
    else:
        parent.written.append(with_components(use.text(), sources))
