#!/usr/bin/env python3
"""Scores saved saliency maps against masks or fixations.

needs: numpy, pillow

    evaluate.py objectness MAPS MASKS [--normalise]
    evaluate.py attention MAPS FIXATIONS [--normalise]

MAPS: a folder with a map for each photograph: x.npy (rows x columns, 0...1), x.png (grey, 8 or 16 bits) or x.json, an
object with "width", "height" and "values", row by row from the top (or rows of values in "values"). MASKS: x.png, an
object is 128 and above. FIXATIONS: x.png, whose pixels other than 0 are fixated, or blurred maps with --density; or one
x.json: {"width": 800, "height": 600, "points": [[x, y], ...]}, pixels from the top left. Maps are resized to the truth,
bilinearly. --normalise stretches each map to 0...1 first, as some published figures do.

objectness: largest F-measure (beta squared 0.3) of mean precision and recall over thresholds, mean absolute error.
attention: AUC-Judd, NSS. Each with its 95 % interval by bootstrap over photographs.
"""
import argparse
import json
import pathlib

import numpy as np
from PIL import Image

import scores


def load(path):
    """Returns a map, rows x columns, 0...1."""
    if path.suffix == ".npy":
        return np.squeeze(np.load(path)).astype(np.float32)
    if path.suffix == ".json":
        saved = json.loads(path.read_text())
        return np.asarray(saved["values"], np.float32).reshape(saved["height"], saved["width"])
    values = np.asarray(Image.open(path))
    values = values if values.ndim == 2 else values[..., 0]
    return values.astype(np.float32) / (255 if values.dtype == np.uint8 else 65535)


def resized(values, size):
    return np.asarray(Image.fromarray(values.astype(np.float32)).resize(size, Image.Resampling.BILINEAR))


def fixations(path, density):
    """Returns columns and rows of the truth, flat indices and weights."""
    if path.suffix == ".json":
        saved = json.loads(path.read_text())
        width, height = saved["width"], saved["height"]
        points = np.asarray(saved["points"], float).reshape(-1, 2).astype(int)
        points = points[((points >= 0) & (points < (width, height))).all(1)]
        return (width, height), points[:, 1] * width + points[:, 0], None
    values = np.asarray(Image.open(path).convert("L"))
    indices = np.flatnonzero(values)
    return values.shape[::-1], indices, values.ravel()[indices].astype(float) if density else None


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=["objectness", "attention"])
    parser.add_argument("maps", type=pathlib.Path)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("--normalise", action="store_true")
    parser.add_argument("--density", action="store_true")
    parser.add_argument("--list", action="store_true", help="print the figures of each photograph")
    options = parser.parse_args()

    truth = {path.stem: path for path in sorted(options.truth.iterdir()) if path.suffix in (".png", ".json")}
    maps = {path.stem: path for path in sorted(options.maps.iterdir()) if path.suffix in (".npy", ".png", ".json")}
    names = sorted(truth.keys() & maps.keys())
    if not names:
        raise SystemExit(f"no map in {options.maps} has the name of a truth in {options.truth}")
    if len(names) < len(truth):
        print(f"{len(truth) - len(names)} of {len(truth)} photographs have no map")
    rows, curves = [], []
    for name in names:
        values = load(maps[name])
        if options.normalise:
            values = (values - values.min()) / max(float(np.ptp(values)), 1e-9)
        if options.kind == "objectness":
            mask = np.asarray(Image.open(truth[name]).convert("L")) >= 128
            values = resized(values, mask.shape[::-1])
            curves.append(scores.precision_recall(values, mask))
            rows.append((np.abs(values - mask).mean(),))
        else:
            size, indices, weights = fixations(truth[name], options.density)
            values = resized(values, size)
            rows.append((scores.auc_judd(values, indices, weights), scores.nss(values, indices, weights)))
        if options.list:
            print(name, *(f"{value:.4f}" for value in rows[-1]))
    rows = np.array(rows)
    print(f"{len(names)} photographs")
    if options.kind == "objectness":
        precisions, recalls = (np.array(part) for part in zip(*curves))
        f, threshold = scores.max_f_measure(precisions, recalls)
        low, high = scores.interval(
            np.arange(len(rows)), 200, measure=lambda pick: scores.max_f_measure(precisions[pick], recalls[pick])[0])
        print(f"max F-measure {f:.4f} ({low:.4f}...{high:.4f}), at threshold {threshold:.2f}")
    for title, column in zip({"objectness": ["mean absolute error"], "attention": ["AUC-Judd", "NSS"]}[options.kind],
                             rows.T):
        low, high = scores.interval(column)
        print(f"{title} {column.mean():.4f} ({low:.4f}...{high:.4f})")


if __name__ == "__main__":
    main()
