"""Reads what `features.py` wrote.

needs: numpy, torch
"""
import json
import pathlib

import numpy as np
import torch

import head
from sizes import COMPONENTS, SIZES, cells

MOST = 12  # boxes of a view


class Views:
    """The views of one size in the files of one part."""

    def __init__(self, stem, size):
        self.size = size
        stem = f"{stem}-{size[0]}x{size[1]}"
        path = pathlib.Path(f"{stem}.jsonl")
        self.rows = [json.loads(row) for row in path.read_text().splitlines()] if path.exists() else []
        shapes = {"middle": (120, *cells(size, 16)), "deep": (COMPONENTS, *cells(size, 32)), "logits": (1000,)}
        self.maps = {
            name: np.memmap(f"{stem}-{name}.f16", np.float16, "r").reshape(-1, *shape)
            for name, shape in shapes.items()} if self.rows else {}
        self.rows = self.rows[:min([len(values) for values in self.maps.values()], default=0)]

    def __len__(self):
        return len(self.rows)

    def batch(self, indices):
        """Maps with the channels first, and boxes, batch x MOST x 6: class, corners, whether they count; class -1 for
        none."""
        maps = []
        for values in self.maps.values():
            value = torch.from_numpy(np.stack([values[i] for i in indices])).float()
            if value.dim() == 4:
                value = value.contiguous(memory_format=torch.channels_last)
            maps.append(value)
        boxes = torch.full((len(indices), MOST, 6), -1.0)
        for row, index in enumerate(indices):
            found = torch.tensor(self.rows[index]["boxes"][:MOST]).reshape(-1, 6)
            boxes[row, : len(found)] = found
        return maps, boxes

    def centres(self):
        return head.Head.centres(*cells(self.size, 16), self.size)


def sets(folder, kind):
    """The views of a kind, `training` or `held-out`, a set for each size and part."""
    stems = {str(path).rsplit("-", 1)[0] for path in folder.glob(f"{kind}-*.jsonl")}
    return [views for stem in sorted(stems) for size in SIZES if len(views := Views(stem, size))]
