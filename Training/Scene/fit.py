#!/usr/bin/env python3
"""Fits the numbers of SceneScoring.

    fit.py --logits FOLDER --table SceneTaxonomyTable.swift --boxes FOLDER --swift SceneScoringTable.swift

Logistic regression by Newton's method on the half of the data that is not held out: single photos, pairs and, for the classes
above, photos with boxes; each kind weighs as much as the others.
"""

import argparse
import pathlib

import numpy as np
from scoring import PART_WEIGHT, REVISIONS, Data

NAMES = ("share", "top", "size", "offset")


def newton(x, y, weights):
    theta = np.zeros(x.shape[1])
    for _ in range(50):
        p = 1 / (1 + np.exp(-x @ theta))
        gradient = x.T @ (weights * (p - y)) + 1e-6 * theta
        hessian = (x * (weights * p * (1 - p))[:, None]).T @ x + 1e-6 * np.eye(len(theta))
        step = np.clip(np.linalg.solve(hessian, gradient), -2, 2)
        theta -= step
        if np.abs(step).max() < 1e-8:
            break
    return theta


def fit(data, mask, kinds):
    size = np.log(data.classes.outputs_below.sum(axis=1))[mask]
    chance = np.random.default_rng(1)
    x, y, weights = [], [], []
    for kind in kinds:
        rows = data.rows(kind, 0)
        share, top = data.evidence(rows)
        share, labels = share[:, mask], data.truth[rows][:, mask]
        # Of the many classes that nothing speaks for a few stand for all.
        clear = (share < -9) & (labels == 0)
        keep = (labels >= 0) & (~clear | (chance.random(labels.shape) < 0.02))
        table = np.stack([share, np.broadcast_to(top, share.shape), np.broadcast_to(size, share.shape), np.ones_like(share)], -1)
        x.append(table[keep])
        y.append(labels[keep])
        weights.append(np.where(clear, 50.0, 1.0)[keep] / (labels == 1).sum())
    x, y, weights = np.concatenate(x).astype(float), np.concatenate(y).astype(float), np.concatenate(weights)
    single_size = np.ptp(size) == 0
    if single_size or mask is data.leaf:
        # Leaves of two outputs are too few to say anything about size.
        theta = newton(x[:, [0, 1, 3]], y, weights * 1000)
        return dict(zip(NAMES, (theta[0], theta[1], 0.0, theta[2])))
    return dict(zip(NAMES, newton(x, y, weights * 1000)))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("logits", "table", "boxes", "swift"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    arguments = parser.parse_args()
    data = Data(arguments.logits, arguments.table, arguments.boxes)
    lines = []
    for revision in REVISIONS:
        data.load(revision)
        for group, mask, kinds in (("leaf", data.leaf, ("single", "pairs")), ("above", ~data.leaf, ("single", "pairs", "boxes"))):
            numbers = fit(data, mask, kinds)
            lines.append(f"    {revision} {group} {PART_WEIGHT} " + " ".join(f"{numbers[n]:.5f}" for n in NAMES))
            print(lines[-1].strip(), flush=True)
    arguments.swift.write_text(
        "/// The numbers of `SceneScoring`: revision, classes with outputs of their own (leaf) or above such ones, weight of the best\n"
        "/// half, factors of share, top and size, offset. Made by Training/Scene/fit.py.\n"
        'let sceneScoringTable = #"""\n' + "\n".join(lines) + '\n    """#\n'
    )


def read(path):
    """The numbers from the table: revision -> group -> name -> number."""
    numbers = {}
    for line in pathlib.Path(path).read_text().splitlines():
        parts = line.split()
        if len(parts) == 7 and parts[0].isdigit():
            numbers.setdefault(int(parts[0]), {})[parts[1]] = dict(zip(NAMES, map(float, parts[3:])))
    return numbers


if __name__ == "__main__":
    main()
