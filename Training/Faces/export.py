#!/usr/bin/env python3
"""Writes the weights of the verifier and of the landmark refiner as Swift source: half-precision floats, base64.

usage: export.py VERIFIER.pt REFINER.npz OUT.swift

Of the verifier batch norms are folded.

In the order in which the layers run; of each the weights (outputs, inputs, rows, columns), then the biases.
"""
import base64
import sys

import numpy as np
import torch
from torch import nn

from train_verifier import Verifier


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
            bias = norm.bias - norm.running_mean * factor
        yield weight
        yield bias.detach()


def verifier(name):
    network = Verifier()
    network.load_state_dict(torch.load(name))
    network.eval()
    return torch.cat([t.reshape(-1) for t in tensors(network)]).numpy()


def refiner(name):
    parts = np.load(name)
    return np.concatenate([parts[key].reshape(-1) for key in parts.files])


def text(flat):
    assert np.isfinite(flat).all() and np.abs(flat).max() < 60000
    print(len(flat), "weights")
    return base64.b64encode(flat.astype("<f2").tobytes()).decode()


def main():
    with open(sys.argv[3], "w") as out:
        out.write(
            "// Made by Training/Faces/export.py; not to be edited. See Training/Faces/README.md for its data.\n"
            "// swift-format-ignore-file\n\n"
            "extension FaceWeights {\n"
            "    package static let trained = FaceWeights(\n")
        for name, values in (("verifier", verifier(sys.argv[1])), ("refiner", refiner(sys.argv[2]))):
            code = text(values)
            lines = [code[i : i + 4000] for i in range(0, len(code), 4000)]
            out.write(f'        {name}: """\n')
            out.writelines(f"            {line}\n" for line in lines)
            out.write('            """' + ("" if name == "refiner" else ",") + "\n")
        out.write("    )\n}\n")


if __name__ == "__main__":
    main()
