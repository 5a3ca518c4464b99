#!/usr/bin/env python3
"""Writes the verifier as an ONNX file and the landmark refiner as a table, both in half precision.

usage: export.py VERIFIER.pt REFINER.npz FOLDER      FOLDER: CSources/CVisionNetworks/files
"""
import pathlib
import sys

import numpy as np
import torch
from torch import nn

from train_verifier import Verifier

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
import tables  # noqa: E402
from onnx_files import Flattened, Pixels, fused, write  # noqa: E402

# Of each stage of the refiner, in the order in which train_landmarks.py saves them.
PARTS = ("basis", "inner", "outer", "bias")


class Score(nn.Module):
    """The verifier with its map in the engine's order."""

    def __init__(self, network):
        super().__init__()
        self.layers, self.full1, self.full2 = network.layers, Flattened(network.full1, 64), network.full2

    def forward(self, pixels):
        return self.full2(torch.relu(self.full1(self.layers(pixels))))


def write_verifier(folder, network):
    """Writes a network whose batch norms are folded."""
    write(
        folder / "face-verifier.onnx", Pixels(Score(network)), {"pixels": torch.zeros(1, 64, 64, 3)}, ["score"],
        "Whether what the detection networks found is a face. pixels: the proposal upright by its mesh, "
        "value / 128 - 1. score: the logarithm of the odds.")


def write_refiner(folder, values):
    """Writes the arrays of the stages, one stage after another."""
    arrays = {}
    for index, array in enumerate(values):
        if not np.isfinite(array).all() or np.abs(array).max() >= 60000:
            raise ValueError(f"array {index} of the refiner does not fit half precision")
        arrays[f"{index // len(PARTS)}.{PARTS[index % len(PARTS)]}"] = array.astype(np.float16)
    tables.write(folder / "face-landmarks.table", **arrays)


def main():
    folder = pathlib.Path(sys.argv[3])
    network = Verifier()
    network.load_state_dict(torch.load(sys.argv[1]))
    write_verifier(folder, fused(network))
    parts = np.load(sys.argv[2])
    write_refiner(folder, [parts[key] for key in parts.files])


if __name__ == "__main__":
    main()
