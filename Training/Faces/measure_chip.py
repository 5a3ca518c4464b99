#!/usr/bin/env python3
"""Measures where our landmarks lie in the chips of faces that dlib cuts for its network: FaceChip's means.

    openvision faces PHOTOS --landmarks --json > faces.jsonl
    measure_chip.py faces.jsonl shape_predictor_5_face_landmarks.dat

The predictor is in the package face_recognition_models of PyPI; dlib (dlib-bin), NumPy and Pillow are needed. dlib does
not tell its transform, so it cuts a chip of a image of coordinates.
"""

import json
import sys

import dlib
import numpy as np
from PIL import Image, ImageOps

SIDE = 150


def transform(predictor, photo, box):
    """Returns the matrix and the offset from the chip to the photo; None where the chip leaves the photo."""
    height, width = photo.shape[:2]
    corners = [box["x"], box["y"], box["x"] + box["width"], box["y"] + box["height"]]
    shape = predictor(photo, dlib.rectangle(*(int(value) for value in corners)))
    y, x = np.mgrid[0:height, 0:width]
    ramp = np.stack([x * 255 / width, y * 255 / height, 0 * x], -1).round().astype(np.uint8)
    chip = dlib.get_face_chip(ramp, shape, SIDE, 0.25).astype(float)
    inside = ((chip[..., :2] > 2) & (chip[..., :2] < 253)).all(-1)
    if inside.sum() < 0.7 * SIDE * SIDE:
        return None
    v, u = np.mgrid[0:SIDE, 0:SIDE]
    places = np.stack([u[inside] + 0.5, v[inside] + 0.5, np.ones(inside.sum())], 1)
    solution = np.linalg.lstsq(places, chip[inside][:, :2] * [width / 255, height / 255], rcond=None)[0]
    return solution[:2].T, solution[2]


def anchors(regions):
    """The five points of FaceChip.Anchors."""
    right, left, nose, lips = (
        np.array(regions[name], float) for name in ("rightEye", "leftEye", "nose", "outerLips"))
    right, left, nose = right.mean(0), left.mean(0), nose.mean(0)
    order = np.argsort(lips @ (left - right))
    return [right, left, nose, lips[order[0]], lips[order[-1]]]


def main():
    predictor = dlib.shape_predictor(sys.argv[2])
    points = []
    for line in open(sys.argv[1]):
        record = json.loads(line)
        face = (record.get("results") or [{}])[0]
        # Faces that look into the camera, more or less.
        if not face.get("landmarks") or abs(face["yaw"] or 0) > 25 or abs(face["roll"] or 0) > 20:
            continue
        photo = np.asarray(ImageOps.exif_transpose(Image.open(record["image"]["path"])).convert("RGB"))
        found = transform(predictor, photo, face["box"])
        if found:
            points.append([
                np.linalg.solve(found[0], point - found[1]) / SIDE for point in anchors(face["landmarks"]["regions"])])
    print(f"{len(points)} faces; mean and standard deviation of", "eyes, nose, corners of the mouth", sep="\n")
    print(np.mean(points, 0).round(4), np.std(points, 0).round(4), sep="\n")


if __name__ == "__main__":
    main()
