#!/usr/bin/env python3
"""Writes the head's weights as Swift source: batch norms folded, half-precision floats, base64.

usage: export.py HEAD.pt[,HEAD.pt ...] OUT.swift      several: their mean, weight by weight
"""
import base64
import sys

import numpy as np
import torch

from head import C, IN, Head

FINE = 160


def folded(layer):
    weight, norm = layer[0].weight.detach(), layer[1]
    factor = norm.weight.detach() / torch.sqrt(norm.running_var + norm.eps)
    return weight * factor[:, None, None, None], norm.bias.detach() - norm.running_mean * factor


def fine(weight):
    """Stride 8 folded to stride 16 (row, column, channel) -> a convolution of 2 x 2 with step 2."""
    return weight[:, :FINE, 0, 0].reshape(C, 2, 2, FINE // 4).permute(0, 3, 1, 2)


def tensors(head):
    w, b = folded(head.zin)
    w, b = w * head.scale, b * head.scale
    yield from (fine(w), w[:, FINE:IN], b, w[:, IN:])
    yield from (head.gate.weight.detach() / head.scale, head.gate.bias.detach())
    w, b = folded(head.xin)
    yield from (fine(w), w[:, FINE:], b)
    yield from folded(head.fuse)
    for block in [*head.shared, *head.cls, *head.reg]:
        yield from folded(block.spatial)
        yield from folded(block.mix)
    yield from (head.score.weight.detach(), head.score.bias.detach())
    yield from (head.sides.weight.detach(), head.sides.bias.detach())


def weights(name):
    head = Head()
    head.load_state_dict(torch.load(name))
    head.eval()
    flat = torch.cat([t.reshape(-1) for t in tensors(head)]).numpy()
    # Rounded before the mean is taken: what is averaged is what was tried.
    return flat.astype(np.float16).astype(np.float32)


def main():
    flat = np.mean([weights(name) for name in sys.argv[1].split(",")], axis=0)
    assert np.isfinite(flat).all() and np.abs(flat).max() < 60000
    text = base64.b64encode(flat.astype("<f2").tobytes()).decode()
    lines = [text[i : i + 4000] for i in range(0, len(text), 4000)]
    with open(sys.argv[2], "w") as out:
        out.write(
            "// Made by Training/Tracking/export.py; not to be edited. See Training/Tracking/README.md for its data.\n"
            "// swift-format-ignore-file\n\n"
            "extension TrackerGraphs {\n"
            f"    /// {len(flat)} half-precision floats, in base64.\n"
            '    static let trainedWeights = """\n')
        out.writelines(f"        {line}\n" for line in lines)
        out.write('        """\n}\n')
    print(len(flat), "weights,", len(text), "characters")


if __name__ == "__main__":
    main()
