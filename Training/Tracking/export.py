#!/usr/bin/env python3
"""Writes the head's networks as ONNX files: batch norms folded, weights in half precision.

usage: export.py HEAD.pt[,HEAD.pt ...] FOLDER      several: their mean, weight by weight
                                                   FOLDER: CSources/CVisionNetworks/files
"""
import pathlib
import sys

import numpy as np
import torch
from torch import nn

from head import C, IN, Head

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
from onnx_files import fused, write  # noqa: E402

# Channels of the trunk's maps at an eighth and at a sixteenth of the image; in training four places of the first are
# one.
FINE, COARSE = 40, 80
FOLDED = 4 * FINE


def conv(weight, bias=None, stride=1):
    """A convolution with these weights."""
    outputs, inputs, kernel, _ = weight.shape
    layer = nn.Conv2d(inputs, outputs, kernel, stride, bias=bias is not None)
    layer.weight = nn.Parameter(weight.detach().contiguous())
    if bias is not None:
        layer.bias = nn.Parameter(bias.detach().contiguous())
    return layer


def fine(weight):
    """The weights of four places side by side (row, column, channel) as a convolution of 2 x 2 with a step of 2."""
    return conv(weight[:, :FOLDED, 0, 0].reshape(C, 2, 2, FINE).permute(0, 3, 1, 2), stride=2)


class Template(nn.Module):
    """The trunk's maps of the template and how much of each cell lies within the box -> filters and gate."""

    def __init__(self, head):
        super().__init__()
        weight, bias = head.zin[0].weight * head.scale, head.zin[0].bias * head.scale
        self.fine, self.coarse = fine(weight), conv(weight[:, FOLDED:IN], bias)
        self.mask = conv(weight[:, IN:])
        self.gate = conv(head.gate.weight[:, :, None, None] / head.scale, head.gate.bias)

    def forward(self, fine, coarse, mask):
        features = self.fine(fine) + self.coarse(coarse) + self.mask(mask)
        share = mask / mask.sum((2, 3), keepdim=True)
        return features.reshape(C, -1), self.gate((features * share).sum((2, 3), keepdim=True))


class View(nn.Module):
    """The trunk's maps of a frame -> 64 numbers for each place."""

    def __init__(self, head):
        super().__init__()
        weight, bias = head.xin[0].weight, head.xin[0].bias
        self.fine, self.coarse = fine(weight), conv(weight[:, FOLDED:], bias)

    def forward(self, fine, coarse):
        return (self.fine(fine) + self.coarse(coarse)).permute(0, 2, 3, 1)


class Search(nn.Module):
    """Features of a search region, filters and gate -> scores and distances of the box's sides."""

    def __init__(self, head):
        super().__init__()
        self.fuse, self.shared, self.cls, self.reg = head.fuse, head.shared, head.cls, head.reg
        self.score, self.sides = head.score, head.sides

    def forward(self, features, filters, gate):
        x = features.permute(0, 3, 1, 2)
        matches = torch.matmul(features, filters).permute(0, 3, 1, 2)
        x = self.shared(self.fuse(torch.cat([matches, x * gate, x], 1)))
        return torch.sigmoid(self.score(self.cls(x))), torch.exp(self.sides(self.reg(x)).clamp(-4, 3))


def write_all(folder, template, view, search):
    write(
        folder / "tracker-template.onnx", template,
        {"fine": torch.zeros(1, FINE, 16, 16), "coarse": torch.zeros(1, COARSE, 8, 8), "mask": torch.zeros(1, 1, 8, 8)},
        ["filters", "gate_weights"],
        "What the learned tracker keeps of its target. fine, coarse: the maps block4.add and block7.add of "
        "EfficientNet-Lite0 for 128 x 128 pixels around the target. mask: how much of each cell lies within the box. "
        "filters: channel, part of the template. gate_weights: a weight for each channel.")
    write(
        folder / "tracker-view.onnx", view,
        {"fine": torch.zeros(1, FINE, 32, 32), "coarse": torch.zeros(1, COARSE, 16, 16)}, ["features"],
        "What each place of a frame looks like to the learned tracker, 64 numbers a place. fine, coarse: the maps "
        "block4.add and block7.add of EfficientNet-Lite0.",
        {
            "fine": {2: "fine_rows", 3: "fine_columns"}, "coarse": {2: "rows", 3: "columns"},
            "features": {1: "rows", 2: "columns"},
        })
    write(
        folder / "tracker-search.onnx", search,
        {"features": torch.zeros(1, 16, 16, C), "filters": torch.zeros(C, 64), "gate_weights": torch.zeros(1, C, 1, 1)},
        ["scores", "distances"],
        "Where the target of the learned tracker is among 16 x 16 places. scores: how likely it is there. distances: "
        "from the middle of the cell to the left, top, right and bottom of its box, in cells.")


def load(name):
    head = Head()
    head.load_state_dict(torch.load(name))
    head = fused(head)
    return Template(head), View(head), Search(head)


def mean(networks):
    """Returns the first network with the mean of the weights of all, each rounded to half precision before: the weights
    that were evaluated."""
    states = [network.state_dict() for network in networks]
    networks[0].load_state_dict({
        key: torch.from_numpy(np.mean([s[key].numpy().astype(np.float16).astype(np.float32) for s in states], axis=0))
        for key in states[0]
    })
    return networks[0]


def main():
    heads = [load(name) for name in sys.argv[1].split(",")]
    write_all(pathlib.Path(sys.argv[2]), *(mean(list(networks)) for networks in zip(*heads)))


if __name__ == "__main__":
    main()
