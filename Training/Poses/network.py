"""A network of a TensorFlow Lite file as layers of PyTorch, in floats and in the bytes that the library would run.

needs: numpy, tflite, torch
"""
import pathlib

import numpy as np
import tflite
import torch
import torch.nn.functional as F
from tflite import ActivationFunctionType, BuiltinOperator, DimensionType, Padding

KINDS = {number: name for name, number in vars(BuiltinOperator).items() if isinstance(number, int)}
CONVOLUTIONS = ("CONV_2D", "DEPTHWISE_CONV_2D")
# What gives each channel on as it is.
BY_CHANNEL = ("PAD", "MAX_POOL_2D", "RESIZE_BILINEAR")


def stored(model, tensor):
    """The constant of a tensor as floats or integers; None where it is computed."""
    data = model.Buffers(tensor.Buffer()).DataAsNumpy()
    if isinstance(data, int):
        return None
    kind = {0: np.float32, 1: np.float16, 2: np.int32}[tensor.Type()]
    values = np.frombuffer(data.tobytes(), kind)
    shape = tensor.ShapeAsNumpy()
    sparsity = tensor.Sparsity()
    return values.reshape(shape) if sparsity is None else dense(values, shape, sparsity)


def dense(values, shape, sparsity):
    """The values of a sparse tensor in their places: no blocks, axes in their order."""
    if sparsity.BlockMapLength() or list(sparsity.TraversalOrderAsNumpy()) != list(range(len(shape))):
        raise ValueError("sparse weights in blocks")
    result, taken = np.zeros(int(np.prod(shape)), values.dtype), 0

    def integers(owner, kind, method):
        table = getattr(owner, method)()
        vector = {1: tflite.Int32Vector, 2: tflite.Uint16Vector, 3: tflite.Uint8Vector}[kind]()
        vector.Init(table.Bytes, table.Pos)
        return vector.ValuesAsNumpy()

    axes = []
    for axis in range(len(shape)):
        entry = sparsity.DimMetadata(axis)
        if entry.Format() == DimensionType.DENSE:
            axes.append(None)
        else:
            axes.append((integers(entry, entry.ArraySegmentsType(), "ArraySegments"),
                         integers(entry, entry.ArrayIndicesType(), "ArrayIndices")))

    def visit(axis, place, position):
        nonlocal taken
        if axis == len(shape):
            result[position] = values[taken]
            taken += 1
            return
        if axes[axis] is None:
            for index in range(shape[axis]):
                visit(axis + 1, place * shape[axis] + index, position * shape[axis] + index)
        else:
            segments, indices = axes[axis]
            for entry in range(segments[place], segments[place + 1]):
                visit(axis + 1, entry, position * shape[axis] + int(indices[entry]))

    visit(0, 0, 0)
    return result.reshape(shape)


def activated(value, activation):
    if activation == ActivationFunctionType.RELU6:
        return F.relu6(value)
    return F.relu(value) if activation == ActivationFunctionType.RELU else value


def options(node, kind):
    made = kind()
    made.Init(node.BuiltinOptions().Bytes, node.BuiltinOptions().Pos)
    return made


class Step:
    """An operator: its kind, the numbers of the tensors that it reads and of the one that it makes."""

    def __init__(self, kind, inputs, output):
        self.kind, self.inputs, self.output = kind, inputs, output
        self.activation, self.weight, self.bias = ActivationFunctionType.NONE, None, None

    def convolved(self, value, weight, bias):
        """The result without the activation."""
        top, bottom, left, right = self.padding
        if (top, left) != (bottom, right):
            value, padding = F.pad(value, (left, right, top, bottom)), 0
        else:
            padding = (top, left)
        return F.conv2d(value, weight, bias, self.stride, padding, groups=self.groups)

    def followed(self, values):
        """The result of another operator than a convolution."""
        if self.kind == "ADD":
            return activated(values[0] + values[1], self.activation)
        if self.kind == "PAD":
            return F.pad(values[0], (self.around[2][0], self.around[2][1], self.around[1][0], self.around[1][1]))
        if self.kind == "MAX_POOL_2D":
            return F.max_pool2d(values[0], 2)
        if self.kind == "RESIZE_BILINEAR":
            return F.interpolate(values[0], self.size, mode="bilinear", align_corners=self.corners)
        if self.kind == "DEPTH_TO_SPACE":
            # The format has the channels of a pixel of the result beside each other.
            n, c, h, w = values[0].shape
            b = self.block
            value = values[0].reshape(n, b, b, c // b // b, h, w).permute(0, 3, 4, 1, 5, 2)
            return value.reshape(n, c // b // b, h * b, w * b)
        raise ValueError(f"{self.kind} is not known")


class Network:
    """The steps from the image to the tensors that reshapes and logistic functions turn into outputs."""

    def __init__(self, path):
        model = tflite.Model.GetRootAsModel(pathlib.Path(path).read_bytes(), 0)
        graph = model.Subgraphs(0)
        self.input = int(graph.InputsAsNumpy()[0])
        self.side = int(graph.Tensors(self.input).ShapeAsNumpy()[1])
        self.names = [graph.Tensors(number).Name().decode() for number in range(graph.TensorsLength())]
        self.steps, constants, last = [], {}, {}
        for index in range(graph.OperatorsLength()):
            node = graph.Operators(index)
            code = model.OperatorCodes(node.OpcodeIndex())
            kind = KINDS[max(code.BuiltinCode(), code.DeprecatedBuiltinCode())]
            inputs = [int(number) for number in node.InputsAsNumpy()]
            output = int(node.OutputsAsNumpy()[0])
            for number in inputs:
                if number not in constants:
                    constants[number] = stored(model, graph.Tensors(number))
            if kind in ("DEQUANTIZE", "DENSIFY"):
                constants[output] = constants[inputs[0]].astype(np.float32)
            elif kind in ("RESHAPE", "LOGISTIC", "CONCATENATION"):
                last[output] = inputs
            else:
                self.steps.append(self.step(kind, node, inputs, output, constants, graph))
        made = {step.output for step in self.steps}

        def sources(number):
            return [number] if number in made else [one for n in last.get(number, []) for one in sources(n)]

        self.outputs = [source for number in graph.OutputsAsNumpy() for source in sources(int(number))]
        self.keep_needed()

    @staticmethod
    def step(kind, node, inputs, output, constants, graph):
        step = Step(kind, [number for number in inputs if constants.get(number) is None], output)
        if kind in CONVOLUTIONS:
            settings = options(node, tflite.DepthwiseConv2DOptions if "DEPTH" in kind else tflite.Conv2DOptions)
            weight = constants[inputs[1]]
            weight = weight.transpose(3, 0, 1, 2) if "DEPTH" in kind else weight.transpose(0, 3, 1, 2)
            step.weight = torch.tensor(np.ascontiguousarray(weight).astype(np.float32))
            step.bias = torch.tensor(constants[inputs[2]].astype(np.float32).reshape(-1))
            step.stride, step.activation = settings.StrideH(), settings.FusedActivationFunction()
            step.groups = len(weight) if "DEPTH" in kind else 1
            side, kernel = int(graph.Tensors(inputs[0]).ShapeAsNumpy()[1]), weight.shape[-1]
            total = max(0, (-(-side // step.stride) - 1) * step.stride + kernel - side)
            total = total if settings.Padding() == Padding.SAME else 0
            step.padding = (total // 2, total - total // 2) * 2
        elif kind == "ADD":
            step.activation = options(node, tflite.AddOptions).FusedActivationFunction()
        elif kind == "PAD":
            step.around = constants[inputs[1]]
        elif kind == "RESIZE_BILINEAR":
            settings = options(node, tflite.ResizeBilinearOptions)
            step.size, step.corners = [int(n) for n in constants[inputs[1]]], bool(settings.AlignCorners())
        elif kind == "DEPTH_TO_SPACE":
            step.block = options(node, tflite.DepthToSpaceOptions).BlockSize()
        return step

    def keep_needed(self):
        needed, kept = set(self.outputs), []
        for step in reversed(self.steps):
            if step.output in needed:
                needed.update(step.inputs)
                kept.append(step)
        self.steps = kept[::-1]

    def run(self, image, see=None):
        """The outputs by their numbers; `see` is shown every tensor with its number."""
        values = {self.input: image}
        for step in self.steps:
            inputs = [values[number] for number in step.inputs]
            if step.kind in CONVOLUTIONS:
                value = activated(step.convolved(inputs[0], step.weight, step.bias), step.activation)
            else:
                value = step.followed(inputs)
            values[step.output] = value
            if see:
                see(step.output, value)
        return {number: values[number] for number in self.outputs}
