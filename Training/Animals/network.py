"""The network that finds cats and dogs: EfficientNet-Lite2 without its classifier, and a head.

needs: numpy, onnx, torch
"""
import pathlib

import onnx
import torch
import torch.nn.functional as F
from onnx import numpy_helper
from torch import nn

WIDTH = 96
# Cell j of the outputs sees the input around pixel 16 j + FIRST.
FIRST, STRIDE = 3.5, 16
# Maps of the backbone by their stride, and their channels.
MAPS = {8: ("block6.add", 48), 16: ("block14.add", 120), 32: ("block20.project", 352)}


class Backbone(nn.Module):
    """The layers of the ONNX file up to the last of the maps, with its weights to start from."""

    def __init__(self, store):
        super().__init__()
        model = onnx.load(str(pathlib.Path(store) / "efficientnet-lite2" / "efficientnet_lite2.onnx"))
        weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in model.graph.initializer}
        self.layers, self.steps = nn.ModuleDict(), []
        for node in model.graph.node:
            if node.op_type == "Conv":
                numbers = {a.name: list(a.ints) or a.i for a in node.attribute}
                self.layers[node.name.replace(".", "_")] = self.convolution(
                    weights[node.input[1]], weights[node.input[2]], numbers)
            self.steps.append((node.op_type, node.name.replace(".", "_"), list(node.input), node.output[0]))
            if node.output[0] == MAPS[32][0]:
                break

    @staticmethod
    def convolution(weight, bias, numbers):
        outputs, inputs, size, _ = weight.shape
        groups = numbers["group"]
        top, left, bottom, right = numbers["pads"]
        layer = nn.Conv2d(inputs * groups, outputs, size, numbers["strides"][0], top, groups=groups)
        layer.weight.data, layer.bias.data = torch.tensor(weight), torch.tensor(bias)
        more = (0, right - left, 0, bottom - top)
        return nn.Sequential(nn.ZeroPad2d(more), layer) if any(more) else layer

    def forward(self, image):
        """The maps of images, N x 3 x rows x columns of (value - 127) / 128, the largest first."""
        values = {"image": image}
        for kind, name, inputs, output in self.steps:
            if kind == "Conv":
                values[output] = self.layers[name](values[inputs[0]])
            elif kind == "Clip":
                values[output] = F.relu6(values[inputs[0]])
            else:
                values[output] = values[inputs[0]] + values[inputs[1]]
        return [values[name] for name, _ in MAPS.values()]


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


def widening():
    """Weights of a transposed convolution that interpolates the map of stride 32 at the cells of that of stride 16:
    cell 2 j of this lies at cell j of that, and the maps end together."""
    line = torch.tensor([0.5, 1, 0.5])
    return torch.outer(line, line)


class Head(nn.Module):
    def __init__(self, width=WIDTH, dropout=0.1):
        super().__init__()
        self.width = width
        self.fine = layer(MAPS[8][1], 32)
        self.shrink = nn.Sequential(nn.Conv2d(32, 32, 3, 2, 1, groups=32, bias=False), nn.BatchNorm2d(32), nn.ReLU())
        self.middle = layer(MAPS[16][1], 64)
        self.deep = layer(MAPS[32][1], width)
        self.context = nn.Linear(width, width)
        self.low = nn.Sequential(Block(width), Block(width))
        self.join = layer(width + 64 + 32, width)
        self.shared = Block(width)
        self.kind = Block(width)
        self.place = Block(width)
        self.scores = nn.Conv2d(width, 2, 1)
        self.sides = nn.Conv2d(width, 4, 1)
        self.dropout = nn.Dropout2d(dropout)
        self.register_buffer("widening", widening().expand(width, 1, 3, 3).contiguous())
        nn.init.constant_(self.scores.bias, -5)
        nn.init.constant_(self.sides.bias, -1.5)

    def forward(self, fine, middle, deep):
        deep = self.deep(self.dropout(deep))
        value = self.low(deep + self.context(deep.mean((2, 3)))[:, :, None, None])
        value = F.conv_transpose2d(value, self.widening, stride=2, padding=1, groups=self.width)
        fine = self.shrink(self.fine(self.dropout(fine)))
        value = self.shared(self.join(torch.cat([value, self.middle(self.dropout(middle)), fine], 1)))
        scores = self.scores(self.kind(value)).permute(0, 2, 3, 1).flatten(1, 2)
        sides = torch.sigmoid(self.sides(self.place(value)).permute(0, 2, 3, 1).flatten(1, 2))
        return sides, scores


class Animals(nn.Module):
    def __init__(self, store):
        super().__init__()
        self.backbone = Backbone(store)
        self.head = Head()

    def forward(self, image):
        """Distances from the cells to the sides of their boxes as shares of the image, batch x cells x 4, and the
        logits of their scores, batch x cells x 2."""
        return self.head(*self.backbone(image))


def centres(rows, columns, size):
    """x and y of the cells' middles as shares of an image of a size (rows, columns)."""
    y = (FIRST + STRIDE * torch.arange(rows)) / size[0]
    x = (FIRST + STRIDE * torch.arange(columns)) / size[1]
    y, x = torch.meshgrid(y, x, indexing="ij")
    return torch.stack([x, y], -1).reshape(1, -1, 2)


def boxes(sides, centres):
    """Corners of the boxes from their distances."""
    return torch.cat([centres - sides[..., :2], centres + sides[..., 2:]], -1)
