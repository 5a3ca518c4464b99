#!/usr/bin/env python3
"""Detects horizons with OpenCV's usual recipes, on the images that `Benchmarks accuracy horizon --write FOLDER` made.

    Scripts/peers/horizon.py FOLDER

Two recipes: Canny's edges and the probabilistic Hough transform, the median angle of the segments within 45° of level;
and the same with the angles of upright segments rotated by 90°, the median weighted by length. An image without
segments counts as not found. Needs OpenCV and numpy.
"""

import csv
import sys
import time
from collections import defaultdict
from pathlib import Path

import cv2
import numpy as np

cv2.setNumThreads(1)


def segments(grey):
    edges = cv2.Canny(grey, 50, 150)
    side = max(grey.shape)
    found = cv2.HoughLinesP(edges, 1, np.pi / 720, 50, minLineLength=side / 10, maxLineGap=side / 100)
    return np.zeros((0, 4)) if found is None else found.reshape(-1, 4).astype(float)


def level_median(lines):
    angles = np.degrees(np.arctan2(lines[:, 3] - lines[:, 1], lines[:, 2] - lines[:, 0]))
    angles = angles[np.abs(angles) <= 45]
    return float(np.median(angles)) if len(angles) else None


def weighted_median(lines):
    delta = lines[:, 2:] - lines[:, :2]
    angles = (np.degrees(np.arctan2(delta[:, 1], delta[:, 0])) + 45) % 90 - 45
    if not len(angles):
        return None
    order = np.argsort(angles)
    weights = np.cumsum(np.hypot(delta[:, 0], delta[:, 1])[order])
    return float(angles[order][np.searchsorted(weights, weights[-1] / 2)])


def main():
    folder = Path(sys.argv[1])
    results, times = defaultdict(list), []
    for row in csv.DictReader(open(folder / "angles.csv")):
        grey = cv2.imread(str(folder / row["file"]), cv2.IMREAD_GRAYSCALE)
        start = time.perf_counter()
        lines = segments(grey)
        angles = [level_median(lines), weighted_median(lines)]
        times.append(time.perf_counter() - start)
        truth = float(row["degrees"]) if row["degrees"] else None
        results[row["group"]].append((truth, angles))
    print("group        recipe             images   found   median    95 %  within 1°  within 2°")
    for group, rows in results.items():
        for number, name in enumerate(["level", "level and upright"]):
            found = [(truth, angles[number]) for truth, angles in rows if angles[number] is not None]
            text = f"{group:12} {name:17}{len(rows):8}{len(found) / len(rows):8.3f}"
            errors = np.array([abs(angle - truth) for truth, angle in found if truth is not None])
            if len(errors):
                text += f"{np.median(errors):9.2f}{np.percentile(errors, 95):8.2f}"
                text += f"{np.mean(errors < 1):11.3f}{np.mean(errors < 2):11.3f}"
            print(text)
    print(f"median {np.median(times) * 1000:.1f} ms an image")


main()
