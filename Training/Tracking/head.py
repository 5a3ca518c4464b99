"""The tracker's own network: from features of the template and of the search crop to scores and boxes, 16 x 16 of
them."""
import torch
from torch import nn
import torch.nn.functional as F

IN, C, STRIDE = 240, 64, 16


def conv(i, o, k=1, groups=1, act=True):
    layers = [nn.Conv2d(i, o, k, padding=k // 2, groups=groups, bias=False), nn.BatchNorm2d(o)]
    return nn.Sequential(*layers, nn.ReLU()) if act else nn.Sequential(*layers)


class Block(nn.Module):
    """Depthwise, then by pixel, around a shortcut."""

    def __init__(self, c, k=5):
        super().__init__()
        self.spatial, self.mix = conv(c, c, k, c, act=False), conv(c, c, act=False)

    def forward(self, x):
        return F.relu(x + self.mix(F.relu(self.spatial(x))))


class Head(nn.Module):
    def __init__(self, c=C, shared=1, tower=2):
        super().__init__()
        self.zin, self.xin = conv(IN + 1, c, act=False), conv(IN, c, act=False)
        self.gate = nn.Linear(c, c)
        self.fuse = conv(64 + 2 * c, c)
        self.shared = nn.Sequential(*[Block(c) for _ in range(shared)])
        self.cls = nn.Sequential(*[Block(c) for _ in range(tower)])
        self.reg = nn.Sequential(*[Block(c) for _ in range(tower)])
        self.score, self.sides = nn.Conv2d(c, 1, 1), nn.Conv2d(c, 4, 1)
        nn.init.constant_(self.score.bias, -3)
        nn.init.normal_(self.sides.weight, std=0.01)
        nn.init.constant_(self.sides.bias, 0.7)
        self.scale = c**-0.5

    def template(self, z, mask):
        """-> kernels N x C x 64, and the gate N x C from what lies within the box."""
        f = self.zin(torch.cat([z, mask], 1))
        inside = (f * mask).sum((2, 3)) / mask.sum((2, 3)).clamp(min=0.5)
        return f.flatten(2) * self.scale, self.gate(inside)

    def forward(self, kernels, gate, x):
        """-> logits N x 1 x H x W, distances to left, top, right, bottom in cells N x 4 x H x W"""
        x = self.xin(x)
        n, c, h, w = x.shape
        corr = torch.bmm(kernels.transpose(1, 2), x.flatten(2)).reshape(n, 64, h, w)
        x = self.shared(self.fuse(torch.cat([corr, x * gate[:, :, None, None], x], 1)))
        return self.score(self.cls(x)), torch.exp(self.sides(self.reg(x)).clamp(-4, 3))


def box_mask(w, h):
    """How much of each of the template's 8 x 8 cells lies within the box; `w`, `h`: N, in pixels of the template."""
    edge = torch.arange(8) * 16.0 - 64

    def cover(side):
        low, high = -side[:, None] / 2, side[:, None] / 2
        return ((torch.minimum(high, edge + 16) - torch.maximum(low, edge)).clamp(min=0) / 16)

    return (cover(h)[:, :, None] * cover(w)[:, None, :])[:, None]


def decode(sides):
    """Distances in cells -> boxes x1 y1 x2 y2 in pixels of the crop, N x 4 x H x W."""
    n, _, h, w = sides.shape
    y, x = torch.meshgrid(torch.arange(h) + 0.5, torch.arange(w) + 0.5, indexing="ij")
    return torch.stack([x - sides[:, 0], y - sides[:, 1], x + sides[:, 2], y + sides[:, 3]], 1) * STRIDE
