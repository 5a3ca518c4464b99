#!/usr/bin/env python3
"""Writes the networks as ONNX files: batch norms folded, weights in half precision.

usage: export.py PROPOSALS.pt VERIFIER.pt REFINEMENT.pt FOLDER      FOLDER: CSources/CVisionNetworks/files
"""
import pathlib
import sys

import torch
from torch import nn

from networks import Proposals, Refinement, Verifier

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
from onnx_files import Flattened, Pixels, fused, write  # noqa: E402


class Crop(nn.Module):
    """A network for crops with its map in the engine's order."""

    def __init__(self, network):
        super().__init__()
        self.layers, self.full1, self.full2 = network.layers, Flattened(network.fc1, 64), network.fc2

    def forward(self, pixels):
        return self.full2(torch.relu(self.full1(self.layers(pixels))))


def write_all(folder, proposals, verifier, refinement):
    """Writes networks whose batch norms are folded."""
    write(
        folder / "rectangle-proposals.onnx", Pixels(proposals), {"pixels": torch.zeros(1, 160, 160, 3)},
        ["scores", "corners"],
        "Where rectangular things are. pixels: an image, value / 128 - 1. scores: for each cell of 8 x 8 pixels the "
        "logarithm of the odds that the middle of a thing is near. corners: x and y of its four corners, clockwise "
        "from the top left, from the middle of the cell in units of 80 pixels.")
    crop = {"pixels": torch.zeros(8, 64, 64, 3)}
    sizes = {"pixels": {0: "count"}, "numbers": {0: "count"}}
    write(
        folder / "rectangle-verifier.onnx", Pixels(Crop(verifier)), crop, ["numbers"],
        "Whether a quad is the outline of a thing. pixels: quads brought to a square of 42 pixels with 11 around it, "
        "value / 128 - 1. numbers: the logarithms of the odds that an outline is near and that this is it, and offsets "
        "of the four corners in sides of the square.", sizes)
    write(
        folder / "rectangle-refinement.onnx", Pixels(Crop(refinement)), crop, ["numbers"],
        "Where the outline of a thing is that a quad is far from. pixels: quads brought to a square of 28 pixels with "
        "18 around it, value / 128 - 1. numbers: three outlines, of each the logarithm of its odds and offsets of the "
        "four corners in sides of the square.", sizes)


def load(network, name):
    network.load_state_dict(torch.load(name))
    return fused(network)


def main():
    proposals, verifier, refinement, folder = sys.argv[1:]
    write_all(
        pathlib.Path(folder), load(Proposals(), proposals), load(Verifier(), verifier), load(Refinement(), refinement))


if __name__ == "__main__":
    main()
