#!/usr/bin/env python3
"""Reads labelled pages with `openvision text` and has a scorer compare them with their labels.

    text_reading.py TOOL DATA SCORER OUT [--level accurate|fast]

DATA: a folder with a folder for each set: truth.json, [{image, lines: [{box or polygon, text}]}], and the images,
beside it or in images/. SCORER: a Python program that is called as `SCORER truth.json predictions.json` and prints JSON
with `cer`, `words_exact`, `words_exact_nocase`, `found` and `characters`; predictions are [{image, seconds, lines:
[{polygon, text, confidence, words: [{box, text}]}]}]. OUT: a folder that keeps the predictions, as SET-LEVEL.json.

Prints a row for each set: character error, words exactly right with and without regard to case, labelled boxes found,
and the processor time of a photo with one thread.
"""

import argparse
import json
import os
import pathlib
import subprocess
import sys


def image_path(folder, name):
    inner = folder / "images" / name
    return inner if inner.exists() else folder / name


def bounds(corners):
    xs, ys = [corner[0] for corner in corners], [corner[1] for corner in corners]
    return [min(xs), min(ys), max(xs), max(ys)]


def prediction(name, record, seconds):
    lines = [
        {
            "polygon": line["corners"],
            "text": line["text"],
            "confidence": line["confidence"],
            "words": [{"box": bounds(word["corners"]), "text": word["text"]} for word in line["words"]],
        }
        for line in record["results"]
    ]
    return {"image": name, "seconds": seconds, "lines": lines}


def read(tool, folder, truth, level):
    """Returns the predictions for the photos of a set."""
    paths = [str(image_path(folder, photo["image"])) for photo in truth]
    before = os.times()
    run = subprocess.run(
        [tool, "text", "--json", "--threads", "1", "--level", level, *paths], capture_output=True, text=True
    )
    after = os.times()
    if run.returncode != 0:
        sys.exit(f"{tool} ended with {run.returncode}: {run.stderr.strip()}")
    seconds = (after.children_user - before.children_user) / max(1, len(paths))
    records = [json.loads(line) for line in run.stdout.splitlines()]
    if len(records) != len(truth):
        sys.exit(f"{folder}: {len(records)} results for {len(truth)} photos")
    return [prediction(photo["image"], record, seconds) for photo, record in zip(truth, records)]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("scorer")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--level", choices=["accurate", "fast"], default="accurate")
    arguments = parser.parse_args()
    arguments.out.mkdir(parents=True, exist_ok=True)
    errors = characters = 0
    print(f"| set, {arguments.level} | photos | error | words | without case | found | seconds |")
    print("|---|---|---|---|---|---|---|")
    for truth_path in sorted(arguments.data.glob("*/truth.json")):
        folder = truth_path.parent
        truth = json.loads(truth_path.read_text(encoding="utf-8"))
        predictions = read(arguments.tool, folder, truth, arguments.level)
        kept = arguments.out / f"{folder.name}-{arguments.level}.json"
        kept.write_text(json.dumps(predictions, ensure_ascii=False), encoding="utf-8")
        run = subprocess.run(
            [sys.executable, arguments.scorer, str(truth_path), str(kept)], capture_output=True, text=True, check=True
        )
        score = json.loads(run.stdout)
        errors += score["cer"] * score["characters"]
        characters += score["characters"]
        print(
            f"| {folder.name} | {len(truth)} | {score['cer']:.4f} | {score['words_exact']:.3f} "
            f"| {score['words_exact_nocase']:.3f} | {score['found']:.3f} | {predictions[0]['seconds']:.2f} |",
            flush=True,
        )
    if characters == 0:
        sys.exit(f"{arguments.data} holds no folder with a truth.json that has text")
    print(f"| all | | {errors / characters:.4f}: {errors:.0f} of {characters} | | | | |")


if __name__ == "__main__":
    main()
