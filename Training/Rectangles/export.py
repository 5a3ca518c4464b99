#!/usr/bin/env python3
"""Writes the weights of the networks as Swift source: batch norms folded, half-precision floats, base64.

usage: export.py COARSE.pt JUDGE.pt MOVER.pt OUT.swift

In the order in which networks.py makes the layers; of each the weights (outputs, inputs, rows, columns), then the biases.
"""
import base64
import sys

import numpy as np
import torch
from torch import nn

from networks import Coarse, Judge, Mover


def tensors(network):
    """Folded weights and biases, layer by layer."""
    layers = [m for m in network.modules() if isinstance(m, (nn.Conv2d, nn.BatchNorm2d, nn.Linear))]
    for index, layer in enumerate(layers):
        if isinstance(layer, nn.BatchNorm2d):
            continue
        weight, bias = layer.weight.detach(), layer.bias
        if index + 1 < len(layers) and isinstance(layers[index + 1], nn.BatchNorm2d):
            norm = layers[index + 1]
            factor = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
            weight = weight * factor[:, None, None, None]
            bias = norm.bias.detach() - norm.running_mean * factor
        yield weight
        yield bias.detach()


def text(network, name):
    network.load_state_dict(torch.load(name))
    network.eval()
    flat = torch.cat([t.reshape(-1) for t in tensors(network)]).numpy()
    assert np.isfinite(flat).all() and np.abs(flat).max() < 60000
    return base64.b64encode(flat.astype("<f2").tobytes()).decode()


def main():
    with open(sys.argv[4], "w") as out:
        out.write(
            "// Made by Training/Rectangles/export.py; not to be edited. See Training/Rectangles/README.md for its data.\n"
            "// swift-format-ignore-file\n\n"
            "extension RectangleGraphs.Weights {\n"
            "    package static let trained = RectangleGraphs.Weights(\n")
        parts = (("coarse", Coarse(), sys.argv[1]), ("judge", Judge(), sys.argv[2]), ("mover", Mover(), sys.argv[3]))
        for name, network, path in parts:
            code = text(network, path)
            lines = [code[i : i + 4000] for i in range(0, len(code), 4000)]
            out.write(f'        {name}: """\n')
            out.writelines(f"            {line}\n" for line in lines)
            out.write('            """' + ("" if name == "mover" else ",") + "\n")
        out.write("    )\n}\n")


if __name__ == "__main__":
    main()
