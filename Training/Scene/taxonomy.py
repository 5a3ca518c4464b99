#!/usr/bin/env python3
"""Makes the table of the scene taxonomy from WordNet and taxonomy_edits.txt.

    taxonomy.py --wordnet /usr/share/wordnet --labels LABELS [--write scene-taxonomy.table]

LABELS: the networks' outputs, a WordNet identifier (n01440764) a line; for example imagenet_synsets.txt of timm.
Without --write only the counts and warnings are printed.
"""

import argparse
import pathlib
import re
import sys

import numpy as np
import wordnet

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
import tables  # noqa: E402

EDITS = pathlib.Path(__file__).with_name("taxonomy_edits.txt")


def fail(message):
    sys.exit(f"taxonomy: {message}")


class Taxonomy:
    """Classes by the offset of their first synset: identifier, synsets, parents, outputs and names."""

    def __init__(self, folder, labels):
        self.synsets = wordnet.nouns(folder)
        self.outputs = {label[1:]: index for index, label in enumerate(labels)}
        self.nodes = set(self.outputs)
        queue = list(self.outputs)
        while queue:
            for above in self.synsets[queue.pop()].hypernyms:
                if above not in self.nodes:
                    self.nodes.add(above)
                    queue.append(above)
        self.by_word = {}
        for node in self.nodes:
            self.by_word.setdefault(self.synsets[node].words[0].lower(), []).append(node)
        self.dropped, self.renamed, self.joined, self.links, self.unlinks, self.forgotten = (
            set(),
            {},
            {},
            [],
            set(),
            set(),
        )
        self.complaints = []
        for line in EDITS.read_text().splitlines():
            self.edit(line.split("#")[0].split())
        if self.complaints:
            fail("\n  ".join(["edits that name no one class:"] + self.complaints))
        self.build()

    def find(self, text):
        word, _, offset = text.lower().partition("@")
        found = [n for n in self.by_word.get(word, []) if not offset or n == offset]
        if len(found) != 1:
            options = ", ".join(f"{n} ({self.synsets[n].gloss[:50]})" for n in found) or "not there"
            self.complaints.append(f"{text}: {options}")
            return None
        return found[0]

    def edit(self, words):
        if not words:
            return
        verb, *rest = words
        if verb == "name":
            self.renamed[self.find(rest[0])] = rest[1]
            return
        if verb == "forget":
            self.forgotten.add((self.find(rest[0]), rest[1]))
            return
        found = [self.find(word) for word in rest]
        if verb == "drop":
            # A leaf that is to go needs somewhere to go to: that is `same`.
            self.complaints += [f"drop {w}: an output" for w, f in zip(rest, found) if f in self.outputs]
            self.dropped.update(found)
        elif verb == "same":
            for other in found[1:]:
                self.joined[other] = found[0]
        elif verb == "link":
            self.links.append((found[0], found[1]))
        elif verb == "unlink":
            self.unlinks.add((found[0], found[1]))
        else:
            self.complaints.append(f"{verb}: not an edit")

    def visible(self, node):
        """The nearest classes at or above a synset."""
        node = self.joined.get(node, node)
        if node not in self.dropped:
            return {node}
        return {v for above in self.synsets[node].hypernyms for v in self.visible(above)}

    def build(self):
        kept = {n for n in self.nodes if n not in self.dropped and n not in self.joined}
        members = {n: [n] + sorted(o for o, to in self.joined.items() if to == n) for n in kept}
        parents = {n: set() for n in kept}
        for node in kept:
            # An output that is folded into a class above it brings no parents along.
            inner = [m for m in members[node] if m not in self.outputs]
            for source in inner or members[node]:
                for above in self.synsets[source].hypernyms:
                    if (source, above) not in self.unlinks:
                        parents[node] |= self.visible(above)
        for child, parent in self.links:
            parents[self.joined.get(child, child)].add(self.joined.get(parent, parent))
        for node in kept:
            parents[node].discard(node)

        def above(node, seen):
            for parent in parents[node]:
                if parent not in seen:
                    seen.add(parent)
                    above(parent, seen)
            return seen

        ancestors = {n: above(n, set()) for n in kept}
        if any(n in ancestors[n] for n in kept):
            fail("the taxonomy has a circle")
        # A parent that is also an ancestor of another parent says nothing.
        for node in kept:
            parents[node] = {p for p in parents[node] if not any(p in ancestors[q] for q in parents[node])}
        self.parents, self.members, self.ancestors = parents, members, ancestors
        self.identifiers = {n: self.renamed.get(n) or self.default_name(n) for n in kept}
        self.order = sorted(kept, key=lambda n: self.identifiers[n])

    def default_name(self, node):
        return re.sub("[^a-z0-9]+", "_", self.synsets[node].words[0].lower().replace("'", "")).strip("_")

    def names(self, node):
        """The names under which a search finds the class, beside its identifier."""
        found = []
        for member in self.members[node]:
            if member in self.outputs and node not in self.outputs:
                continue  # folded in: persons by what they do
            for word in self.synsets[member].words:
                if (member, word.lower()) in self.forgotten:
                    continue
                text = word.replace("_", " ").lower()
                if text not in found and text != self.identifiers[node].replace("_", " "):
                    found.append(text)
        return found

    def rows(self):
        index = {n: i for i, n in enumerate(self.order)}
        for node in self.order:
            yield (
                self.identifiers[node],
                "+".join(self.members[node]),
                " ".join(str(p) for p in sorted(index[p] for p in self.parents[node])),
                " ".join(str(o) for o in sorted(self.outputs[m] for m in self.members[node] if m in self.outputs)),
                ", ".join(self.names(node)),
            )


def check(taxonomy):
    seen = {}
    for node in taxonomy.order:
        name = taxonomy.identifiers[node]
        if not re.fullmatch("[a-z][a-z0-9]*(_[a-z0-9]+)*", name):
            fail(f"{name} is no identifier")
        seen.setdefault(name, []).append(node)
    twice = {k: v for k, v in seen.items() if len(v) > 1}
    if twice:
        fail(
            "names used twice:\n"
            + "\n".join(f"  {k}: {[(n, taxonomy.synsets[n].gloss[:60]) for n in v]}" for k, v in twice.items())
        )
    outputs = sorted(o for row in taxonomy.rows() for o in map(int, row[3].split()))
    if outputs != list(range(len(taxonomy.outputs))):
        fail("not every output belongs to one class")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--wordnet", required=True)
    parser.add_argument("--labels", type=pathlib.Path, required=True)
    parser.add_argument("--write", type=pathlib.Path)
    arguments = parser.parse_args()
    taxonomy = Taxonomy(arguments.wordnet, arguments.labels.read_text().split())
    check(taxonomy)
    leaves = sum(1 for row in taxonomy.rows() if row[3])
    print(f"{len(taxonomy.order)} classes, {leaves} with outputs, {len(taxonomy.order) - leaves} above them only")
    print("without parents:", " ".join(row[0] for row in taxonomy.rows() if not row[2]))
    if arguments.write:
        rows = list(taxonomy.rows())
        parents, outputs = ([[int(number) for number in row[column].split()] for row in rows] for column in (2, 3))
        tables.write(
            arguments.write, identifiers=[row[0] for row in rows], offsets=[row[1] for row in rows],
            names=[row[4] for row in rows], parent_counts=np.array([len(p) for p in parents], np.uint8),
            parents=np.array(sum(parents, []), np.uint16), output_counts=np.array([len(o) for o in outputs], np.uint8),
            outputs=np.array(sum(outputs, []), np.uint16))


if __name__ == "__main__":
    main()
