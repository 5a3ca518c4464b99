#!/usr/bin/env python3
"""Marks small people whom a data set does not label, so that they are not trained as background.

usage: unlabelled.py PEOPLE.json YOLOX_NANO.onnx OUT.json

Runs YOLOX-nano as it is published over the training photographs with people. What it takes for a person of less than a
quarter of the height of the photograph, and nobody labelled, becomes a person with "ignore".

needs: numpy, onnx, onnxruntime, pillow, torch
"""
import json
import pathlib
import sys

import numpy as np
import torch
from PIL import Image

from predict import Detector, overlaps, prepared, suppressed

CONFIDENCE, OVERLAP = 0.3, 0.6
LARGEST = 0.25


def main():
    torch.set_num_threads(1)
    photos, detector, added = json.loads(pathlib.Path(sys.argv[1]).read_text()), Detector(pathlib.Path(sys.argv[2])), 0
    for photo in photos:
        if photo["part"] != "train" or not photo["persons"]:
            continue
        pixels, scale = prepared(Image.open(photo["file"]))
        boxes, _, scores = detector.run(pixels)
        boxes = np.clip(boxes / scale, 0, [photo["width"], photo["height"]] * 2)
        labelled = np.array([person["box"] for person in photo["persons"]])
        for index in suppressed(boxes, scores[:, 0], OVERLAP, CONFIDENCE):
            box = boxes[index]
            if box[3] - box[1] < LARGEST * photo["height"] and overlaps(box, labelled).max() < 0.3:
                photo["persons"].append({"box": [round(float(v), 1) for v in box], "ignore": True, "upper": None})
                added += 1
    pathlib.Path(sys.argv[3]).write_text(json.dumps(photos))
    print(f"{added} people added")


if __name__ == "__main__":
    main()
