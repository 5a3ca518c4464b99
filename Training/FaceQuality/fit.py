#!/usr/bin/env python3
"""Fits the model of VNDetectFaceCaptureQualityRequest (FaceQualityModel).

    make accuracy DATA=FACES ARGS="quality --calibration --measures calibration.csv"
    fit.py --measures calibration.csv --swift Sources/VisionModels/Faces/Quality/FaceQualityCoefficients.swift \\
           --photos "a statement of what the faces are" [--test test.csv]

Logistic regression on pairs: of two images of a series the earlier one, which is less degraded, is to have the higher
sum. Each feature goes through a monotone piecewise-linear function. The features that contribute least are left out, a
few at a time. test.csv is made like calibration.csv, without --calibration, from other photos.
"""

import argparse
import collections
import csv
import pathlib

import numpy as np
from scipy.optimize import minimize

CELLS = 16
# Knots of the piecewise-linear functions, as quantiles of a feature.
KNOTS = [0.002, 0.06, 0.25, 0.5, 0.75, 0.92, 0.998]
RIDGE = 1e-4
FAR_PAIRS = 0.15
WEIGHTS = collections.defaultdict(lambda: 1.0, dark=4.0, together=2.0, stepwise=3.0, mouth=0.5)
SINGLE = ["blur", "dark", "bright", "noise", "shrink", "occlusion", "turn"]
MIXED = ["together", "stepwise"]
# The quality of an image that is not degraded, and how far the last ones lie below it.
MEAN_OF_FIRST, MEAN_OF_LAST = 0.7, 0.2


class Images:
    """The measurements of the images of one file."""

    def __init__(self, path):
        with open(path) as file:
            header, *rows = csv.reader(file)
        self.names = [name for name in header[4:] if not name.startswith("cell")]
        self.series = collections.defaultdict(list)
        values = []
        for row in rows:
            if len(row) < len(header):
                continue
            self.series[row[0], row[1], row[2]].append(len(values))
            values.append([float(value) for value in row[4:]])
        values = np.array(values)
        self.features = dict(zip(self.names, values.T))
        self.cells = values[:, len(self.names) :]

    def first(self):
        """The rows of the undegraded photos."""
        return [indices[0] for (_, _, kind), indices in self.series.items() if kind == "blur"]

    def add_likeness(self, mean_face):
        correlations = np.stack([correlation(self.cells, mean_face, part) for part in parts()], axis=1)
        self.features["likeness"] = correlations.mean(axis=1)
        self.features["worstLikeness"] = correlations.min(axis=1)


def mean_face(images):
    cells = images.cells[images.first()]
    cells = cells - cells.mean(axis=1, keepdims=True)
    cells /= cells.std(axis=1, keepdims=True) + 1e-6
    face = cells.mean(axis=0).reshape(CELLS, CELLS)
    return np.round(((face + face[:, ::-1]) / 2).ravel(), 2)


def parts():
    """As FaceLikeness has them."""
    y, x = np.mgrid[0:CELLS, 0:CELLS]
    face = ((x - 7.5) / 6.2) ** 2 + ((y - 7.5) / 7.2) ** 2 < 1
    for rows in (range(1, 6), range(5, 10), range(9, 15)):
        for columns in (range(2, 8), range(8, 14)):
            yield (face & np.isin(y, rows) & np.isin(x, columns)).ravel()


def correlation(cells, mean_face, part):
    one = cells[:, part] - cells[:, part].mean(axis=1, keepdims=True)
    other = mean_face[part] - mean_face[part].mean()
    return one @ other / (np.linalg.norm(one, axis=1) + 3 * np.sqrt(part.sum())) / np.linalg.norm(other)


def pairs(images):
    better, worse, weights, kinds = [], [], [], []
    for (_, _, kind), indices in images.series.items():
        for first in range(len(indices)):
            for second in range(first + 1, len(indices)):
                better.append(indices[first])
                worse.append(indices[second])
                weights.append(1.0 if second == first + 1 else FAR_PAIRS)
                kinds.append(kind)
    weights, kinds = np.array(weights), np.array(kinds)
    for kind in set(kinds):
        weights[kinds == kind] *= WEIGHTS[kind] / weights[kinds == kind].sum()
    return better, worse, weights / weights.sum()


def pieces(features, knots):
    columns, names = [], []
    for name, line in knots.items():
        for low, high in zip(line, line[1:]):
            columns.append(np.clip((features[name] - low) / (high - low), 0, 1))
            names.append(name)
    return np.stack(columns, axis=1), names


def rises(columns, ordered, ridge=RIDGE):
    better, worse, weights = ordered
    differences = columns[better] - columns[worse]

    def loss(rise):
        margin = differences @ rise
        slope = -weights / (1 + np.exp(np.clip(margin, -50, 50)))
        return (
            weights * np.logaddexp(0, -margin)
        ).sum() + ridge * rise @ rise, differences.T @ slope + 2 * ridge * rise

    start = np.full(columns.shape[1], 0.1)
    bounds = [(0, None)] * len(start)
    return minimize(loss, start, jac=True, bounds=bounds, method="L-BFGS-B", options={"maxiter": 500}).x


def report(title, sums, images):
    right = collections.defaultdict(list)
    for (_, _, kind), indices in images.series.items():
        right[kind] += list(sums[indices][:-1] > sums[indices][1:])
    share = lambda kinds: 100 * np.mean(sum((right[kind] for kind in kinds), []))
    print(title, "  ".join(f"{kind} {share([kind]):.1f}" for kind in right))
    print(
        f"{' ' * len(title)} one degradation {share(SINGLE):.1f}, mixed {share(MIXED):.1f} % of neighbours right",
        flush=True,
    )


def swift(face, knots, rise, names, offset, photos):
    functions = []
    for name, line in knots.items():
        values = ", ".join(f"{value:.4g}" for value in rise[[other == name for other in names]])
        functions.append(
            "        MonotoneFunction(\n"
            f"            feature: .{name}, knots: [{', '.join(f'{knot:.5g}' for knot in line)}],\n"
            f"            rises: [{values}]),"
        )
    rows = [", ".join(f"{value:g}" for value in row) for row in face.reshape(CELLS, CELLS)]
    return f"""// Made by Training/FaceQuality/fit.py. Calibrated on {photos}

extension FaceQualityModel {{
    static let offset = {offset:.4g}

    static let functions = [
{chr(10).join(functions)}
    ]

    /// Grey means of the cells of faces in the mean, less their own mean and for a standard deviation of 1.
    static let meanFace: [Double] = [
{chr(10).join('        ' + row + ',' for row in rows)}
    ]
}}
"""


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--measures", required=True, type=pathlib.Path)
    parser.add_argument("--test", type=pathlib.Path, help="measures of other photos, for a test")
    parser.add_argument("--swift", type=pathlib.Path, help="write the model to this file")
    parser.add_argument("--photos", default="", help="what the photos are, for the file")
    parser.add_argument("--features", type=int, default=26, help="how many features to keep")
    options = parser.parse_args()

    images = Images(options.measures)
    face = mean_face(images)
    test = Images(options.test) if options.test else None
    for each in filter(None, [images, test]):
        each.add_likeness(face)
    ordered = pairs(images)
    kept = list(images.features)
    while True:
        knots = {name: np.quantile(images.features[name], KNOTS) for name in kept}
        # Files have few digits; equal knots are merged.
        knots = {name: np.unique([float(f"{value:.5g}") for value in line]) for name, line in knots.items()}
        columns, names = pieces(images.features, knots)
        rise = rises(columns, ordered)
        total = {name: sum(rise[index] for index in range(len(rise)) if names[index] == name) for name in kept}
        if len(kept) <= options.features:
            break
        least = sorted(kept, key=total.get)[: max(1, min(len(kept) // 10, len(kept) - options.features))]
        kept = [name for name in kept if name not in least]
        print("left out:", ", ".join(least))
    report("calibration", columns @ rise, images)
    if test:
        report("test       ", pieces(test.features, knots)[0] @ rise, test)
    print({name: round(float(value), 2) for name, value in total.items()})

    # The sums are scaled so that photos and the ends of series have the wanted qualities in 0…1.
    sums = columns @ rise
    first = np.mean(sums[images.first()])
    last = np.mean([sums[indices[-1]] for (_, _, kind), indices in images.series.items() if kind in SINGLE + MIXED])
    logit = lambda share: np.log(share / (1 - share))
    scale = (logit(MEAN_OF_FIRST) - logit(MEAN_OF_LAST)) / (first - last)
    offset = logit(MEAN_OF_FIRST) - scale * first
    if options.swift:
        options.swift.write_text(swift(face, knots, rise * scale, names, offset, options.photos))


if __name__ == "__main__":
    main()
