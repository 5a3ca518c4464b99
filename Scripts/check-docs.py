#!/usr/bin/env python3
"""Checks the documents: links to files and headings of the repository, that every document and example is linked, the
address of the repository, the counts of README.md, and that the guides quote the snippets that the tests run.

    check-docs.py            prints what is wrong
    check-docs.py --write    first writes the address (Documentation/repository.txt), counts and snippets into documents

A guide quotes a snippet with a comment in front of a block of Swift, `<!-- snippet: Faces.swift faces -->`. In the file
(Tests/GuideTests/Snippets) it stands between `// snippet: faces` and `// end`.
"""

import re
import subprocess
import sys
import textwrap
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ADDRESS = (ROOT / "Documentation" / "repository.txt").read_text().strip()
ADDRESSES = re.compile(r"https?://[^\s\"'<>)`]+/OpenVision\.git")
LINK = re.compile(r"!?\[[^\]]*\]\(([^)\s]+)\)")
FENCE = re.compile(r"^```.*?^```", re.M | re.S)
COUNTS = re.compile(
    r"Of\s+the\s+[\d,]+\s+names\s+of\s+Apple's\s+API\s+that\s+are\s+tracked,\s+[\d,]+\s+are\s+done,\s+\d+\s+partly,"
    r"\s+\d+\s+throws?\s+`notImplemented`,\s+\d+\s+are\s+absent")
SNIPPETS = ROOT / "Tests" / "GuideTests" / "Snippets"
MARKED = re.compile(r"^[ \t]*// snippet: (\S+)\n(.*?)^[ \t]*// end$", re.M | re.S)
QUOTE = re.compile(r"^(<!-- snippet: (\S+) (\S+) -->\n```swift\n)(.*?)^```$", re.M | re.S)


def snippets():
    """The text of each snippet by file and name, without its common indentation."""
    return {
        (path.name, name): textwrap.dedent(text).strip("\n") + "\n"
        for path in sorted(SNIPPETS.glob("*.swift")) for name, text in MARKED.findall(path.read_text())}


def tracked(pattern):
    listed = subprocess.run(
        ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard", "--", pattern], cwd=ROOT, check=True,
        capture_output=True, text=True).stdout
    return sorted(ROOT / name for name in listed.split("\0") if name and (ROOT / name).is_file())


def anchors(path):
    """The anchors of a document's headings, as GitHub and most readers make them."""
    seen, result = {}, set()
    for heading in re.findall(r"^#+ +(.+?)\s*$", FENCE.sub("", path.read_text()), re.M):
        text = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").lower()
        name = re.sub(r"[^\w\- ]", "", text).replace(" ", "-")
        count = seen.get(name, 0)
        seen[name] = count + 1
        result.add(f"{name}-{count}" if count else name)
    return result


def counts():
    """The sentence of README.md with the counts of the table in APIStatus.md."""
    status = (ROOT / "Documentation" / "APIStatus.md").read_text()
    row = re.search(r"^\| all \|(.*)\|$", status, re.M)
    done, partly, throwing, absent = (int(cell.strip() or 0) for cell in row.group(1).split("|"))
    names = done + partly + throwing + absent
    return (f"Of the {names:,} names of Apple's API that are tracked, {done:,} are done, {partly} partly, {throwing} "
            f"throw{'s' if throwing == 1 else ''} `notImplemented`, {absent} are absent")


def write():
    known = snippets()
    for path in tracked("*.md"):
        text = path.read_text()
        changed = ADDRESSES.sub(ADDRESS, text)
        if path == ROOT / "README.md":
            changed = COUNTS.sub(counts(), changed)
        changed = QUOTE.sub(
            lambda quote: quote[1] + known.get((quote[2], quote[3]), quote[4]) + "```", changed)
        if changed != text:
            path.write_text(changed)
            print(f"written: {path.relative_to(ROOT)}")


def problems():
    documents = tracked("*.md")
    linked, known, quoted = set(), snippets(), set()
    for path in documents:
        name, text = path.relative_to(ROOT), path.read_text()
        for quote in QUOTE.finditer(text):
            snippet = (quote[2], quote[3])
            quoted.add(snippet)
            if snippet not in known:
                yield f"{name}: quotes the snippet {' '.join(snippet)}, which does not exist"
            elif quote[4] != known[snippet]:
                yield f"{name}: its quotation of {' '.join(snippet)} differs; run Scripts/check-docs.py --write"
        if len(QUOTE.findall(text)) != text.count("<!-- snippet:"):
            yield f"{name}: a comment with a snippet has no block of Swift behind it"
        for address in ADDRESSES.findall(text):
            if address != ADDRESS:
                yield f"{name}: has the address {address}; Documentation/repository.txt has {ADDRESS}"
        for target in LINK.findall(FENCE.sub("", text)):
            if re.match(r"[a-z]+:", target):
                continue
            file, _, anchor = target.partition("#")
            other = (path.parent / file).resolve() if file else path
            if not other.exists():
                yield f"{name}: links to {target}, which does not exist"
                continue
            if other != path:
                linked.add(other)
            if anchor and other.suffix == ".md" and anchor not in anchors(other):
                yield f"{name}: links to {target}; there is no such heading"
    for path in documents:
        if path.parent == ROOT / "Documentation" and path not in linked and path.name != "README.md":
            yield f"{path.relative_to(ROOT)}: no document links to it"
    for folder in sorted((ROOT / "Examples").iterdir()):
        if folder.is_dir() and folder not in linked:
            yield f"Examples/{folder.name}: no document links to it"
    for snippet in sorted(known.keys() - quoted):
        yield f"Tests/GuideTests/Snippets/{snippet[0]}: no guide quotes {snippet[1]}"
    sentence = COUNTS.search((ROOT / "README.md").read_text())
    if not sentence or " ".join(sentence.group().split()) != counts():
        yield "README.md: its counts are not those of APIStatus.md; run Scripts/check-docs.py --write"


def main():
    if sys.argv[1:] == ["--write"]:
        write()
    elif sys.argv[1:]:
        sys.exit(__doc__)
    found = list(problems())
    print(*found, sep="\n", end="\n" if found else "")
    print(f"documents: {len(found)} problems")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())
