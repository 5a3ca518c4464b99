#!/usr/bin/env python3
"""Fits the numbers of SceneScoring.

    fit.py --logits FOLDER --table scene-taxonomy.table --boxes FOLDER --write scene-scoring.table [--revisions 3]

The numbers of other revisions stay as they are in the table.

Logistic regression by Newton's method on the half of the data that is not held out: single photos, pairs and, for the
classes above, photos with boxes; each kind weighs as much as the others. Then, for the classes above that the boxes
label, ridge logistic regression on all logits: what a class is seen with says much where the networks have few outputs
for it (people: three).
"""

import argparse
import pathlib
import sys

import labels
import numpy as np
from scipy.optimize import minimize
from scoring import PART_WEIGHT, REVISIONS, Data, Scoring, centred

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
import tables  # noqa: E402

NAMES = ("share", "top", "size", "offset")
RIDGE = 400.0
# Weights are stored as whole steps to either side of 0.
STEPS = 43
PAIRS = 500


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
    generator = np.random.default_rng(1)
    x, y, weights = [], [], []
    for kind in kinds:
        rows = data.rows(kind, 0)
        share, top = data.evidence(rows)
        share, labels = share[:, mask], data.truth[rows][:, mask]
        # Of the many classes that nothing speaks for a few stand for all.
        clear = (share < -9) & (labels == 0)
        keep = (labels >= 0) & (~clear | (generator.random(labels.shape) < 0.02))
        table = np.stack(
            [share, np.broadcast_to(top, share.shape), np.broadcast_to(size, share.shape), np.ones_like(share)], -1
        )
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


def context(data, scoring, name):
    """Factor of the evidence, offset, and weights of the logits less their mean."""
    cls = data.classes.index[name]
    rows = np.concatenate([data.rows("boxes", 0), data.rows("single", 0), data.rows("pairs", 0)[:PAIRS]])
    rows = rows[data.truth[rows, cls] >= 0]
    y = (data.truth[rows, cls] == 1).astype(float)
    x, evidence = centred(data.whole[rows]), scoring.evidence(rows)[:, cls].astype(float)

    def loss(theta):
        z = theta[0] * evidence + theta[1] + x @ theta[2:]
        gap = 1 / (1 + np.exp(-z)) - y
        value = (np.logaddexp(0, z) - y * z).sum() + RIDGE / 2 * (theta[2:] @ theta[2:]) + 5 * (theta[0] - 1) ** 2
        return value, np.concatenate([[gap @ evidence + 10 * (theta[0] - 1), gap.sum()], x.T @ gap + RIDGE * theta[2:]])

    start = np.zeros(2 + x.shape[1])
    start[0] = 1
    theta = minimize(loss, start, jac=True, method="L-BFGS-B", options={"maxiter": 200}).x
    return theta[0], theta[1], theta[2:]


def read_contexts(path):
    """revision -> class -> factor, offset, weights."""
    arrays = tables.read(path)
    return {
        revision: {
            name: (float(factor), float(offset), weights * float(step))
            for name, factor, offset, step, weights in zip(
                arrays[f"{revision}.contexts"], arrays[f"{revision}.factors"], arrays[f"{revision}.context_offsets"],
                arrays[f"{revision}.steps"], arrays[f"{revision}.weights"].reshape(-1, 1000))
        }
        for revision in known(arrays)
    }


def known(arrays):
    return [revision for revision in REVISIONS if f"{revision}.leaf" in arrays]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("logits", "table", "boxes", "write"):
        parser.add_argument(f"--{name}", type=pathlib.Path, required=True)
    parser.add_argument("--revisions", type=int, nargs="+", default=list(REVISIONS))
    arguments = parser.parse_args()
    data = Data(arguments.logits, arguments.table, arguments.boxes)
    arrays = tables.read(arguments.write) if arguments.write.exists() else {}
    for revision in arguments.revisions:
        data.load(revision)
        numbers = {}
        for group, mask, kinds in (
            ("leaf", data.leaf, ("single", "pairs")),
            ("above", ~data.leaf, ("single", "pairs", "boxes")),
        ):
            numbers[group] = fit(data, mask, kinds)
            values = [PART_WEIGHT] + [round(numbers[group][n], 5) for n in NAMES]
            arrays[f"{revision}.{group}"] = np.array(values, np.float32)
            print(revision, group, *values, flush=True)
        scoring = Scoring(data, numbers)
        # The ranking of the outputs is the network's business.
        names = [name for name in labels.VOC if not data.leaf[data.classes.index[name]]]
        contexts = [context(data, scoring, name) for name in names]
        steps = np.array([np.abs(weights).max() / STEPS for *_, weights in contexts], np.float32)
        arrays[f"{revision}.contexts"] = names
        arrays[f"{revision}.factors"] = np.round([factor for factor, *_ in contexts], 4).astype(np.float32)
        arrays[f"{revision}.context_offsets"] = np.round([offset for _, offset, _ in contexts], 4).astype(np.float32)
        arrays[f"{revision}.steps"] = steps
        arrays[f"{revision}.weights"] = np.stack(
            [np.round(weights / step) for (*_, weights), step in zip(contexts, steps)]).astype(np.int8)
    tables.write(arguments.write, **arrays)


def read(path):
    """The numbers from the table: revision -> group -> name -> number."""
    arrays = tables.read(path)
    return {
        revision: {
            group: dict(zip(NAMES, map(float, arrays[f"{revision}.{group}"][1:]))) for group in ("leaf", "above")
        }
        for revision in known(arrays)
    }


if __name__ == "__main__":
    main()
