"""The two saliency heads: decoders of the backbone's feature maps.

needs: torch
"""
import torch
import torch.nn.functional as F
from torch import nn

# Channels of the maps that features.py names.
CHANNELS = {"quarter": 24, "fine": 48, "middle": 120, "end": 352}
SIDES = {"quarter": 65, "fine": 33, "middle": 17, "end": 9}
OUTPUT_SIDE = 68


class Unit(nn.Module):
    """Convolution, batch norm, ReLU."""

    def __init__(self, inputs, outputs, side=1, dilation=1, groups=1, act=True):
        super().__init__()
        self.conv = nn.Conv2d(
            inputs, outputs, side, padding=side // 2 * dilation, dilation=dilation, groups=groups, bias=False)
        self.norm = nn.BatchNorm2d(outputs)
        self.act = nn.ReLU() if act else nn.Identity()

    def forward(self, value):
        return self.act(self.norm(self.conv(value)))


class Residual(nn.Module):
    """A 3 x 3 convolution with a shortcut."""

    def __init__(self, channels):
        super().__init__()
        self.unit = Unit(channels, channels, 3, act=False)

    def forward(self, value):
        return F.relu(value + self.unit(value))


class Context(nn.Module):
    """Adds what the whole image holds to each position."""

    def __init__(self, channels):
        super().__init__()
        self.first = nn.Conv2d(channels, channels // 2, 1)
        self.second = nn.Conv2d(channels // 2, channels, 1)

    def forward(self, value):
        mean = F.adaptive_avg_pool2d(value, 1)
        return value + self.second(F.relu(self.first(mean)))


def resized(value, side):
    if value.shape[-1] == side:
        return value
    return F.interpolate(value, size=(side, side), mode="bilinear", align_corners=False)


class Decoder(nn.Module):
    """From the coarsest level to the finest: upsampled, joined with the next level, refined by 3 x 3 convolutions.

    plan: for each level, coarsest first, (level, width, number of residual convolutions). dropout: the share of the
    backbone's channels that are left out in training.
    """

    def __init__(self, plan, bias=False, dropout=0.0):
        super().__init__()
        self.dropout = nn.Dropout2d(dropout) if dropout else nn.Identity()
        self.levels = [level for level, _, _ in plan]
        self.laterals, self.joints, self.bodies, self.sides = (nn.ModuleList() for _ in range(4))
        below = 0
        for level, width, depth in plan:
            self.laterals.append(Unit(CHANNELS[level], width))
            # The 1 x 1 convolution of the coarser map runs before the upsampling, where it is four times cheaper.
            self.joints.append(Unit(below, width, act=False) if below else nn.Identity())
            body = [Context(width)] if not below else []
            self.bodies.append(nn.Sequential(*body, *(Residual(width) for _ in range(depth))))
            self.sides.append(nn.Conv2d(width, 1, 1))
            below = width
        for side in self.sides:
            nn.init.normal_(side.weight, std=0.01)
            nn.init.constant_(side.bias, -1.0)
        # A prior of position, added to the logits.
        self.prior = nn.Parameter(torch.zeros(1, 1, 9, 9)) if bias else None

    def forward(self, maps):
        """maps: level -> N x C x H x W. Returns the logits of each level, coarsest first."""
        logits, value = [], None
        for index, level in enumerate(self.levels):
            lateral = self.laterals[index](self.dropout(maps[level]))
            if value is not None:
                value = F.relu(lateral + resized(self.joints[index](value), SIDES[level]))
            else:
                value = lateral
            value = self.bodies[index](value)
            if self.sides[index] is not None:
                side = self.sides[index](value)
                if self.prior is not None:
                    side = side + resized(self.prior, SIDES[level])
                logits.append(side)
        return logits


def prune(decoder):
    """Removes the logits of all levels but the finest, in place, and computes the prior at its size."""
    for index in range(len(decoder.levels) - 1):
        decoder.sides[index] = None
    if decoder.prior is not None:
        decoder.prior = nn.Parameter(resized(decoder.prior.detach(), SIDES[decoder.levels[-1]]))


def objectness():
    return Decoder([("end", 96, 2), ("middle", 80, 2), ("fine", 48, 2), ("quarter", 16, 2)])


def attention():
    return Decoder([("end", 96, 2), ("middle", 64, 2), ("fine", 32, 1)], bias=True, dropout=0.2)


KINDS = {"objectness": objectness, "attention": attention}


class Head(nn.Module):
    """Decoders as they are exported: maps with the channels last, the mean of their maps of probabilities."""

    def __init__(self, decoders):
        super().__init__()
        self.decoders = nn.ModuleList(decoders)

    def forward(self, *maps):
        planes = {level: value.permute(0, 3, 1, 2) for level, value in zip(self.decoders[0].levels, maps)}
        values = [torch.sigmoid(resized(decoder(planes)[-1], OUTPUT_SIDE)) for decoder in self.decoders]
        return (sum(values[1:], values[0]) / len(values)).permute(0, 2, 3, 1)


def multiply_adds(decoder):
    """Returns the multiply-adds of the convolutions, from a run."""
    total = 0

    def count(layer, _, output):
        nonlocal total
        total += layer.weight.numel() * output.shape[2] * output.shape[3]

    hooks = [layer.register_forward_hook(count) for layer in decoder.modules() if isinstance(layer, nn.Conv2d)]
    training = decoder.training
    with torch.no_grad():
        decoder.eval()({level: torch.zeros(1, CHANNELS[level], SIDES[level], SIDES[level])
                        for level in decoder.levels})
    decoder.train(training)
    for hook in hooks:
        hook.remove()
    return total
