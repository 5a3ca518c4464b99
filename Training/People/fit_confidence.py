#!/usr/bin/env python3
"""Fits the confidence of people's boxes to how often they are right, and prints the weights of PeopleConfidence.swift.

usage: fit_confidence.py --set TRUTH.json WHOLE.json UPPER.json [--set …]... [--least 0.3] [--seed 1]

The files are those of evaluate.py and predict.py; one TRUTH.json at least also has photographs without people, with an
empty list of persons. All sets are fitted together.

A box is judged by its score and by the others around it: people come in groups, so a weak box beside clear people of
like height is right more often than one by itself; a box that overlaps a better one is right less often.

A whole body is right where it overlaps a person by half that no better box has; an upper body where four fifths of it
lie on such a person. Boxes that cover an ignored person are left out. Printed: the weights; then, for each set by five
folds over photographs, recall and precision at the least confidence, false boxes in photographs without people, and the
expected calibration error (ten bins), beside those of the bare score at the threshold that lets the same number of
false boxes through where nobody is.

needs: numpy
"""
import argparse
import json
import pathlib

import numpy as np

from evaluate import covered, overlap

# As in PeopleConfidence.swift.
LEAST_SCORE = 0.1
MOST_CLEAR = 5
FEATURES = ["score", "bestOther", "bestAlike", "clearOthers", "overlap", "inside", "height", "aspect"]
SMALL = 48


def logit(share):
    share = np.clip(share, 0.001, 0.999)
    return np.log(share / (1 - share))


def features(boxes, image_height):
    """Returns a row of FEATURES for each box of one photograph, the best score first."""
    rows = []
    for index, box in enumerate(boxes):
        height = max(box["box"][3], 1e-9)
        best = alike = 0.001
        clear = most_overlap = inside = 0
        for other_index, other in enumerate(boxes):
            if other_index == index:
                continue
            score = other["score"]
            best = max(best, score)
            ratio = min(height, other["box"][3]) / max(height, other["box"][3], 1e-9)
            alike = max(alike, score * ratio)
            clear += score if score > 0.5 else 0
            if other_index < index:
                most_overlap = max(most_overlap, overlap(box["box"], other["box"]))
                inside = max(inside, covered(box["box"], other["box"]) * score)
        rows.append([logit(box["score"]), logit(best), logit(alike), min(clear, MOST_CLEAR), most_overlap, inside,
                     np.log(height / image_height), np.log(max(box["box"][2], 1e-9) / height)])
    return rows


def labels(boxes, persons, upper):
    """Returns 1 for boxes that are right, 0 for false ones, None for those that do not count; and whom they found."""
    used, result = set(), []
    for box in boxes:
        fit = (lambda person: covered(box["box"], person["box"]) / 0.8) if upper else (
            lambda person: overlap(box["box"], person["box"]) / 0.5)
        free = [(fit(person), index) for index, person in enumerate(persons)
                if index not in used and not person.get("ignore") and not person.get("crowd")]
        best = max(free, default=(0, -1))
        if best[0] >= 1:
            used.add(best[1])
            result.append((1, best[1]))
        elif any(covered(box["box"], person["box"]) >= 0.3 for person in persons
                 if person.get("ignore") or person.get("crowd")):
            result.append((None, -1))
        else:
            result.append((0, -1))
    return result


class Photographs:
    """The boxes of a set, in rows: features, whether they are right, the photograph, the height of whom they found."""

    def __init__(self, truth, predictions, upper):
        images = json.loads(truth.read_text())["images"]
        found = json.loads(predictions.read_text())
        rows, right, photo, height = [], [], [], []
        self.people, self.small, self.empty = 0, 0, 0
        empty = []
        for number, image in enumerate(images):
            boxes = sorted((box for box in found.get(image["file"], []) if box["score"] >= LEAST_SCORE),
                           key=lambda box: -box["score"])
            persons = image["persons"]
            wanted = [person for person in persons if not person.get("ignore") and not person.get("crowd")]
            self.people += len(wanted)
            self.small += sum(person["box"][3] < SMALL for person in wanted)
            self.empty += not persons
            for row, (label, person) in zip(features(boxes, image["height"]), labels(boxes, persons, upper)):
                if label is None:
                    continue
                rows.append(row)
                right.append(label)
                photo.append(number)
                empty.append(not persons)
                height.append(persons[person]["box"][3] if label else 0)
        self.rows, self.right, self.photo = np.array(rows), np.array(right), np.array(photo)
        self.height, self.in_empty = np.array(height), np.array(empty)
        self.scores = 1 / (1 + np.exp(-self.rows[:, 0]))

    def report(self, name, confidence, least):
        kept = confidence >= least
        right = kept & (self.right == 1)
        bins = np.minimum((confidence * 10).astype(int), 9)
        error = sum(abs(confidence[bins == i].sum() - self.right[bins == i].sum()) for i in range(10)) / len(bins)
        print(f"{name}: recall {right.sum() / max(self.people, 1):.3f}, below {SMALL} px "
              f"{(right & (self.height < SMALL)).sum() / max(self.small, 1):.3f} of {self.small}, precision "
              f"{right.sum() / max(kept.sum(), 1):.3f}, {(kept & self.in_empty).sum()} false boxes in {self.empty} "
              f"photographs without people, calibration error {error:.3f}")


def fitted(rows, right, weight_decay=1.0, steps=30):
    """Returns bias and weights of a logistic regression, by Newton's method."""
    inputs = np.column_stack((np.ones(len(rows)), rows))
    decay = np.diag([0.0] + [weight_decay] * rows.shape[1])
    weights = np.zeros(inputs.shape[1])
    for _ in range(steps):
        guess = 1 / (1 + np.exp(-inputs @ weights))
        gradient = inputs.T @ (right - guess) - decay @ weights
        hessian = (inputs * (guess * (1 - guess))[:, None]).T @ inputs + decay
        weights += np.linalg.solve(hessian, gradient)
    return weights


def confidences(rows, weights):
    return 1 / (1 + np.exp(-(weights[0] + rows @ weights[1:])))


def score_threshold(sets, held_out, least):
    """Returns the score above which as many boxes are found in photographs without people as there are with a
    confidence of `least`."""
    count = sum((confidence[photos.in_empty] >= least).sum() for photos, confidence in zip(sets, held_out))
    scores = np.sort(np.concatenate([photos.scores[photos.in_empty] for photos in sets]))[::-1]
    return scores[count] + 1e-9 if count < len(scores) else LEAST_SCORE


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--set", nargs=3, type=pathlib.Path, action="append", required=True)
    parser.add_argument("--least", type=float, default=0.3)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    for upper in (False, True):
        sets = [Photographs(files[0], files[2 if upper else 1], upper) for files in arguments.set]
        random = np.random.default_rng(arguments.seed)
        folds = [random.integers(0, 5, photos.photo.max() + 1)[photos.photo] for photos in sets]
        held_out = [np.zeros(len(fold)) for fold in folds]
        rows, right = np.concatenate([photos.rows for photos in sets]), np.concatenate([p.right for p in sets])
        for fold in range(5):
            others = np.concatenate(folds) != fold
            weights = fitted(rows[others], right[others])
            for photos, own, confidence in zip(sets, folds, held_out):
                confidence[own == fold] = confidences(photos.rows[own == fold], weights)
        weights = fitted(rows, right)
        print(f"{'upper' if upper else 'whole'} bodies: bias {weights[0]:.4f}, weights",
              ", ".join(f"{name} {weight:.4f}" for name, weight in zip(FEATURES, weights[1:])))
        threshold = score_threshold(sets, held_out, arguments.least)
        for photos, confidence, files in zip(sets, held_out, arguments.set):
            photos.report(f"  {files[0].parent.name}, by folds", confidence, arguments.least)
            photos.report(f"  score above {threshold:.3f}", photos.scores, threshold)


if __name__ == "__main__":
    main()
