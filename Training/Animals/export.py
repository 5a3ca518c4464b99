#!/usr/bin/env python3
"""Writes the network that finds cats and dogs as an ONNX file, with weights in 8 bits.

    export.py STORE WEIGHTS.pt... CSources/CVisionNetworks/files

needs: numpy, onnx, torch

Of several files of weights the mean is written.
"""
import pathlib
import sys

import onnx
import torch
from torch import nn

from network import Animals
from sizes import SIZES

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
from onnx_files import Pixels, fused, write  # noqa: E402

DESCRIPTION = (
    "Where cats and dogs are. image: 1 x rows x columns x 3, red, green, blue, (value - 127) / 128, both sides 4 above "
    "multiples of 32, a photograph stretched to this size. sides: for each position, 16 pixels apart, the distances "
    "from it to the left, upper, right and lower side of its box, as shares of the image. scores: for each how likely "
    "its box is that of a cat, of a dog.")
SMALLEST = 4096  # weights of a layer that is stored in 8 bits


class Probabilities(nn.Module):
    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, image):
        sides, scores = self.network(image)
        return sides, scores.sigmoid()


def mean(paths):
    every = [torch.load(path, map_location="cpu") for path in paths]
    return {name: sum(weights[name].float() for weights in every) / len(every) if value.is_floating_point() else value
            for name, value in every[0].items()}


def fold_paddings(path):
    """Makes the paddings before layers with a stride, below and on the right, parts of these layers."""
    model = onnx.load(path)
    graph = model.graph
    layers = {node.input[0]: node for node in graph.node if node.op_type == "Conv"}
    for node in graph.node:
        if node.op_type == "Pad":
            layer = layers[node.output[0]]
            layer.input[0] = node.input[0]
            pads = next(attribute for attribute in layer.attribute if attribute.name == "pads")
            pads.ints[:] = [number + more for number, more in zip(pads.ints, (0, 0, 1, 1))]
    needed, kept = {value.name for value in graph.output}, []
    for node in reversed(graph.node):
        if needed & set(node.output):
            needed |= set(node.input)
            kept.append(node)
    del graph.node[:], graph.value_info[:]
    graph.node.extend(reversed(kept))
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)
    print(f"{len(kept)} nodes, {path.stat().st_size} bytes")


def main():
    store, *weights, folder = sys.argv[1:]
    network = Animals(store)
    network.load_state_dict(mean(weights))
    sides = {1: "rows", 2: "columns"}
    path = pathlib.Path(folder) / "animals.onnx"
    write(path, Pixels(Probabilities(fused(network))),
          {"image": torch.zeros(1, *SIZES[0], 3)}, ["sides", "scores"], DESCRIPTION,
          {"image": sides, "sides": {1: "cells"}, "scores": {1: "cells"}}, SMALLEST)
    fold_paddings(path)


if __name__ == "__main__":
    main()
