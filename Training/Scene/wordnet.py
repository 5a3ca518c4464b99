"""Reads WordNet's noun database (Debian's wordnet-base, /usr/share/wordnet)."""

import pathlib


class Synset:
    def __init__(self, offset, words, hypernyms, gloss):
        self.offset, self.words, self.hypernyms, self.gloss = offset, words, hypernyms, gloss


def nouns(folder):
    """Every noun synset by its offset, eight digits: an ImageNet identifier without its n."""
    synsets = {}
    with open(pathlib.Path(folder) / "data.noun", encoding="utf-8") as file:
        for line in file:
            if line.startswith(" "):
                continue  # the licence at the head of the file
            head, _, gloss = line.partition(" | ")
            parts = head.split()
            count = int(parts[3], 16)
            words = parts[4 : 4 + 2 * count : 2]
            at = 4 + 2 * count
            hypernyms = []
            for pointer in range(int(parts[at])):
                symbol, offset = parts[at + 1 + 4 * pointer : at + 3 + 4 * pointer]
                if symbol in ("@", "@i"):
                    hypernyms.append(offset)
            synsets[parts[0]] = Synset(parts[0], words, hypernyms, gloss.strip())
    return synsets
