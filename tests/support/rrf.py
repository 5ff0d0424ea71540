"""A tiny UMLS in the form of the real one, made on the spot; no row is the UMLS's."""

from pathlib import Path

NAMES = [
    # cui, string, and what differs from a usual row
    ("C0000001", "Cough", {}),
    ("C0000001", "Tussis", {"ts": "S", "preferred": "N"}),
    ("C0000001", "Toux", {"language": "FRE", "atom": "A9"}),
    ("C0000002", "Chest pain", {}),
    ("C0000003", "Pleuritic chest pain", {}),
    ("C0000004", "Colds", {"ts": "S", "preferred": "N"}),
    ("C0000004", "Common cold", {}),
    ("C0000005", "Tussis", {"preferred": "N"}),
    ("C0000006", "Weather", {}),
]
TYPES = [("C0000001", "T184"), ("C0000002", "T184"), ("C0000003", "T184"), ("C0000004", "T047"), ("C0000005", "T184"),
         ("C0000006", "T070")]  # fmt: skip
DEFINITIONS = [
    ("C0000001", "A1", "MSH", "Expulsion of air."),
    ("C0000001", "A1", "MEDLINEPLUS", "<p>A sudden push of <b>air</b>.</p>"),
    ("C0000002", "A9", "MEDLINEPLUS", "Douleur."),
]


def name(cui, string, language="ENG", ts="P", stt="PF", preferred="Y", atom="A1"):
    cells = [cui, language, ts, "L1", stt, "S1", preferred, atom, "", "", "", "MSH", "PT", "D1", string, "0", "N", ""]
    return "|".join(cells) + "|\n"


def tiny_umls(folder: Path) -> Path:
    """The three files in `folder`."""
    folder.mkdir()
    (folder / "MRCONSO.RRF").write_text("".join(name(cui, string, **more) for cui, string, more in NAMES))
    (folder / "MRSTY.RRF").write_text("".join(f"{cui}|{tui}|A2.2.2|A type|AT1|256|\n" for cui, tui in TYPES))
    rows = (f"{cui}|{atom}|AT1||{source}|{text}|N||\n" for cui, atom, source, text in DEFINITIONS)
    (folder / "MRDEF.RRF").write_text("".join(rows))
    return folder
