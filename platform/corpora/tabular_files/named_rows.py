"""Tables whose columns are known by name: a header in any order and case, then rows as mappings."""

import difflib
from collections.abc import Collection, Iterator

from corpora.tabular_files.csv_records import records
from corpora.text_files.decoding import TextFile
from foundation.errors import UserError, first_five


def named_rows(
    file: TextFile, required: Collection[str], optional: Collection[str] = (), *, others: bool = False
) -> Iterator[tuple[int, dict[str, str]]]:
    """(line, cells by name) of each row that is not blank; a column that a row lacks is "".

    Names are compared without case. A strange column is a `UserError` unless `others` may be there too.
    """
    lines = records(file)
    line, header = next(lines, (1, []))
    names = [cell.strip().casefold() for cell in header]
    known = {name.casefold(): name for name in (*required, *optional)}
    _check(names, known, required, others, f"{file.name}, line {line}")
    places = [(known[name], place) for place, name in enumerate(names) if name in known]
    for line, cells in lines:
        if any(cells):
            if len(cells) > len(names):
                raise UserError(
                    "the row has {cells_count} cells and the header {names_count}.",
                    cells_count=len(cells),
                    names_count=len(names),
                    where=f"{file.name}, line {line}",
                )
            yield line, {name: cells[place] if place < len(cells) else "" for name, place in places}


def _check(names: list[str], known: dict[str, str], required: Collection[str], others: bool, where: str) -> None:
    for name in required:
        if name.casefold() not in names:
            raise UserError(
                "the header has no column '{name}'; it has {names}.",
                name=name,
                names=first_five(filter(None, names)) or "none",
                where=where,
            )
    for name in names:
        if name in known and names.count(name) > 1:
            raise UserError(
                "the header names the column '{known}' {names} times.",
                known=known[name],
                names=names.count(name),
                where=where,
            )
        if name not in known and not others:
            near = difflib.get_close_matches(name, list(known), n=1)
            hint = f"did you mean {known[near[0]]}?" if near else f"known are {', '.join(known.values())}."
            raise UserError("there is no column '{name}' of documents; {hint}", name=name[:60], hint=hint, where=where)
