#!/usr/bin/env python3
"""Writes the people network as people.onnx, with half-precision weights.

usage: export.py PEOPLE.pt FOLDER      FOLDER: CSources/CVisionNetworks/files

needs: numpy, onnx, torch
"""
import pathlib
import sys

import onnx
import torch
from torch import nn

from network import STRIDES, People, decoded, scored

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
from onnx_files import Pixels, write  # noqa: E402

DESCRIPTION = (
    "People. image: height and width multiples of 32, blue, green, red, 0 to 255, the photograph in the top-left "
    "corner, the rest 114. boxes, upper: whole and upper bodies as x1, y1, x2, y2 in pixels of the image, before "
    "non-maximum suppression. scores: the probability that each of them is right.")


class Decoding(nn.Module):
    """The network with decoded boxes, for any size of the input."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, pixels):
        network = self.network
        boxes, uppers, scores = [], [], []
        for stride, head, value in zip(STRIDES, network.heads, network.neck(*network.backbone(pixels))):
            # 1 x rows x columns x 11
            outputs = head(value).permute(0, 2, 3, 1)
            y = torch.arange(outputs.shape[1], dtype=torch.float32).reshape(1, -1, 1, 1).expand(
                1, outputs.shape[1], outputs.shape[2], 1)
            x = torch.arange(outputs.shape[2], dtype=torch.float32).reshape(1, 1, -1, 1).expand(
                1, outputs.shape[1], outputs.shape[2], 1)
            points = torch.cat((x, y), 3)
            boxes.append(decoded(outputs[..., :4], points, stride).reshape(1, -1, 4))
            uppers.append(decoded(outputs[..., 4:8], points, stride).reshape(1, -1, 4))
            scores.append(scored(outputs[..., 8:]).reshape(1, -1, 2))
        return torch.cat(boxes, 1), torch.cat(uppers, 1), torch.cat(scores, 1)


def shorten_names(path):
    """Numbers the values of a file and takes the names from its nodes, which are a tenth of it otherwise."""
    model = onnx.load(path)
    graph = model.graph
    kept = {value.name for value in (*graph.input, *graph.output)}
    names = {}

    def short(name):
        return name if name in kept or not name else names.setdefault(name, f"{len(names):x}")

    for node in graph.node:
        node.name = ""
        for values in (node.input, node.output):
            values[:] = [short(name) for name in values]
    for tensor in graph.initializer:
        tensor.name = short(tensor.name)
    del graph.value_info[:]
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)
    print(f"{path}: {path.stat().st_size} bytes")


def main():
    network = People()
    network.load_state_dict(torch.load(sys.argv[1]))
    sides = {1: "height", 2: "width"}
    rows = {1: "anchors"}
    path = pathlib.Path(sys.argv[2]) / "people.onnx"
    write(
        path, Pixels(Decoding(network.eval())),
        {"image": torch.zeros(1, 384, 512, 3)}, ["boxes", "upper", "scores"], DESCRIPTION,
        {"image": sides, "boxes": rows, "upper": rows, "scores": rows})
    shorten_names(path)


if __name__ == "__main__":
    main()
