"""Fits the weights of the confidence of rectangles: logistic regression on the evidence of candidates and its squares.

    Benchmarks accuracy rectangle-detection PHOTOS --from 0 --seed 52 --count 400 --evidence evidence.csv --lines
    Training/Rectangles/fit_confidence.py evidence.csv [decay, 1e-5]

prints the bias, the weights and those of the squares for Sources/VisionAlgorithms/Rectangles/RectangleConfidence.swift,
which uses edge segments only, and how well they separate outlines from the rest; without --lines those for
Sources/VisionModels/Rectangles/RectangleVerdict.swift, which uses the outputs of the network as well (decay 1e-4
there). The committed weights were fitted to scenes over every second one of 200 photographs of ImageNet's classes, and
to these photographs; the scores in Documentation/Accuracy.md are of the others.
"""

import csv
import sys

import numpy as np


def fit(evidence, labels, decay=1e-5, rounds=60):
    """Newton's method on standardised evidence, with a little weight decay."""
    mean, spread = evidence.mean(0), evidence.std(0) + 1e-9
    inputs = np.c_[np.ones(len(evidence)), (evidence - mean) / spread]
    weights = np.zeros(inputs.shape[1])
    for _ in range(rounds):
        odds = 1 / (1 + np.exp(-np.clip(inputs @ weights, -30, 30)))
        curve = inputs.T @ (inputs * (odds * (1 - odds) + 1e-9)[:, None]) + decay * len(inputs) * np.eye(len(weights))
        weights += np.linalg.solve(curve, inputs.T @ (labels - odds) - decay * len(inputs) * weights)
    slopes = weights[1:] / spread
    return weights[0] - slopes @ mean, slopes


def area(scores, labels):
    ranks = np.empty(len(scores))
    ranks[np.argsort(scores)] = np.arange(len(scores))
    ones = labels.sum()
    return (ranks[labels == 1].sum() - ones * (ones - 1) / 2) / (ones * (len(labels) - ones))


def main(path, decay="1e-5"):
    rows = list(csv.reader(open(path)))
    names, values = rows[0][1:], np.float64(rows[1:])
    labels, evidence = values[:, 0], values[:, 1:]
    inputs = np.c_[evidence, evidence**2]
    bias, weights = fit(inputs, labels, float(decay))
    print(f"{len(labels)} candidates, {labels.mean():.3f} of them outlines, area {area(inputs @ weights, labels):.4f}")
    print(f"bias = {bias:.3f}")
    for index, name in enumerate(names):
        print(f"{weights[index]:8.2f} {weights[len(names) + index]:8.2f}  {name}")


if __name__ == "__main__":
    main(*sys.argv[1:])
