#!/usr/bin/env python3
"""Reduces the last map to its principal components, so that training need not compute it again in every epoch.

    components.py --models STORE --features FOLDER

needs: numpy, onnx

Writes `components.npz` (mean and directions, of views for training) once and `…-deep.npy` beside every map.
"""
import argparse
import json
import pathlib

import numpy as np
import onnx
from onnx import numpy_helper

COUNT = 256
SAMPLE = 400  # views


def last_layer(store):
    """Weights, 352 x 1280, and bias of the layer between `block20.project` and the map `last`."""
    model = onnx.load(str(store / "efficientnet-lite2" / "efficientnet_lite2.onnx"))
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
    node = next(node for node in model.graph.node if node.name == "head")
    weight, bias = (constants[name] for name in node.input[1:3])
    return weight[:, :, 0, 0].T.copy(), bias


def last_map(maps, layer):
    """The map `last`, views x 81 x 1280, of the maps that were kept, views x 352 x 9 x 9."""
    values = np.asarray(maps, np.float32).reshape(len(maps), 352, 81).transpose(0, 2, 1)
    return (values @ layer[0] + layer[1]).clip(0, 6)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    for name in ("--models", "--features"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    layer, path = last_layer(arguments.models), arguments.features / "components.npz"
    if not path.exists():
        sample = np.load(arguments.features / "training-0-last.npy", mmap_mode="r")[:SAMPLE]
        values = last_map(sample, layer).reshape(-1, 1280)
        mean = values.mean(0)
        spread, directions = np.linalg.eigh((values - mean).T @ (values - mean))
        np.savez(path, mean=mean, directions=directions[:, ::-1][:, :COUNT].astype(np.float32))
        print(f"{100 * spread[::-1][:COUNT].sum() / spread.sum():.1f} % of the variance")
    file = np.load(path)
    mean, directions = file["mean"], file["directions"]
    for rows in sorted(arguments.features.glob("*-[0-9].json")):
        stem = str(rows).removesuffix(".json")
        maps = np.load(f"{stem}-last.npy", mmap_mode="r")
        target = pathlib.Path(f"{stem}-deep.npy")
        shape = (len(maps), COUNT, 9, 9)
        deep = np.lib.format.open_memmap(target, "r+" if target.exists() else "w+", np.float16, shape)
        done = pathlib.Path(f"{stem}-deep.json")
        start, end = int(done.read_text()) if done.exists() else 0, len(json.loads(rows.read_text()))
        for at in range(start, end, 32):
            until = min(at + 32, end)
            values = (last_map(maps[at:until], layer) - mean) @ directions
            deep[at:until] = values.transpose(0, 2, 1).reshape(-1, COUNT, 9, 9)
        deep.flush()
        done.write_text(str(end))
        print(f"{stem}: {end} views", flush=True)


if __name__ == "__main__":
    main()
