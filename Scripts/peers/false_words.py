#!/usr/bin/env python3
"""Counts the words that RapidOCR and ours read in photographs without text.

    false_words.py OPENVISION FOLDER... [--count 500] [--out FILE]

OPENVISION: our tool. From the photographs of the folders, COUNT are taken, spread evenly. A photograph counts as one
without text if the two read no word alike: then words of either are false. Words are what lies between spaces, and
alike without regard to case and punctuation. RapidOCR runs as it comes, ours at both levels.
"""

import argparse
import json
import pathlib
import subprocess
import unicodedata

from reading import rapidocr

LEVELS = ["accurate", "fast"]


def words(texts):
    return [word for text in texts for word in text.split()]


def plain(word):
    return "".join(c for c in unicodedata.normalize("NFKC", word).casefold() if c.isalnum())


def ours(tool, paths, level):
    requests = [{"name": "text", "level": level}]
    jobs = "".join(
        json.dumps({"id": number, "path": str(path), "requests": requests}) + "\n" for number, path in enumerate(paths)
    )
    run = subprocess.run([tool, "worker", "--quiet"], input=jobs, stdout=subprocess.PIPE, text=True, check=True)
    found = {answer["id"]: answer["results"]["text"] for answer in map(json.loads, run.stdout.splitlines())}
    return [words(line["text"] for line in found[number]) for number in range(len(paths))]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("folders", nargs="+", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--out", type=pathlib.Path, help="write the words of each photograph here")
    options = parser.parse_args()
    paths = [path for folder in options.folders for path in sorted(folder.rglob("*"))
             if path.suffix.lower() in (".jpg", ".jpeg", ".png")]
    step = max(1, len(paths) / options.count)
    paths = [paths[int(i * step)] for i in range(min(options.count, len(paths)))]
    found = {level: ours(options.tool, paths, level) for level in LEVELS}
    read = rapidocr()
    found["RapidOCR"] = [words(read(path).txts or ()) for path in paths]
    if options.out:
        rows = {str(path): {name: found[name][i] for name in found} for i, path in enumerate(paths)}
        options.out.write_text(json.dumps(rows, ensure_ascii=False, indent=1) + "\n", encoding="utf-8")
    for level in LEVELS:
        pairs = list(zip(found[level], found["RapidOCR"]))
        without = [(a, b) for a, b in pairs if not {plain(w) for w in a} & {plain(w) for w in b} - {""}]
        print(f"{level}: {len(without)} of {len(paths)} photographs have no word that both read; in them "
              f"{sum(len(a) for a, _ in without)} words of ours in {sum(bool(a) for a, _ in without)} photographs, "
              f"{sum(len(b) for _, b in without)} of RapidOCR in {sum(bool(b) for _, b in without)}")


if __name__ == "__main__":
    main()
