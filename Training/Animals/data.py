"""Reads what `features.py` and `components.py` wrote.

needs: numpy, torch
"""
import json
import pathlib

import numpy as np
import torch

NAMES = ("middle", "deep", "logits")
MOST = 12  # boxes of a view


class Views:
    """The views of one file set."""

    def __init__(self, stem):
        count = json.loads(pathlib.Path(f"{stem}-deep.json").read_text())
        self.rows = json.loads(pathlib.Path(f"{stem}.json").read_text())[:count]
        self.maps = {name: np.load(f"{stem}-{name}.npy", mmap_mode="r") for name in NAMES}

    def __len__(self):
        return len(self.rows)

    def batch(self, indices):
        """Maps with the channels first, and boxes, batch x MOST x 6: class, corners, whether they count; class -1 for
        none."""
        maps = []
        for name in NAMES:
            value = torch.from_numpy(np.stack([self.maps[name][i] for i in indices])).float()
            if value.dim() == 4:
                value = value.contiguous(memory_format=torch.channels_last)
            maps.append(value)
        boxes = torch.full((len(indices), MOST, 6), -1.0)
        for row, index in enumerate(indices):
            found = torch.tensor(self.rows[index]["boxes"][:MOST]).reshape(-1, 6)
            boxes[row, : len(found)] = found
        return maps, boxes
