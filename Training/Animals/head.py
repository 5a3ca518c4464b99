"""The network that finds cats and dogs in the maps of the backbone.

needs: torch
"""
import torch
import torch.nn.functional as F
from torch import nn

from sizes import COMPONENTS

WIDTH = 96
# Cell j of `middle` sees the input around pixel 16 j + FIRST.
FIRST, STRIDE = 3.5, 16


def widening():
    """Weights of a transposed convolution that interpolates the map `last` at the cells of `middle`: cell 2 j of
    `middle` lies at cell j of `last`, and the maps end together."""
    line = torch.tensor([0.5, 1, 0.5])
    return torch.outer(line, line)


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
    def __init__(self, width=WIDTH, dropout=0.15):
        super().__init__()
        self.width = width
        self.deep = layer(COMPONENTS, width)
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
        self.dropout1 = nn.Dropout(dropout)
        self.dropout2 = nn.Dropout2d(dropout)
        self.register_buffer("widening", widening().expand(width, 1, 3, 3).contiguous())
        nn.init.constant_(self.scores.bias, -5)
        nn.init.constant_(self.sides.bias, -1.5)

    @staticmethod
    def centres(rows, columns, size):
        """x and y of the cells' middles as shares of an image of a size (rows, columns)."""
        y = (FIRST + STRIDE * torch.arange(rows)) / size[0]
        x = (FIRST + STRIDE * torch.arange(columns)) / size[1]
        y, x = torch.meshgrid(y, x, indexing="ij")
        return torch.stack([x, y], -1).reshape(1, -1, 2)

    def forward(self, middle, deep, logits):
        """Distances from the cells to the sides of their boxes as shares of the image, batch x cells x 4, and the
        logits of their scores, batch x cells x 2."""
        context = self.context2(F.relu(self.context1(self.dropout1(logits * 0.2))))
        value = self.low(self.dropout(self.deep(self.dropout2(deep))) + context[:, :, None, None])
        value = F.conv_transpose2d(value, self.widening, stride=2, padding=1, groups=self.width)
        value = self.shared(self.join(torch.cat([value, self.dropout(self.middle(self.dropout2(middle)))], 1)))
        scores = self.scores(self.kind(value)).permute(0, 2, 3, 1).flatten(1, 2)
        sides = torch.sigmoid(self.sides(self.place(value)).permute(0, 2, 3, 1).flatten(1, 2))
        return sides, scores


def boxes(sides, centres):
    """Corners of the boxes from their distances."""
    return torch.cat([centres - sides[..., :2], centres + sides[..., 2:]], -1)
