#!/usr/bin/env python3
"""Writes the network that finds cats and dogs as an ONNX file: batch norms folded, weights in half precision.

    export.py HEAD.pt FEATURES CSources/CVisionNetworks/files

needs: numpy, onnx, torch

FEATURES: the folder with `components.npz`, which is folded into the first layer.
"""
import pathlib
import sys

import numpy as np
import torch
from torch import nn

from head import Head
from sizes import cells

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
from onnx_files import fused, write  # noqa: E402


class Export(nn.Module):
    """The network with maps in the engine's order and probabilities; its first layer takes the whole last map."""

    def __init__(self, head, mean, directions):
        super().__init__()
        self.head = head
        layer = head.deep[0]
        weight = layer.weight.detach()[:, :, 0, 0] @ directions.T
        whole = nn.Conv2d(directions.shape[0], layer.out_channels, 1)
        whole.weight = nn.Parameter(weight[:, :, None, None].contiguous())
        whole.bias = nn.Parameter(layer.bias.detach() - weight @ mean)
        head.deep[0] = whole

    def forward(self, middle, last, logits):
        sides, scores = self.head(middle.permute(0, 3, 1, 2), last.permute(0, 3, 1, 2), logits)
        return sides, scores.sigmoid()


def main():
    source, features, folder = sys.argv[1:]
    components = np.load(pathlib.Path(features) / "components.npz")
    head = Head()
    head.load_state_dict(torch.load(source))
    size = (324, 452)
    inputs = {
        "map.middle": torch.zeros(1, *cells(size, 16), 120), "map.last": torch.zeros(1, *cells(size, 32), 1280),
        "logits": torch.zeros(1, 1000)}
    open_sizes = {
        "map.middle": {1: "rows", 2: "columns"}, "map.last": {1: "last_rows", 2: "last_columns"},
        "sides": {1: "cells"}, "scores": {1: "cells"}}
    mean, directions = (torch.tensor(components[name]) for name in ("mean", "directions"))
    write(
        pathlib.Path(folder) / "animals.onnx", Export(fused(head), mean, directions), inputs, ["sides", "scores"],
        "Where cats and dogs are. Inputs: the maps and the logits of EfficientNet-Lite2 for an image of r x c pixels, "
        "r and c 4 above multiples of 32, stretched to this size. sides: for each position of map.middle the distances "
        "from it to the left, upper, right and lower side of its box, as shares of the image. scores: for each how "
        "likely its box is that of a cat, of a dog.", open_sizes)


if __name__ == "__main__":
    main()
