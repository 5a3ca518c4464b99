#!/usr/bin/env python3
"""Scores boxes of people.

usage: evaluate.py TRUTH.json PREDICTIONS.json [--upper] [--confidence C] [--empty EMPTY.json] [--part validation]
       [--leave-out STEM...]

TRUTH.json: {"images": [{"file", "width", "height", "all_labelled", "persons": [{"box": [x, y, w, h], "upper_box",
"ignore", "crowd"}]}]} in pixels, or what photographs.py or upper_bodies.py writes. PREDICTIONS.json: {file: [{"box":
[x, y, w, h], "score"}]}, of predict.py or of the package; with --upper these are upper bodies, and only people with an
"upper_box" are asked for.

Printed: AP50 (101 points) with a bootstrap interval over photographs; recall at overlap .5 by the height of people;
false boxes per photograph; and recall where one box in ten photographs is false. Photographs without people, in the
same file or in predictions of others (--empty), say which confidence that is; so do, with whole bodies, photographs
with people. A box that covers an ignored person is not counted; an upper body is false if less than half of it lies
on a labelled person.

needs: numpy
"""
import argparse
import json
import pathlib

import numpy as np

OVERLAP = 0.5
# One false box in ten photographs.
FALSE_RATE = 0.1


def overlap(a, b):
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    common = max(width, 0) * max(height, 0)
    return common / max(a[2] * a[3] + b[2] * b[3] - common, 1e-9)


def covered(a, b):
    """Returns the part of a that lies in b."""
    width = min(a[0] + a[2], b[0] + b[2]) - max(a[0], b[0])
    height = min(a[1] + a[3], b[1] + b[3]) - max(a[1], b[1])
    return max(width, 0) * max(height, 0) / max(a[2] * a[3], 1e-9)


def read(path, part):
    content = json.loads(path.read_text())
    if isinstance(content, dict):
        return content["images"]

    def sized(box):
        return [box[0], box[1], box[2] - box[0], box[3] - box[1]]

    images = []
    for photo in content:
        if photo["part"] == part:
            persons = [{"box": sized(person["box"]), "ignore": person["ignore"],
                        **({"upper_box": sized(person["upper"])} if person.get("upper") else {})}
                       for person in photo["persons"]]
            images.append({**photo, "persons": persons})
    return images


def matched(image, predictions, upper):
    """Returns the heights of people with the score that each was found with (0: not), and the scores of false boxes."""
    people = image["persons"]
    hidden = [bool(person.get("ignore") or person.get("crowd")) for person in people]
    field = "upper_box" if upper else "box"
    wanted = [field in person and not away for person, away in zip(people, hidden)]
    found, false = [0.0] * len(people), []
    for entry in sorted(predictions, key=lambda entry: -entry["score"]):
        shared = [overlap(entry["box"], person[field]) if ask and not score else 0
                  for person, ask, score in zip(people, wanted, found)]
        best = int(np.argmax(shared)) if shared else 0
        if shared and shared[best] >= OVERLAP:
            found[best] = entry["score"]
        elif upper and any(covered(entry["box"], person["box"]) >= 0.5 for person in people):
            continue
        elif any(away and overlap(entry["box"], person["box"]) >= 0.3 for person, away in zip(people, hidden)):
            continue
        elif image.get("all_labelled", True):
            false.append(entry["score"])
    rows = [(person[field][3], person["box"][3] / image["height"], score)
            for person, ask, score in zip(people, wanted, found) if ask]
    return rows, false


def average_precision(hits, false, count):
    scores = np.concatenate((hits, false))
    order = np.argsort(-scores, kind="stable")
    true = np.concatenate((np.ones(len(hits)), np.zeros(len(false))))[order]
    if not len(true) or not count:
        return 0.0
    recall = np.cumsum(true) / count
    precision = np.maximum.accumulate((np.cumsum(true) / np.arange(1, len(true) + 1))[::-1])[::-1]
    at = np.searchsorted(recall, np.linspace(0, 1, 101))
    return float(np.mean([precision[i] if i < len(precision) else 0 for i in at]))


def threshold(false, photographs):
    """Returns the confidence above which one box in ten photographs is false."""
    allowed = int(FALSE_RATE * photographs)
    ranked = sorted(false, reverse=True)
    return ranked[allowed] + 1e-9 if len(ranked) > allowed else 0.0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("predictions", type=pathlib.Path)
    parser.add_argument("--upper", action="store_true")
    parser.add_argument("--confidence", type=float, default=0.3)
    parser.add_argument("--empty", type=pathlib.Path)
    parser.add_argument("--part", default="validation")
    parser.add_argument("--leave-out", nargs="+", default=[], metavar="STEM", help="photographs by name")
    arguments = parser.parse_args()
    predictions = json.loads(arguments.predictions.read_text())
    left_out = set(arguments.leave_out)
    images = [image for image in read(arguments.truth, arguments.part)
              if pathlib.Path(image["file"]).stem not in left_out]
    results = [matched(image, predictions.get(image["file"], []), arguments.upper) for image in images]
    with_people = [result for image, result in zip(images, results) if image["persons"]]
    rows = np.array([row for rows, _ in with_people for row in rows]).reshape(-1, 3)
    empty = [result[1] for image, result in zip(images, results) if not image["persons"]]
    if arguments.empty:
        empty += [[entry["score"] for entry in entries]
                  for name, entries in json.loads(arguments.empty.read_text()).items()
                  if pathlib.Path(name).stem not in left_out]
    print(f"{len(with_people)} photographs with {len(rows)} people, {len(empty)} without people")
    all_false = [score for _, false in results for score in false]
    if not arguments.upper:
        def score(chosen):
            some = [row[2] for rows, _ in chosen for row in rows]
            hits = [value for value in some if value > 0]
            return average_precision(np.array(hits), np.array([v for _, false in chosen for v in false]), len(some))

        chance = np.random.default_rng(1)
        interval = np.percentile(
            [score([results[i] for i in chance.integers(len(results), size=len(results))]) for _ in range(200)],
            (2.5, 97.5))
        print(f"AP50 {score(results):.3f} ({interval[0]:.3f} to {interval[1]:.3f})")
    groups = {"all": rows[:, 0] > 0, "below 48 px": rows[:, 0] < 48, "48 to 160 px": (rows[:, 0] >= 48) & (
        rows[:, 0] <= 160), "above 160 px": rows[:, 0] > 160, "below a quarter of the image": rows[:, 1] < 0.25}
    levels = {f"at {arguments.confidence}": arguments.confidence, "of everything": 1e-9}
    if empty:
        levels["at one false box in ten photographs without people"] = threshold(
            [score for false in empty for score in false], len(empty))
    if with_people:
        levels["at one false box in ten photographs of these"] = threshold(all_false, len(images))
    for name, level in levels.items():
        parts = [f"{group} {(rows[mask, 2] >= level).mean():.3f} ({mask.sum()})"
                 for group, mask in groups.items() if mask.any()]
        print(f"recall {name} (confidence {level:.3f}): " + ", ".join(parts))
    hits, false = (rows[:, 2] >= arguments.confidence).sum(), np.sum(np.array(all_false) >= arguments.confidence)
    print(f"at {arguments.confidence}: precision {hits / max(hits + false, 1):.3f}, false boxes in photographs without "
          f"people {sum(score >= arguments.confidence for false in empty for score in false)}")


if __name__ == "__main__":
    main()
