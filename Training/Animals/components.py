#!/usr/bin/env python3
"""Chooses the principal components of the last map, so that training need not compute its 1280 channels.

    components.py --models STORE --photos photos.json --output FOLDER

needs: numpy, onnx, onnxruntime, Pillow

Writes `components.npz` with their mean and directions, of photos for training.
"""
import argparse
import json
import pathlib

import numpy as np
import onnx
from onnx import numpy_helper

from sizes import COMPONENTS, nearest

SAMPLE = 400  # photos


def last_layer(store):
    """Weights, 352 x 1280, and bias of the layer between `block20.project` and the map `last`."""
    model = onnx.load(str(pathlib.Path(store) / "efficientnet-lite2" / "efficientnet_lite2.onnx"))
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    node = next(node for node in model.graph.node if node.name == "head")
    weight, bias = (constants[name] for name in node.input[1:3])
    return weight[:, :, 0, 0].T.copy(), bias


def last_map(end, layer):
    """The map `last`, positions x 1280, of the map before it, 352 x rows x columns."""
    return (end.reshape(len(end), -1).T @ layer[0] + layer[1]).clip(0, 6)


class Components:
    def __init__(self, store, folder):
        self.layer = last_layer(store)
        file = np.load(pathlib.Path(folder) / "components.npz")
        self.mean, self.directions = file["mean"], file["directions"]

    def deep(self, end):
        """The components of the last map, COMPONENTS x rows x columns, of the map before it."""
        values = (last_map(end, self.layer) - self.mean) @ self.directions
        return values.T.reshape(COMPONENTS, *end.shape[1:])


def main():
    from features import Backbone, opened

    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--models", "--photos", "--output"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    photos = [photo for photo in json.loads(arguments.photos.read_text()) if not photo["held_out"]]
    backbone, layer = Backbone(arguments.models), last_layer(arguments.models)
    values = []
    for index in np.linspace(0, len(photos) - 1, SAMPLE).round().astype(int):
        image = opened(photos[index])
        values.append(last_map(backbone.run(image, nearest(image))["end"], layer))
    values = np.concatenate(values)
    mean = values.mean(0)
    spread, directions = np.linalg.eigh((values - mean).T @ (values - mean))
    arguments.output.mkdir(parents=True, exist_ok=True)
    np.savez(arguments.output / "components.npz", mean=mean,
             directions=directions[:, ::-1][:, :COMPONENTS].astype(np.float32))
    print(f"{100 * spread[::-1][:COMPONENTS].sum() / spread.sum():.1f} % of the variance")


if __name__ == "__main__":
    main()
