#!/usr/bin/env python3
"""Measures retrieval by feature prints against the cosine of pooled features, in NumPy and ONNX Runtime.

    evaluate.py --models STORE --mean-from PHOTOS [--classes FOLDER] [--boxes FOLDER]

PHOTOS: those that `projection.py` takes. --classes: a folder of photos for each class. --boxes: photos with
`manifest.json`, of which the largest box of each photo is cut out (a margin of 15 %) and stands for its class; at most
60 a class, none below 8. What was chosen by measurement – pooling, directions, shares, weights – was chosen on --boxes.
"""

import argparse
import collections
import json
import pathlib

import numpy as np
from PIL import Image

from prints import NETWORKS, POOLED_NETWORK, POOLED_REVISION, Network, PooledProjection, Projection, unit_rows


def mean_average_precision(rows, labels):
    scores = rows @ rows.T
    np.fill_diagonal(scores, -np.inf)
    precisions = []
    for query, label in enumerate(labels):
        order = np.argsort(-scores[query], kind="stable")[:-1]
        relevant = labels[order] == label
        if relevant.any():
            precisions.append((np.cumsum(relevant)[relevant] / (np.nonzero(relevant)[0] + 1)).mean())
    return 100 * np.mean(precisions)


def classes(folder):
    for part in sorted(p for p in folder.iterdir() if p.is_dir()):
        for photo in sorted(part.iterdir()):
            yield part.name, Image.open(photo)


def boxes(folder):
    found = []
    for entry in json.loads((folder / "manifest.json").read_text()):
        fit = [o for o in entry["objects"] if not o.get("difficult")]
        size = lambda o: min(o["box"][2] - o["box"][0], o["box"][3] - o["box"][1])
        largest = max(fit, key=size, default=None)
        if largest and size(largest) >= 64:
            found.append((largest["name"], entry["image"], largest["box"]))
    counts, taken = collections.Counter(name for name, _, _ in found), collections.Counter()
    for name, image, (x1, y1, x2, y2) in found:
        if counts[name] < 8 or taken[name] >= 60:
            continue
        taken[name] += 1
        photo = Image.open(folder / image)
        dx, dy = 0.15 * (x2 - x1), 0.15 * (y2 - y1)
        yield name, photo.crop(
            (max(0, x1 - dx), max(0, y1 - dy), min(photo.width, x2 + dx), min(photo.height, y2 + dy))
        )


def main():
    parser = argparse.ArgumentParser()
    parser.add_argument("--models", required=True, type=pathlib.Path)
    parser.add_argument("--mean-from", required=True, type=pathlib.Path)
    parser.add_argument("--classes", type=pathlib.Path)
    parser.add_argument("--boxes", type=pathlib.Path)
    arguments = parser.parse_args()
    photos = sorted(p for p in arguments.mean_from.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    for revision in NETWORKS:
        network = Network(arguments.models, revision)
        known, _, scores = (
            np.stack(rows) for rows in zip(*(network.run(Image.open(photo)) for photo in photos)))
        projections = {revision: Projection(network.weights, scores.mean(0, dtype=np.float64))}
        if revision == POOLED_NETWORK:
            projections[POOLED_REVISION] = PooledProjection(network.weights, known)
        for kind, folder, items in (("classes", arguments.classes, classes), ("boxes", arguments.boxes, boxes)):
            if folder is None:
                continue
            labels, images = zip(*items(folder))
            labels = np.array(labels)
            pooled, windowed, logits = (np.stack(rows) for rows in zip(*(network.run(image) for image in images)))
            text = f"{kind}, {len(labels)} images: pooled features of revision {revision} "
            text += f"{mean_average_precision(unit_rows(pooled), labels):.2f} %, "
            text += f"centred {mean_average_precision(unit_rows(pooled - known.mean(0)), labels):.2f} %"
            for number, projection in projections.items():
                inputs = (windowed, logits) if number == POOLED_REVISION else (logits,)
                text += f", prints of revision {number} "
                text += f"{mean_average_precision(projection.prints(*inputs), labels):.2f} %"
            print(text, flush=True)


if __name__ == "__main__":
    main()
