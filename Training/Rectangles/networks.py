"""The networks: where rectangular objects are, and how exactly a quad is the outline of one."""
import torch
from torch import nn
import torch.nn.functional as F


def conv(i, o, k=3, s=1, groups=1, act=True):
    layers = [nn.Conv2d(i, o, k, s, k // 2, groups=groups, bias=False), nn.BatchNorm2d(o)]
    return nn.Sequential(*layers, nn.ReLU(inplace=True)) if act else nn.Sequential(*layers)


class Residual(nn.Module):
    def __init__(self, c):
        super().__init__()
        self.first, self.second = conv(c, c), conv(c, c, act=False)

    def forward(self, x):
        return F.relu(x + self.second(self.first(x)))


class Inverted(nn.Module):
    def __init__(self, i, o, s=1):
        super().__init__()
        self.wide, self.spatial = conv(i, 2 * i, 1), conv(2 * i, 2 * i, 5, s, 2 * i)
        self.mix = conv(2 * i, o, 1, act=False)
        self.keeps = i == o and s == 1

    def forward(self, x):
        y = self.mix(self.spatial(self.wide(x)))
        return x + y if self.keeps else y


class Proposals(nn.Module):
    """Images N x 3 x 160 x 160 -> logits N x 1 x 20 x 20 of "the centre of an object is near", and corners
    N x 8 x 20 x 20 from the middle of the cell in units of 80 pixels."""

    def __init__(self):
        super().__init__()
        self.stem1, self.stem2, self.res2 = conv(3, 16, s=2), conv(16, 32, s=2), Residual(32)
        self.down3, self.res3 = conv(32, 48, s=2), Residual(48)
        self.down4, self.mid4 = Inverted(48, 64, 2), nn.Sequential(*[Inverted(64, 64) for _ in range(3)])
        self.down5, self.mid5 = Inverted(64, 96, 2), nn.Sequential(*[Inverted(96, 96) for _ in range(2)])
        self.side5, self.top4 = conv(96, 64, 1, act=False), Inverted(64, 64)
        self.side4, self.top3 = conv(64, 48, 1, act=False), nn.Sequential(Residual(48), Residual(48))
        self.score, self.corners = nn.Conv2d(48, 1, 1), nn.Conv2d(48, 8, 1)
        nn.init.constant_(self.score.bias, -3)

    def forward(self, x):
        c3 = self.res3(self.down3(self.res2(self.stem2(self.stem1(x)))))
        c4 = self.mid4(self.down4(c3))
        c5 = self.mid5(self.down5(c4))
        p4 = self.top4(c4 + F.interpolate(self.side5(c5), scale_factor=2))
        p3 = self.top3(c3 + F.interpolate(self.side4(p4), scale_factor=2))
        return self.score(p3), self.corners(p3)


class Crop(nn.Module):
    """Rectified quads N x 3 x 64 x 64 -> N x outputs."""

    def __init__(self, outputs):
        super().__init__()
        self.layers = nn.Sequential(
            conv(3, 16, 5, 2), conv(16, 32, s=2), conv(32, 48), conv(48, 64, s=2), conv(64, 64), conv(64, 64, s=2))
        self.fc1, self.fc2 = nn.Linear(1024, 96), nn.Linear(96, outputs)

    def forward(self, x):
        return self.fc2(F.relu(self.fc1(self.layers(x).flatten(1))))


class Verifier(Crop):
    """N x 10: logits of "a thing's outline is near" and "this is it", and the eight offsets of its corners in units of
    the quad's side."""

    def __init__(self):
        super().__init__(10)


class Refinement(Crop):
    """N x 27, from images with more around the quad: three proposals of the outline, a logit and eight offsets
    of each."""

    OUTLINES = 3

    def __init__(self):
        super().__init__(9 * self.OUTLINES)
