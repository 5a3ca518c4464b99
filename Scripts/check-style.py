#!/usr/bin/env python3
"""Checks names, comments and documentation for words that this project does not use, and for lines that are too long.

    check-style.py [FILE…]

Without arguments every text file that git knows is checked. Data (weights, tables, lists of labels) and this script are left out.
Documentation/Glossary.md explains the words that are ours; everything else is called what the field calls it.
"""

import pathlib
import re
import subprocess
import sys

COLUMNS = 120

# What was written once, and what is written instead. Names in camel case and snake case are split into words first, so
# that `filmReader`, `film_reader` and `a film` are all found.
WORDS = {
    r"films?": "video",
    r"awake": "SpinWait; spins",
    r"patience": "timeout, spinLimit",
    r"company|companies": "batch",
    r"habits?": "bias, prior",
    r"judges?": "verifier",
    r"movers?": "refinement network",
    r"looked at": "processed, examined",
    r"of late": "recent",
    r"changed copy|changed copies": "augmentation",
    r"never falls": "monotone",
    r"without circles": "acyclic",
    r"takes and gives": "inputs and outputs",
    r"used for nothing": "held out",
    r"had a say in": "was used for tuning",
    r"codes of lines|codes of two dimensions": "linear (1-D) barcodes, 2-D barcodes",
    r"is no box|is no database": "is not a valid …",
    r"all together": "end to end, in total",
    r"lends?|lending": "worker threads",
}
# Terms of standards and of other libraries in which such a word is right.
TERMS = re.compile(r"dxfilmedge|vld1q_lane|_lane_|lane_(?:s|u|f|p)\d+|\b\w*_lanes?\b|128-bit lanes?", re.IGNORECASE)

SOURCES = {".swift", ".c", ".h", ".cpp", ".inc", ".py", ".sh", ".js", ".css", ".html"}
TEXTS = SOURCES | {".md"}
DATA = re.compile(r"\+Trained\.swift$|/Tables/|/Generated/|Documentation/AppleAPI\.txt$|Documentation/APIStatus\.md$|Scripts/check-style\.py$")
CAMEL = re.compile(r"(?<=[a-z0-9])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|_")
PATTERNS = [(re.compile(rf"\b(?:{words})\b", re.IGNORECASE), instead) for words, instead in WORDS.items()]


def tracked():
    listed = subprocess.run(["git", "ls-files", "-z"], check=True, capture_output=True, text=True).stdout
    return [name for name in listed.split("\0") if name]


def faults(name):
    path = pathlib.Path(name)
    if path.suffix not in TEXTS and path.name != "Makefile" or DATA.search(name) or not path.is_file():
        return
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        if path.suffix in SOURCES and len(line) > COLUMNS:
            yield f"{name}:{number}: {len(line)} columns, {COLUMNS} are allowed"
        spoken = CAMEL.sub(" ", TERMS.sub(" ", line))
        for pattern, instead in PATTERNS:
            if found := pattern.search(spoken):
                yield f"{name}:{number}: write “{instead}” instead of “{found.group()}”"


def main():
    found = [fault for name in sys.argv[1:] or tracked() for fault in faults(name)]
    print(*found, sep="\n", end="\n" if found else "")
    print(f"style: {len(found)} faults")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
