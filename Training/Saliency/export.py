#!/usr/bin/env python3
"""Writes the trained heads as ONNX files.

needs: numpy, onnx, torch

    export.py HEAD.pt [HEAD.pt ...] OUT

OUT/saliency-KIND.onnx: inputs map.end [1, 9, 9, 352], map.middle [1, 17, 17, 120], map.fine [1, 33, 33, 48] and, for
objectness, map.quarter [1, 65, 65, 24], channels last; output saliency [1, 68, 68, 1] in 0...1. Of several heads of
one kind the file has all, and gives the mean of their maps.
"""
import argparse
import pathlib
import sys

import numpy as np
import onnx
import torch
from onnx import numpy_helper

import networks

sys.path.append(str(pathlib.Path(__file__).resolve().parent.parent / "Shared"))
import onnx_files  # noqa: E402

DESCRIPTION = {
    "objectness": "How much each position belongs to an object that stands out, 0...1.",
    "attention": "How much each position draws the eyes, relative to the rest of the image, 0...1.",
}


def with_constant_sizes(model):
    """Replaces what computes the sizes of Resize nodes by constants, in place; the shapes are fixed."""
    shapes = {
        value.name: [size.dim_value for size in value.type.tensor_type.shape.dim]
        for value in onnx.shape_inference.infer_shapes(model, data_prop=True).graph.value_info
    }
    for node in model.graph.node:
        if node.op_type == "Resize":
            size = np.array(shapes[node.output[0]], np.int64)
            node.input[3] = node.output[0] + ".size"
            model.graph.initializer.append(numpy_helper.from_array(size, node.input[3]))
    needed, nodes = {output.name for output in model.graph.output}, []
    for node in reversed(model.graph.node):
        if needed.intersection(node.output):
            needed.update(node.input)
            nodes.insert(0, node)
    del model.graph.node[:]
    model.graph.node.extend(nodes)
    onnx.checker.check_model(model, full_check=True)
    return model


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("heads", nargs="+", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    options = parser.parse_args()
    every = [torch.load(path) for path in options.heads]
    for kind in sorted({saved["kind"] for saved in every}):
        states = [saved["decoder"] for saved in every if saved["kind"] == kind]
        decoders, cost = [], 0
        for state in states:
            decoder = networks.KINDS[kind]()
            decoder.load_state_dict(state)
            # The side outputs of coarser levels are for training only.
            networks.prune(decoder)
            cost += networks.multiply_adds(decoder)
            decoders.append(onnx_files.fused(decoder))
        head = networks.Head(decoders)
        inputs = {
            f"map.{level}": torch.zeros(1, networks.SIDES[level], networks.SIDES[level], networks.CHANNELS[level])
            for level in decoders[0].levels
        }
        target = options.out / f"saliency-{kind}.onnx"
        onnx_files.write(str(target), head, inputs, ["saliency"], (
            f"{DESCRIPTION[kind]} Inputs: maps of EfficientNet-Lite2 at 260 x 260, 1 x rows x columns x "
            "channels: " + ", ".join(f"map.{level}" for level in decoders[0].levels)
            + f". Output: saliency, 1 x {networks.OUTPUT_SIDE} x {networks.OUTPUT_SIDE} x 1."))
        onnx.save(with_constant_sizes(onnx.load(target)), target)
        print(f"{target}: {target.stat().st_size} bytes, {cost / 1e6:.0f} M multiply-adds")


if __name__ == "__main__":
    main()
