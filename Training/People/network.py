"""The network that detects people: YOLOX-nano with one class and a second box, the upper body, per anchor.

YOLOX-nano (Ge et al. 2021, Apache-2.0, github.com/Megvii-BaseDetection/YOLOX) is written anew here, with the batch
norms folded into the convolutions, and takes its weights from the published ONNX file.

needs: numpy, onnx, torch
"""
import numpy as np
import onnx
import torch
from onnx import numpy_helper
from torch import nn
from torch.nn import functional

STRIDES = (8, 16, 32)
# What surrounds an image that does not fill the input.
PADDING = 114
PERSON = 0
# The sides of inputs are multiples of the largest stride; the largest area keeps the time below 1.2 times that of
# YOLOX-nano with 416 x 416.
LARGEST_AREA = 448 * 448


def input_size(width, height):
    """Returns the input size, width and height, in which an image is largest.

    The image is scaled by min(W / width, H / height) and lies in the top-left corner; the rest is PADDING.
    """
    best = None
    for columns in range(7, 29):
        for rows in range(7, 29):
            w, h = 32 * columns, 32 * rows
            if w * h <= LARGEST_AREA:
                key = (min(w / width, h / height), -w * h)
                if best is None or key > best[0]:
                    best = (key, (w, h))
    return best[1]


class Conv(nn.Module):
    """A convolution with SiLU."""

    def __init__(self, inputs, outputs, kernel=1, stride=1, groups=1):
        super().__init__()
        self.conv = nn.Conv2d(inputs, outputs, kernel, stride, kernel // 2, groups=groups)

    def forward(self, value):
        return functional.silu(self.conv(value))


class Separable(nn.Sequential):
    """A depthwise 3 x 3 convolution and a pointwise one."""

    def __init__(self, inputs, outputs, stride=1):
        super().__init__(Conv(inputs, inputs, 3, stride, inputs), Conv(inputs, outputs))


class Residual(nn.Module):
    def __init__(self, width, shortcut):
        super().__init__()
        self.reduce = Conv(width, width)
        self.mix = Separable(width, width)
        self.shortcut = shortcut

    def forward(self, value):
        mixed = self.mix(self.reduce(value))
        return mixed + value if self.shortcut else mixed


class Stage(nn.Module):
    """A cross-stage partial block."""

    def __init__(self, inputs, outputs, count, shortcut=True):
        super().__init__()
        half = outputs // 2
        self.left, self.right = Conv(inputs, half), Conv(inputs, half)
        self.blocks = nn.Sequential(*(Residual(half, shortcut) for _ in range(count)))
        self.join = Conv(outputs, outputs)

    def forward(self, value):
        return self.join(torch.cat((self.blocks(self.left(value)), self.right(value)), 1))


class Pooling(nn.Module):
    """Spatial pyramid pooling."""

    def __init__(self, inputs, outputs):
        super().__init__()
        self.reduce, self.join = Conv(inputs, inputs // 2), Conv(inputs * 2, outputs)

    def forward(self, value):
        value = self.reduce(value)
        pooled = [functional.max_pool2d(value, kernel, 1, kernel // 2) for kernel in (5, 9, 13)]
        return self.join(torch.cat([value, *pooled], 1))


class Backbone(nn.Module):
    def __init__(self):
        super().__init__()
        self.stem = Conv(12, 16, 3)
        self.stage2 = nn.Sequential(Separable(16, 32, 2), Stage(32, 32, 1))
        self.stage3 = nn.Sequential(Separable(32, 64, 2), Stage(64, 64, 3))
        self.stage4 = nn.Sequential(Separable(64, 128, 2), Stage(128, 128, 3))
        self.stage5 = nn.Sequential(Separable(128, 256, 2), Pooling(256, 256), Stage(256, 256, 1, False))

    def fine(self, pixels):
        """Returns the map of stride 8."""
        corners = [pixels[..., y::2, x::2] for x in (0, 1) for y in (0, 1)]
        return self.stage3(self.stage2(self.stem(torch.cat(corners, 1))))

    def rest(self, fine):
        """Returns the maps of strides 8, 16 and 32."""
        middle = self.stage4(fine)
        return fine, middle, self.stage5(middle)

    def forward(self, pixels):
        return self.rest(self.fine(pixels))


class Neck(nn.Module):
    """A path aggregation network."""

    def __init__(self):
        super().__init__()
        self.lateral = Conv(256, 128)
        self.down_middle = Stage(256, 128, 1, False)
        self.reduce = Conv(128, 64)
        self.down_fine = Stage(128, 64, 1, False)
        self.shrink_fine = Separable(64, 64, 2)
        self.up_middle = Stage(128, 128, 1, False)
        self.shrink_middle = Separable(128, 128, 2)
        self.up_coarse = Stage(256, 256, 1, False)

    def forward(self, fine, middle, coarse):
        def larger(value):
            return functional.interpolate(value, scale_factor=2, mode="nearest")

        coarse = self.lateral(coarse)
        middle = self.reduce(self.down_middle(torch.cat((larger(coarse), middle), 1)))
        fine = self.down_fine(torch.cat((larger(middle), fine), 1))
        middle = self.up_middle(torch.cat((self.shrink_fine(fine), middle), 1))
        return fine, middle, self.up_coarse(torch.cat((self.shrink_middle(middle), coarse), 1))


class Head(nn.Module):
    """The outputs of one map; `classes` is 80 for the original network, which has no second box."""

    def __init__(self, inputs, classes=1):
        super().__init__()
        self.stem = Conv(inputs, 64)
        self.kind = nn.Sequential(Separable(64, 64), Separable(64, 64))
        self.class_score = nn.Conv2d(64, classes, 1)
        self.place = nn.Sequential(Separable(64, 64), Separable(64, 64))
        self.box = nn.Conv2d(64, 4, 1)
        self.objectness = nn.Conv2d(64, 1, 1)

    def forward(self, value):
        value = self.stem(value)
        kind, place = self.kind(value), self.place(value)
        return self.box(place), self.objectness(place), self.class_score(kind)


class PersonHead(Head):
    """A head with a second branch, for upper bodies, that starts as a copy of the first."""

    def __init__(self, inputs):
        super().__init__(inputs)
        self.upper = nn.Sequential(Separable(64, 64), Separable(64, 64))
        self.upper_box = nn.Conv2d(64, 4, 1)
        self.upper_objectness = nn.Conv2d(64, 1, 1)

    def copy_branch(self):
        for copy, source in ((self.upper, self.place), (self.upper_box, self.box),
                             (self.upper_objectness, self.objectness)):
            copy.load_state_dict(source.state_dict())

    def forward(self, value):
        value = self.stem(value)
        kind, place, upper = self.kind(value), self.place(value), self.upper(value)
        outputs = (self.box(place), self.upper_box(upper), self.objectness(place), self.upper_objectness(upper),
                   self.class_score(kind))
        return torch.cat(outputs, 1)


class Original(nn.Module):
    """YOLOX-nano as it is published: 80 classes, boxes not decoded."""

    def __init__(self):
        super().__init__()
        self.backbone, self.neck = Backbone(), Neck()
        self.heads = nn.ModuleList(Head(width, 80) for width in (64, 128, 256))

    def forward(self, pixels):
        rows = []
        for head, value in zip(self.heads, self.neck(*self.backbone(pixels))):
            box, objectness, scores = head(value)
            rows.append(torch.cat((box, objectness.sigmoid(), scores.sigmoid()), 1).flatten(2))
        return torch.cat(rows, 2).transpose(1, 2)


class People(nn.Module):
    """The network that is trained: of each anchor 11 numbers, see `split`."""

    def __init__(self):
        super().__init__()
        self.backbone, self.neck = Backbone(), Neck()
        self.heads = nn.ModuleList(PersonHead(width) for width in (64, 128, 256))

    def forward(self, pixels):
        rows = [head(value).flatten(2) for head, value in zip(self.heads, self.neck(*self.backbone(pixels)))]
        return torch.cat(rows, 2).transpose(1, 2)


def load_original(path):
    """Returns YOLOX-nano with the weights of the published ONNX file, whose convolutions come in order."""
    graph = onnx.load(path).graph
    weights = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    stored = [[weights[name] for name in node.input[1:3]] for node in graph.node if node.op_type == "Conv"]
    network = Original()
    layers = [module for module in network.modules() if isinstance(module, nn.Conv2d)]
    # The file has the head's class output before the branch of boxes, as `Head` has.
    if len(stored) != len(layers):
        raise ValueError(f"{path} has {len(stored)} convolutions instead of {len(layers)}")
    for layer, (weight, bias) in zip(layers, stored):
        if tuple(layer.weight.shape) != weight.shape:
            raise ValueError(f"{path} is not YOLOX-nano: a weight is {weight.shape}, not {tuple(layer.weight.shape)}")
        layer.weight.data = torch.from_numpy(np.array(weight))
        layer.bias.data = torch.from_numpy(np.array(bias))
    return network.eval()


def from_original(original):
    """Returns the network to train: the class output of people only, the branch of upper bodies a copy."""
    network = People()
    state = original.state_dict()
    for name in list(state):
        if ".class_score." in name:
            state[name] = state[name][PERSON : PERSON + 1]
    missing, unexpected = network.load_state_dict(state, strict=False)
    if unexpected or any(".upper" not in name for name in missing):
        raise ValueError("the networks do not fit each other")
    for head in network.heads:
        head.copy_branch()
    return network


def anchors(height, width):
    """Returns the top-left corner of each anchor in units of its stride, and its stride: N x 2, N x 1."""
    points, strides = [], []
    for stride in STRIDES:
        rows, columns = height // stride, width // stride
        y, x = torch.meshgrid(torch.arange(rows), torch.arange(columns), indexing="ij")
        points.append(torch.stack((x, y), 2).reshape(-1, 2).float())
        strides.append(torch.full((rows * columns, 1), float(stride)))
    return torch.cat(points), torch.cat(strides)


def decoded(raw, points, strides):
    """Returns boxes as x1, y1, x2, y2 in pixels of the input."""
    center = (raw[..., :2] + points) * strides
    half = raw[..., 2:].clamp(max=8).exp() * strides / 2
    return torch.cat((center - half, center + half), -1)


def scored(logits):
    """Returns the scores of whole and upper bodies; logits: objectness, upper objectness, person.

    The roots make one confidence mean about the same share of false boxes for both.
    """
    chances = logits.sigmoid()
    whole, upper = chances[..., :2].mul(chances[..., 2:]).split(1, -1)
    return torch.cat((whole.sqrt(), upper.pow(1 / 3)), -1)


def split(rows, points, strides):
    """Returns whole boxes, upper boxes, and the logits: objectness, upper objectness, person."""
    return decoded(rows[..., :4], points, strides), decoded(rows[..., 4:8], points, strides), rows[..., 8:11]
