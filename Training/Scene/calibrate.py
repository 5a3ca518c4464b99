#!/usr/bin/env python3
"""Writes the ranges of EfficientNet-Lite2 in 8 bits: of every tensor that a convolution or a sum reads.

    openvision quantize efficientnet-lite2 PHOTOS --crop fill --count 200 -o QUANTISED.onnx
    calibrate.py QUANTISED.onnx …/scene-bytes.table

The file has conversions around all layers; what is behind the last convolution is left out here and stays in floats.
The range of a tensor is the one with the least squared error of the numbers that the photographs gave.
"""
import pathlib
import sys

import numpy as np
import onnx
from onnx import numpy_helper

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Shared"))
import tables  # noqa: E402


def main():
    graph = onnx.load(sys.argv[1]).graph
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    read = {name for node in graph.node if node.op_type in ("Conv", "Add") for name in node.input}
    after = {node.input[0]: node.output[0] for node in graph.node if node.op_type == "DequantizeLinear"}
    tensors, low, high = [], [], []
    for node in graph.node:
        if node.op_type != "QuantizeLinear" or after.get(node.output[0]) not in read:
            continue
        scale, zero = float(constants[node.input[1]]), int(constants[node.input[2]])
        tensors.append(node.input[0])
        low.append(-zero * scale)
        high.append((255 - zero) * scale)
    tables.write(sys.argv[2], tensors=tensors, low=np.array(low, np.float32), high=np.array(high, np.float32))
    print(f"{len(tensors)} tensors, {tensors[0]} to {tensors[-1]}")


if __name__ == "__main__":
    main()
