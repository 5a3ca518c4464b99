#!/usr/bin/env python3
"""The boxes of a saliency map, as the requests give them, and what they are worth.

needs: numpy, pillow, scipy

    boxes.py objectness MAPS --masks MASKS [--empty MAPS]
    boxes.py attention MAPS --fixations MAPS [--empty MAPS]

MAPS: folders of x.npy from maps.py. Prints, for several thresholds, how many boxes there are, how well they match the
connected parts of the masks (--masks: x.png) or what share of the fixations they hold, and how often photographs
without an object (--empty) have none.
"""
import argparse
import pathlib

import numpy as np
from PIL import Image
from scipy import ndimage

MAX_BOXES = {"objectness": 3, "attention": 1}


def boxes(values, kind, peak, level, area=0.004):
    """Returns (left, top, right, bottom, confidence) in 0...1 from the top left.

    Cells from `level` (objectness) or `level` times the map's peak (attention) on form parts, four neighbours each. A
    part counts with a peak of at least `peak` and a share of the map of at least `area`. Its confidence is its peak.
    The first one has the largest sum of values (objectness) or the map's peak (attention).
    """
    rows, columns = values.shape
    threshold = level if kind == "objectness" else level * values.max()
    parts, count = ndimage.label(values >= threshold)
    found = []
    for index, (ys, xs) in enumerate(ndimage.find_objects(parts), 1):
        own = values[ys, xs][parts[ys, xs] == index]
        if own.max() >= peak and own.size >= area * values.size:
            box = xs.start / columns, ys.start / rows, xs.stop / columns, ys.stop / rows
            found.append((*box, float(own.max()), float(own.sum())))
    order = (lambda one: -one[5]) if kind == "objectness" else (lambda one: (-one[4], -one[5]))
    return [one[:5] for one in sorted(found, key=order)[:MAX_BOXES[kind]]]


def overlap(a, b):
    width = max(0, min(a[2], b[2]) - max(a[0], b[0]))
    height = max(0, min(a[3], b[3]) - max(a[1], b[1]))
    area = (a[2] - a[0]) * (a[3] - a[1]) + (b[2] - b[0]) * (b[3] - b[1])
    return width * height / (area - width * height)


def true_boxes(mask):
    """Returns the boxes of the connected parts of a mask that cover 1 % of the image or more; at most three."""
    parts, _ = ndimage.label(mask, np.ones((3, 3)))
    found = []
    for index, (ys, xs) in enumerate(ndimage.find_objects(parts), 1):
        size = (parts[ys, xs] == index).sum()
        if size >= 0.01 * mask.size:
            height, width = mask.shape
            found.append((size, (xs.start / width, ys.start / height, xs.stop / width, ys.stop / height)))
    return [box for _, box in sorted(found, reverse=True)[:3]]


def maps(folder):
    return {path.stem: np.load(path) for path in sorted(folder.glob("*.npy"))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=MAX_BOXES)
    parser.add_argument("maps", type=pathlib.Path)
    parser.add_argument("--masks", type=pathlib.Path)
    parser.add_argument("--fixations", type=pathlib.Path)
    parser.add_argument("--empty", type=pathlib.Path)
    options = parser.parse_args()
    found = maps(options.maps)
    empty = maps(options.empty) if options.empty else {}
    if options.kind == "objectness":
        truth = {name: true_boxes(np.asarray(Image.open(options.masks / f"{name}.png").convert("L")) >= 128)
                 for name in found}
    else:
        truth = {name: np.asarray(Image.open(options.fixations / f"{name}.png").convert("L").resize(
            values.shape[::-1], Image.Resampling.BOX), float) for name, values in found.items()}
    print("level peak  none  boxes  " + ("precision recall" if options.kind == "objectness" else "held  area")
          + "  none of the empty")
    for level in (0.3, 0.4, 0.5, 0.6):
        for peak in (0.3, 0.5, 0.7, 0.8, 0.9, 0.95):
            given = {name: boxes(values, options.kind, peak, level) for name, values in found.items()}
            count = sum(map(len, given.values()))
            if options.kind == "objectness":
                hits = sum(any(overlap(one, other) >= 0.5 for one in given[name])
                           for name in given for other in truth[name])
                right = sum(any(overlap(one, other) >= 0.5 for other in truth[name])
                            for name in given for one in given[name])
                figures = right / max(count, 1), hits / sum(map(len, truth.values()))
            else:
                shares, areas = [], []
                for name, many in given.items():
                    density = truth[name]
                    rows, columns = density.shape
                    for left, top, right, bottom, _ in many:
                        part = density[
                            round(top * rows):round(bottom * rows), round(left * columns):round(right * columns)]
                        shares.append(part.sum() / max(density.sum(), 1e-9))
                        areas.append(part.size / density.size)
                figures = np.mean(shares or [0]), np.mean(areas or [0])
            none = np.mean([not boxes(values, options.kind, peak, level) for values in empty.values()]) if empty else 0
            print(f"{level:.1f}   {peak:.2f}  {np.mean([not many for many in given.values()]):.3f} "
                  f"{count / len(given):.2f}   {figures[0]:.3f} {figures[1]:.3f}   {none:.3f}")


if __name__ == "__main__":
    main()
