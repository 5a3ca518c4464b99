"""Fits the confidence of read lines to how often they are right, and prints the coefficients of TextConfidence.swift.

    fit_confidence.py DATA PREDICTIONS [--level accurate]

DATA and PREDICTIONS are those of Scripts/text_reading.py. Every second photograph of each set (by name) is fitted, the
others are for the report: the expected calibration error over ten bins of equal width, and the mean confidence and the
share of right lines of each set.

A line is right when its text is that of the labels whose boxes hold it, or whole words of that text, after NFKC, with
plain quotes and dashes, and without regard to case where the labels have none ("compare": ["nocase"]). Lines where
nothing is labelled, and lines in ignored regions, are left out.
"""

import argparse
import json
import pathlib
import re
import unicodedata

import numpy as np

SWIFT = pathlib.Path(__file__).parents[2] / "Sources/VisionAlgorithms/Text/TextConfidence.swift"
NAMES = ["offset", "doubtWeight", "scoreWeight", "leastDoubt", "leastScore"]
PLAIN = str.maketrans({"‘": "'", "’": "'", "‚": "'", "´": "'", "`": "'", "“": '"', "”": '"', "„": '"', "«": '"',
                       "»": '"', "–": "-", "—": "-", "‐": "-", "‑": "-", "−": "-", "―": "-", "¬": "-", "\xad": "-",
                       "…": "..."})  # fmt: skip
CJK = r"[\u2e80-\u30ff\u3400-\u9fff\uf900-\ufaff\uff00-\uffef]"


def folded(text, compare):
    text = unicodedata.normalize("NFKC", text.translate(PLAIN))
    text = re.sub(r"(?:\s*\.){4,}", " ", text)
    text = re.sub(r"\s+", " ", text).strip()
    text = re.sub(rf"(?<={CJK}) | (?={CJK})", "", text)
    if "nocase" in compare:
        text = text.lower()
    if "alnum" in compare:
        text = "".join(character for character in text if character.isalnum())
    return text


def bounds(item):
    if not item.get("polygon"):
        return item["box"]
    xs, ys = [p[0] for p in item["polygon"]], [p[1] for p in item["polygon"]]
    return [min(xs), min(ys), max(xs), max(ys)]


def share(a, b):
    """The overlap of two boxes, as a share of the smaller one."""
    width, height = min(a[2], b[2]) - max(a[0], b[0]), min(a[3], b[3]) - max(a[1], b[1])
    if width <= 0 or height <= 0:
        return 0
    return width * height / max(1e-9, min((a[2] - a[0]) * (a[3] - a[1]), (b[2] - b[0]) * (b[3] - b[1])))


def is_right(line, truth):
    """Whether a line is right; None if the labels do not say."""
    compare = truth.get("compare", [])
    box = bounds(line)
    held = [label for label in truth["lines"] if share(bounds(label), box) >= 0.5]
    if not held or any(label.get("ignore") for label in held):
        return None
    held.sort(key=lambda label: bounds(label)[0])
    text = folded(line["text"], compare)
    if truth.get("partial") and truth.get("granularity") == "word":
        return all(folded(label["text"], compare) in text for label in held)
    whole = folded(" ".join(label["text"] for label in held), compare)
    return text == whole or f" {text} " in f" {whole} " or (len(text) >= 6 and text in whole)


def lines(data, predictions, level):
    """Yields the set, whether the photo is for fitting, the confidence and whether the line is right."""
    for truth_path in sorted(data.glob("*/truth.json")):
        name = truth_path.parent.name
        photos = {photo["image"]: photo for photo in json.loads(truth_path.read_text(encoding="utf-8"))}
        found = json.loads((predictions / f"{name}-{level}.json").read_text(encoding="utf-8"))
        for number, photo in enumerate(sorted(found, key=lambda photo: photo["image"])):
            for line in photo["lines"]:
                right = is_right(line, photos[photo["image"]])
                if right is not None:
                    yield name, number % 2 == 0, line["confidence"], right


def coefficients():
    text = SWIFT.read_text(encoding="utf-8")
    return [float(re.search(rf"let {name} = (-?[\d.]+)", text).group(1)) for name in NAMES]


def features(score, least_doubt, least_score):
    return np.stack([np.ones_like(score), np.log(1 - score + least_doubt), np.log(score + least_score)], axis=1)


def probability(score, values):
    return 1 / (1 + np.exp(-features(score, *values[3:]) @ np.array(values[:3])))


def scores(confidence, values):
    """Undoes `probability` by bisection: the tool prints probabilities."""
    low, high = np.zeros_like(confidence), np.ones_like(confidence)
    for _ in range(60):
        middle = (low + high) / 2
        is_low = probability(middle, values) < confidence
        low, high = np.where(is_low, middle, low), np.where(is_low, high, middle)
    return (low + high) / 2


def logistic(inputs, right):
    weights = np.zeros(inputs.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (right - p) - 1e-3 * weights
        hessian = (inputs * (p * (1 - p))[:, None]).T @ inputs + 1e-3 * np.eye(len(weights))
        weights += np.linalg.solve(hessian, gradient)
    return weights


def calibration_error(p, right, bins=10):
    index = np.minimum((p * bins).astype(int), bins - 1)
    error = 0
    for number in range(bins):
        chosen = index == number
        if chosen.any():
            error += chosen.mean() * abs(p[chosen].mean() - right[chosen].mean())
    return error


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("predictions", type=pathlib.Path)
    parser.add_argument("--level", choices=["accurate", "fast"], default="accurate")
    arguments = parser.parse_args()
    rows = list(lines(arguments.data, arguments.predictions, arguments.level))
    sets = np.array([row[0] for row in rows])
    fitted = np.array([row[1] for row in rows])
    confidence = np.array([row[2] for row in rows], float)
    right = np.array([row[3] for row in rows], float)

    now = coefficients()
    score = scores(confidence, now)
    weights = logistic(features(score, *now[3:])[fitted], right[fitted])
    p = probability(score, [*weights, *now[3:]])
    print(f"{fitted.sum()} lines fitted, {(~fitted).sum()} held out")
    print("offset, doubtWeight, scoreWeight:", *(f"{weight:.3f}" for weight in weights))
    print("calibration error, held out: the score", f"{calibration_error(score[~fitted], right[~fitted]):.4f},",
          f"the tool {calibration_error(confidence[~fitted], right[~fitted]):.4f},",
          f"the new fit {calibration_error(p[~fitted], right[~fitted]):.4f}")  # fmt: skip
    for name in sorted(set(sets)):
        chosen = (sets == name) & ~fitted
        print(f"{name}: {chosen.sum()} lines, {right[chosen].mean():.3f} right, mean of the tool "
              f"{confidence[chosen].mean():.3f}, of the new fit {p[chosen].mean():.3f}")  # fmt: skip


if __name__ == "__main__":
    main()
