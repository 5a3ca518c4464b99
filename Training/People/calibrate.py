#!/usr/bin/env python3
"""Writes the ranges of the network of people in 8 bits: of every tensor that a layer in 8 bits reads or makes.

    calibrate.py PHOTOS.json people.onnx …/people-bytes.table [--count 100] [--seed 1]

PHOTOS.json: as photographs.py writes it. The range of a tensor is the one with the least squared error of rounding and
cutting off. The first layers and those that give boxes and scores stay in floats, and so does what they read.

needs: numpy, onnx, onnxruntime, pillow
"""
import argparse
import json
import pathlib
import sys

import numpy as np
import onnx
import onnxruntime

from network import input_size

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Shared"))
import tables  # noqa: E402
from PIL import Image  # noqa: E402

FIRST = 9  # layers that stay in floats: their numbers go up to 140, and small ones matter behind their SiLU
KEPT = 4000  # numbers of a tensor and a photograph that the range is chosen by
PARTS = np.linspace(0.4, 1, 31)  # of the extremes, which are tried


def tensors(graph):
    """The names of the tensors that become bytes, in the order of the graph."""
    makers = {node.output[0]: node for node in graph.node}
    readers = {}
    for node in graph.node:
        for name in node.input:
            readers.setdefault(name, []).append(node)
    # A layer in 8 bits is followed by its SiLU.
    followed = [node for node in graph.node if node.op_type == "Conv"
              and any(reader.op_type == "Sigmoid" for reader in readers[node.output[0]])]
    layers = followed[FIRST:]
    names = {layer.input[0] for layer in layers}

    def add(name):
        """What a sum or a row of tensors is made of becomes bytes as well."""
        names.add(name)
        node = makers[name]
        if node.op_type in ("Add", "Concat"):
            for part in node.input:
                if makers[part].op_type in ("Add", "Mul", "Conv", "Concat"):
                    add(part)

    for layer in layers:
        if makers[layer.input[0]].op_type in ("Add", "Concat"):
            add(layer.input[0])
    for layer in layers:
        product = next(node for node in readers[layer.output[0]] if node.op_type == "Mul")
        if product.output[0] in names:
            names.add(layer.output[0])
    return [node.output[0] for node in graph.node if node.output[0] in names]


def pixels(photo):
    """The input of a photograph, as PeopleDetector makes it."""
    width, height = photo.size
    columns, rows = input_size(width, height)
    scale = min(columns / width, rows / height)
    size = (max(1, round(width * scale)), max(1, round(height * scale)))
    result = np.full((1, rows, columns, 3), 114, np.float32)
    result[0, : size[1], : size[0]] = np.asarray(photo.resize(size, Image.BILINEAR))[:, :, ::-1]
    return result


def chosen(values, low, high):
    """The range with the least squared error of values."""
    best = None
    for part in PARTS:
        for least, most in {(low * part, high * part), (low, high * part)}:
            unit = max(most - least, 1e-9) / 255
            zero = round(-least / unit)
            rounded = (np.clip(np.round(values / unit) + zero, 0, 255) - zero) * unit
            error = float(((rounded - values) ** 2).mean())
            if best is None or error < best[0]:
                best = error, least, most
    return best[1:]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=pathlib.Path)
    parser.add_argument("network", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    model = onnx.load(arguments.network)
    names = tensors(model.graph)
    del model.graph.output[:]
    model.graph.output.extend(onnx.helper.make_empty_tensor_value_info(name) for name in names)
    session = onnxruntime.InferenceSession(model.SerializeToString(), providers=["CPUExecutionProvider"])
    random = np.random.default_rng(arguments.seed)
    paths = [entry["file"] for entry in json.loads(arguments.photos.read_text()) if entry["part"] == "train"]
    seen = {name: [] for name in names}
    extremes = {name: [0.0, 0.0] for name in names}
    for path in random.permutation(paths)[: arguments.count]:
        results = session.run(names, {"image": pixels(Image.open(path).convert("RGB"))})
        for name, value in zip(names, results):
            extremes[name] = [min(extremes[name][0], value.min()), max(extremes[name][1], value.max())]
            seen[name].append(random.choice(value.ravel(), min(KEPT, value.size), replace=False))
    ranges = [chosen(np.concatenate(seen[name]), *extremes[name]) for name in names]
    tables.write(
        arguments.output, tensors=names, low=np.array([low for low, _ in ranges], np.float32),
        high=np.array([high for _, high in ranges], np.float32))
    print(f"{len(names)} tensors, {names[0]} to {names[-1]}")


if __name__ == "__main__":
    main()
