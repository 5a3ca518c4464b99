#!/usr/bin/env python3
"""Runs exported heads over photographs with ONNX Runtime and saves their maps, for evaluate.py and boxes.py.

needs: numpy, onnx, onnxruntime, pillow

    maps.py MODEL.onnx HEAD.onnx PHOTOS OUT [--names FILE [--count 500]]

OUT/x.npy: 68 x 68 values for the photograph x. --names: a file of names, one a line, of which the first are taken (the
photographs that train.py holds out are the first in `names.txt`).
"""
import argparse
import pathlib

import numpy as np
import onnxruntime
from PIL import Image

from features import LEVELS, Backbone


class Saliency:
    def __init__(self, model, head, threads=1):
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = threads
        self.head = onnxruntime.InferenceSession(str(head), options, providers=["CPUExecutionProvider"])
        self.inputs = [value.name for value in self.head.get_inputs()]
        levels = [name.removeprefix("map.") for name in self.inputs]
        assert all(level in LEVELS for level in levels), levels
        self.backbone = Backbone(model, levels, threads)

    def __call__(self, image):
        maps = self.backbone(image)
        return self.head.run(None, {name: value[None] for name, value in zip(self.inputs, maps)})[0][0, :, :, 0]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("model")
    parser.add_argument("head")
    parser.add_argument("photos", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--names", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=500)
    options = parser.parse_args()
    saliency = Saliency(options.model, options.head)
    names = sorted(path.name for path in options.photos.iterdir())
    if options.names:
        names = options.names.read_text().splitlines()[:options.count]
    options.out.mkdir(parents=True, exist_ok=True)
    for name in names:
        with Image.open(options.photos / name) as photo:
            np.save(options.out / (pathlib.Path(name).stem + ".npy"), saliency(photo).astype(np.float32))


if __name__ == "__main__":
    main()
