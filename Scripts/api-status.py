#!/usr/bin/env python3
"""Compares the package's public symbols with Documentation/AppleAPI.txt and writes Documentation/APIStatus.md, and
declares the names of classes that are absent as unavailable, so that the compiler says so (unavailable_names.py).

    Scripts/api-status.py             check that the files are up to date (exit status 1 and the difference if not)
    Scripts/api-status.py --write     write the files
    Scripts/api-status.py --root DIR  use the package in DIR

The public symbols are those of the library products in Package.swift, read from Sources. The text of
Documentation/APIDecisions.md is copied into the file. A symbol that exists but is not implemented yet says so in a line
of its doc comment, and the rest of that paragraph becomes the remark in the table:

    /// Not implemented: performing it fails with `notImplemented`.
    /// Partly implemented: revision 2 is missing.

The members of such a type count as done unless they carry a line of their own.
"""

import argparse
import difflib
import re
import sys
from collections import defaultdict
from dataclasses import dataclass
from pathlib import Path

sys.dont_write_bytecode = True
import unavailable_names  # noqa: E402
from swift_symbols import SymbolTable, balanced, split_top  # noqa: E402

DONE, PARTLY, STUB, ABSENT = "done", "partly", "throws notImplemented", "absent"
STATUSES = (DONE, PARTLY, STUB, ABSENT)
MARKER = re.compile(r"^(Not|Partly) implemented(?: yet)?:\s*")
# What a type has because of a protocol or base class of Swift or Foundation.
FROM_CONFORMANCE = {
    "==(_:_:)", "hash(into:)", "encode(to:)", "init(from:)", "copy(with:)", "encode(with:)", "init(coder:)", "hash",
    "supportsSecureCoding", "isEqual(_:)", "description", "debugDescription", "allCases",
}


@dataclass
class Entry:
    """A symbol of Apple's API."""

    section: str
    container: str
    name: str
    parameters: list  # of (label, type or ""); None where there are no parentheses
    since: str
    remark: str
    spelled: str  # without the container

    @property
    def path(self):
        return f"{self.container}.{self.spelled}" if self.container else self.spelled


def read_entries(path):
    entries, section = [], ""
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        line, _, remark = line.split("#")[0].partition("|")
        line = line.strip()
        if line.startswith("["):
            section = line.strip("[] ")
        elif line:
            match = re.fullmatch(r"([\w.]*?)([^\s.()]+)(\(.*\))?(?:\s+since=(\w+))?", line)
            if not match:
                sys.exit(f"{path}:{number}: '{line}' is not a name of the form Type.member(label:)")
            container, name, call, since = match.groups()
            arguments = None
            if call:
                # `on: CGImage, orientation:` and `_:orientation:` both separate one argument from the next.
                found = re.findall(r"(\w+):\s*([^,:()]*?)\s*(?:,|(?=\w+:)|$)", call[1:-1])
                arguments = [(label, kind) for label, kind in found]
            entries.append(
                Entry(
                    section, container.rstrip("."), name, arguments, since or "11", remark.strip(),
                    name + (call or "")))
    paths = [e.path for e in entries]
    for twice in sorted({p for p in paths if paths.count(p) > 1}):
        sys.exit(f"{path}: {twice} is listed twice")
    return entries


def product_modules(package):
    text, modules = package.read_text(encoding="utf-8"), set()
    for match in re.finditer(r"\.library\s*\(", text):
        targets = re.search(r"targets:\s*\[([^\]]*)\]", text[match.end() - 1 : balanced(text, match.end() - 1)])
        # A product of several modules is the folder with its name.
        modules |= set(re.findall(r'"(\w+)"', text[match.end() :])[:1])
        modules |= set(re.findall(r'"(\w+)"', targets.group(1))) if targets else set()
    return modules


class Comparison:
    def __init__(self, table, entries):
        self.table, self.entries = table, entries
        self.by_name = defaultdict(list)
        for symbol in table.public:
            self.by_name[(table.resolved(symbol.container), symbol.name)].append(symbol)
        self.matches = {id(e): self.find(e) for e in entries}
        matched = {id(s) for found in self.matches.values() for s in found}
        listed = defaultdict(list)
        for entry in entries:
            listed[(table.resolved(entry.container), entry.name)].append(entry)
        self.own = [s for s in table.public if id(s) not in matched and not self.inherited(s, listed)]

    def find(self, entry):
        containers = self.table.lineage(entry.container) if entry.container else [""]
        for container in containers:
            symbols = self.by_name[(container, entry.name)]
            if entry.parameters is None:
                plain = [s for s in symbols if s.parameters is None]
                found = plain or [s for s in symbols if s.name != "init"]
            else:
                found = [s for s in symbols if self.callable(s, entry.parameters)]
            if found:
                return found
        return []

    def callable(self, symbol, arguments):
        """Whether the symbol can be called with these labels, and takes these types where they are given."""
        if symbol.parameters is None:
            return False
        waiting = list(arguments)
        for parameter in symbol.parameters:
            if waiting and waiting[0][0] == parameter.label:
                kind = waiting[0][1]
                if not kind or self.table.resolved(kind) == self.table.resolved(parameter.type):
                    waiting.pop(0)
                    continue
            if not parameter.has_default:
                return False
        return not waiting

    def inherited(self, symbol, listed):
        """Whether the symbol overrides or repeats a name that a base type has."""
        if symbol.overrides:
            return True
        bases = self.table.lineage(symbol.container)[1:] if symbol.container else []
        alike = [entry for base in bases for entry in listed[(base, symbol.name)]]
        return any(e.parameters is None or self.callable(symbol, e.parameters) for e in alike)

    def status(self, entry):
        """The status and the remark."""
        found = self.matches[id(entry)]
        if not found:
            return ABSENT, entry.remark
        # One implemented overload is enough.
        marks = [marker(s.doc) for s in found]
        return (DONE, entry.remark) if None in marks else marks[0]


def marker(doc):
    for number, line in enumerate(doc):
        match = MARKER.match(line)
        if match:
            text = [line[match.end() :]]
            for following in doc[number + 1 :]:
                if not following:
                    break
                text.append(following)
            return (STUB if match.group(1) == "Not" else PARTLY), " ".join(text).strip()
    return None


def summary(doc):
    """The first sentence of a doc comment."""
    paragraph = " ".join(doc[: doc.index("")] if "" in doc else doc)
    return re.split(r"(?<=[.:])\s+(?=[A-Z`])", paragraph)[0].rstrip(":")


def cell(text):
    return text.replace("|", "\\|")


def code(name, since="11"):
    return f"`{name}`" + ("" if since == "11" else f" ({since})")


def table(header, rows):
    lines = ["| " + " | ".join(header) + " |", "|" + "---|" * len(header)]
    return lines + ["| " + " | ".join(cell(c) for c in row) + " |" for row in rows]


def section_rows(comparison, entries):
    """Members with the same status share a row with their type."""
    since = {e.path: e.since for e in entries}
    types = {e.container for e in entries if e.container in since}
    rows = {}
    for entry in entries:
        status, remark = comparison.status(entry)
        name = entry.container if entry.container in types and entry.path not in types else entry.path
        row = rows.setdefault((name, status, remark), [code(name, since[name]), status, [], remark])
        if name != entry.path:
            row[2].append(code(entry.spelled, entry.since))
    # The rows of a type stay together, in the order of the list.
    order = list(dict.fromkeys(key[0] for key in rows))
    for key in sorted(rows, key=lambda key: order.index(key[0])):
        name, status, members, remark = rows[key]
        yield name, status, "; ".join(part for part in (remark, ", ".join(members)) if part)


def sections(entries):
    grouped = defaultdict(list)
    for entry in entries:
        grouped[entry.section].append(entry)
    return grouped.items()


def own_symbols(comparison, module):
    """Our own symbols of one module: a table, and the members that protocols require."""
    apple_types = {e.spelled for e in comparison.entries if e.parameters is None and not e.container}
    symbols = [s for s in comparison.own if s.module == module]
    ambiguous = defaultdict(int)
    for symbol in symbols:
        ambiguous[symbol.spelled()] += 1
    rows, conformance, seen = [], defaultdict(list), set()
    for symbol in symbols:
        spelled = symbol.spelled(with_types=ambiguous[symbol.spelled()] > 1)
        own_part = symbol.spelled()[len(symbol.container) + 1 :] if symbol.container else symbol.spelled()
        if symbol.container and own_part in FROM_CONFORMANCE:
            conformance[symbol.container].append(own_part)
        elif spelled not in seen:
            seen.add(spelled)
            rows.append((symbol.container in apple_types, spelled, summary(symbol.doc)))
    lines = []
    if rows:
        # Own types first, additions to Apple's types behind them; each in the order of the names.
        rows.sort(key=lambda row: (row[0], row[1]))
        lines += table(("name", "what it is"), [(code(name), what) for _, name, what in rows]) + [""]
    if conformance:
        listed = "; ".join(
            f"`{name}`: " + ", ".join(code(m) for m in sorted(set(conformance[name]))) for name in sorted(conformance))
        lines += [f"Members that protocols and base classes ask for: {listed}.", ""]
    return lines


def compare(root):
    entries = read_entries(root / "Documentation" / "AppleAPI.txt")
    return Comparison(SymbolTable(root / "Sources", product_modules(root / "Package.swift")), entries)


def unavailable(comparison):
    absent = [e for e in comparison.entries if comparison.status(e)[0] == ABSENT]
    return unavailable_names.source(absent, {e.path for e in comparison.entries} - {e.path for e in absent})


def report(root, comparison):
    documentation = root / "Documentation"
    entries, modules = comparison.entries, product_modules(root / "Package.swift")
    lines = [
        "# What is there of Apple's API", "",
        "<!-- Written by Scripts/api-status.py (make api-status). Edit AppleAPI.txt, APIDecisions.md or the doc "
        "comments. -->",
        "",
        "Apple's names, of the classes and of the Swift API, and what this package has of them. A number in brackets "
        "is the first iOS version "
        "with the name, where that is not 11 (12 = macOS 10.14, 13 = macOS 10.15). *partly*: see the remark. "
        "*throws notImplemented*: the name is there, so that code compiles, and using it gives the error "
        "`VNErrorCode.notImplemented`. *absent*: code that uses it does not compile; for names that begin with `VN` "
        "the compiler says that they are missing.", "",
    ]
    requests = [e for e in entries if e.section == "Swift API: requests" and not e.container]
    absent = [e.name for e in requests if comparison.status(e)[0] == ABSENT]
    lines += [
        f"Of the {len(requests)} requests of Apple's Swift API {len(requests) - len(absent)} are there; absent: "
        + ", ".join(f"`{name}`" for name in absent) + ".", "",
    ]
    counts = []
    for section, members in sections(entries):
        found = [comparison.status(e)[0] for e in members]
        counts.append((f"[{section}](#{anchor(section)})", *(str(found.count(s) or "") for s in STATUSES)))
    total = [comparison.status(e)[0] for e in entries]
    counts.append(("all", *(str(total.count(s) or "") for s in STATUSES)))
    lines += table(("section", *STATUSES), counts) + [""]
    for section, members in sections(entries):
        lines += [f"## {section}", ""]
        lines += table(("name", "status", "members, remarks"), section_rows(comparison, members)) + [""]
    lines += ["## Names that Apple's API does not have", ""]
    for module in sorted(modules):
        own = own_symbols(comparison, module)
        if own:
            lines += [f"### {module}", "", *own]
    lines += [(documentation / "APIDecisions.md").read_text(encoding="utf-8").strip()]
    return "\n".join(lines) + "\n"


def anchor(title):
    return re.sub(r"[^\w\- ]", "", title.lower()).replace(" ", "-")


def main():
    parser = argparse.ArgumentParser(description="Compares the public symbols with Apple's.")
    parser.add_argument("--write", action="store_true", help="write Documentation/APIStatus.md")
    parser.add_argument("--root", type=Path, default=Path(__file__).resolve().parent.parent, help="the package")
    options = parser.parse_args()
    comparison = compare(options.root)
    files = {"Documentation/APIStatus.md": report(options.root, comparison)}
    declarations = "Sources/Vision/Unavailable/UnavailableNames.swift"
    if unavailable(comparison) or (options.root / declarations).exists():
        files[declarations] = unavailable(comparison)
    return max(check(options.root, name, text, options.write) for name, text in files.items())


def check(root, name, wanted, writes):
    file = root / name
    present = file.read_text(encoding="utf-8") if file.exists() else ""
    if wanted == present:
        return 0
    if writes:
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(wanted, encoding="utf-8")
        return 0
    difference = list(difflib.unified_diff(
        present.splitlines(), wanted.splitlines(), "as it is", "as it should be", n=0, lineterm=""))
    print(f"{name} is not up to date: run `make api-status`.")
    print("\n".join(difference[:60]))
    if len(difference) > 60:
        print(f"… and {len(difference) - 60} lines more")
    return 1


if __name__ == "__main__":
    sys.exit(main())
