"""Quads by OpenCV's usual recipe: edges by Canny or an adaptive threshold, outlines, polygons of four corners.

As the accuracy of rectangles is written by `Benchmarks accuracy rectangle-detection PHOTOS --write FOLDER`:

    Scripts/peers/contours.py FOLDER

prints the same shares for the recipe: found within 2 % and 5 % of the mean side, with an intersection over union of
0.8, false quads a scene and a photo. `largest` is for the largest quad alone: the part of the scenes where it is one of
the wanted. With `--labelled` the scenes are photographs that were labelled by hand.
"""

import csv
import pathlib
import sys

import cv2
import numpy as np


def quads(image, least=0.1):
    """Convex quads, the largest first, without duplicates."""
    grey = cv2.GaussianBlur(cv2.cvtColor(image, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    middle = float(np.median(grey))
    edges = cv2.Canny(grey, max(0, 0.67 * middle), min(255, 1.33 * middle))
    masks = [cv2.dilate(edges, np.ones((3, 3), np.uint8))]
    masks.append(cv2.adaptiveThreshold(grey, 255, cv2.ADAPTIVE_THRESH_MEAN_C, cv2.THRESH_BINARY, 51, 5))
    masks.append(255 - masks[1])
    found = []
    for mask in masks:
        for outline in cv2.findContours(mask, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)[0]:
            polygon = cv2.approxPolyDP(outline, 0.02 * cv2.arcLength(outline, True), True)
            if len(polygon) != 4 or not cv2.isContourConvex(polygon):
                continue
            points = polygon[:, 0].astype(float)
            sides = np.linalg.norm(points - np.roll(points, -1, 0), axis=1)
            means = (sides[0] + sides[2]) / 2, (sides[1] + sides[3]) / 2
            if min(means) < least * min(image.shape[:2]):
                continue
            ways = np.roll(points, -1, 0) - points
            cosines = np.sum(ways * np.roll(ways, 1, 0), axis=1) / (sides * np.roll(sides, 1))
            if np.abs(cosines).max() > np.sin(np.radians(45)):
                continue
            corners = points.astype(np.float32).reshape(-1, 1, 2)
            fine = cv2.cornerSubPix(grey, corners, (3, 3), (-1, -1), (3, 20, 0.03))[:, 0].astype(float)
            found.append((cv2.contourArea(polygon), fine))
    found.sort(key=lambda entry: -entry[0])
    kept = []
    for area, quad in found:
        if all(error(quad, other) > 0.1 for _, other in kept):
            kept.append((area, quad))
    return [quad for _, quad in kept]


def error(quad, truth):
    """The mean distance of corners, whichever each quad starts from, by the mean side of `truth`."""
    side = np.linalg.norm(truth - np.roll(truth, -1, 0), axis=1).mean()
    orders = [np.roll(corners, shift, 0) for corners in (quad, quad[::-1]) for shift in range(4)]
    return min(np.linalg.norm(order - truth, axis=1).mean() for order in orders) / side


def overlap(quad, truth):
    """The intersection of two convex quads over their union."""
    quad, truth = (corners.astype(np.float32).reshape(-1, 1, 2) for corners in (quad, truth))
    shared = cv2.intersectConvexConvex(quad, truth)[0]
    return shared / (cv2.contourArea(quad) + cv2.contourArea(truth) - shared)


def main(folder):
    folder = pathlib.Path(folder)
    wanted = close = covered = false = scenes = 0
    found = 0
    largest = np.zeros(3)
    for path in sorted(folder.glob("*.ppm")):
        image = cv2.imread(str(path))
        truths = []
        for row in csv.reader(path.with_suffix(".csv").open()):
            truths.append((row[1] == "1", np.float64(row[4:12]).reshape(4, 2)))
        scenes += 1
        # Its outlines are of whole pixels, whose centres are at whole numbers.
        results = [quad + 0.5 for quad in quads(image)]
        for is_wanted, truth in truths:
            if is_wanted:
                wanted += 1
                best = min((error(quad, truth) for quad in results), default=9)
                found += best <= 0.02
                close += best <= 0.05
                covered += max((overlap(quad, truth) for quad in results), default=0) >= 0.8
        sought = [truth for is_wanted, truth in truths if is_wanted]
        if results and sought:
            best = min(error(results[0], truth) for truth in sought)
            largest += [best <= 0.02, best <= 0.05, max(overlap(results[0], truth) for truth in sought) >= 0.8]
        false += sum(all(error(quad, truth) > 0.1 for _, truth in truths) for quad in results)
    print(f"{scenes} scenes; found {found / wanted:.3f}, near {close / wanted:.3f}, overlap {covered / wanted:.3f}, "
          f"false {false / scenes:.3f}")
    print("largest: found {:.3f}, near {:.3f}, overlap {:.3f}".format(*largest / scenes))
    photos = sorted((folder / "photos").glob("*.ppm"))
    if photos:
        count = sum(len(quads(cv2.imread(str(path)))) for path in photos)
        print(f"{len(photos)} photos; {count / len(photos):.3f} quads each")


if __name__ == "__main__":
    main(*sys.argv[1:])
