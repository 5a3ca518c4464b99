"""The network that finds cats and dogs in the maps of the backbone.

needs: torch
"""
import torch
import torch.nn.functional as F
from torch import nn

SIDE = 260
CELLS = 17  # rows and columns of the boxes' grid: that of the map `middle`
LAST = 9
WIDTH = 96
DEEP = 256  # components of the last map
# Cell j of `middle` sees the input around pixel 16 j + FIRST.
FIRST, STRIDE = 3.5, 16


def widening():
    """A matrix that interpolates the 81 positions of `last` at the 289 of `middle`: every other row coincides."""
    line = torch.zeros(CELLS, LAST)
    for index in range(CELLS):
        line[index, index // 2] += 0.5
        line[index, (index + 1) // 2] += 0.5
    return torch.einsum("ai,bj->abij", line, line).reshape(CELLS * CELLS, LAST * LAST)


class Block(nn.Module):
    def __init__(self, width, size=5):
        super().__init__()
        self.depthwise = nn.Conv2d(width, width, size, padding=size // 2, groups=width, bias=False)
        self.norm1 = nn.BatchNorm2d(width)
        self.pointwise = nn.Conv2d(width, width, 1, bias=False)
        self.norm2 = nn.BatchNorm2d(width)

    def forward(self, value):
        return value + F.relu(self.norm2(self.pointwise(F.relu(self.norm1(self.depthwise(value))))))


def layer(inputs, outputs):
    return nn.Sequential(nn.Conv2d(inputs, outputs, 1, bias=False), nn.BatchNorm2d(outputs), nn.ReLU())


class Head(nn.Module):
    def __init__(self, width=WIDTH, dropout=0.1):
        super().__init__()
        self.width = width
        self.deep = layer(DEEP, width)
        self.context1 = nn.Linear(1000, 64)
        self.context2 = nn.Linear(64, width)
        self.low = nn.Sequential(Block(width), Block(width))
        self.middle = layer(120, 64)
        self.join = layer(width + 64, width)
        self.shared = Block(width)
        self.kind = Block(width)
        self.place = Block(width)
        self.scores = nn.Conv2d(width, 2, 1)
        self.sides = nn.Conv2d(width, 4, 1)
        self.dropout = nn.Dropout2d(dropout)
        self.register_buffer("widening", widening())
        self.register_buffer("centres", self._centres())
        nn.init.constant_(self.scores.bias, -5)
        nn.init.constant_(self.sides.bias, -1.5)

    @staticmethod
    def _centres():
        line = (FIRST + STRIDE * torch.arange(CELLS)) / SIDE
        y, x = torch.meshgrid(line, line, indexing="ij")
        return torch.stack([x, y], -1).reshape(1, CELLS * CELLS, 2)

    def forward(self, middle, deep, logits):
        """Boxes, batch x 289 x 4, and the logits of their scores, batch x 289 x 2."""
        context = self.context2(F.relu(self.context1(logits * 0.2)))
        value = self.low(self.dropout(self.deep(deep)) + context[:, :, None, None])
        value = value.permute(0, 2, 3, 1).reshape(-1, LAST * LAST, self.width)
        value = (self.widening @ value).reshape(-1, CELLS, CELLS, self.width).permute(0, 3, 1, 2)
        value = self.shared(self.join(torch.cat([value, self.dropout(self.middle(middle))], 1)))
        scores = self.scores(self.kind(value)).permute(0, 2, 3, 1).reshape(-1, CELLS * CELLS, 2)
        sides = torch.sigmoid(self.sides(self.place(value)).permute(0, 2, 3, 1).reshape(-1, CELLS * CELLS, 4))
        return torch.cat([self.centres - sides[..., :2], self.centres + sides[..., 2:]], -1), scores
