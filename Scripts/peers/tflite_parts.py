"""TensorFlow Lite models for LiteRT, which has no Convolution2DTransposeBias: a model with it is split in three: the
part before it, the operator itself in NumPy, and the part after it."""

import copy
import struct

import flatbuffers
import numpy as np
from ai_edge_litert import schema_py_generated as schema
from ai_edge_litert.interpreter import Interpreter, OpResolverType


class Part:
    """A part that LiteRT runs."""

    def __init__(self, content):
        self.content = content
        self.interpreter = Interpreter(
            model_content=content, num_threads=1, experimental_op_resolver_type=OpResolverType.AUTO
        )
        self.interpreter.allocate_tensors()
        self.inputs = {
            given["name"]: ([int(n) for n in given["shape"]], given["dtype"])
            for given in self.interpreter.get_input_details()
        }

    def run(self, inputs):
        for given in self.interpreter.get_input_details():
            self.interpreter.set_tensor(given["index"], inputs[given["name"]])
        self.interpreter.invoke()
        return {
            out["name"]: self.interpreter.get_tensor(out["index"]).copy()
            for out in self.interpreter.get_output_details()
        }


class TransposedConvolution:
    """Adds, for each element of the input, its multiple of the kernel to the output around its position."""

    def __init__(self, source, target, shape, kernel, bias, options):
        self.source, self.target, self.shape = source, target, shape
        # height, width, input channels, output channels
        self.kernel = kernel.transpose(1, 2, 3, 0).astype(np.float64)
        self.bias = bias.astype(np.float64)
        padding, self.stride_x, self.stride_y = struct.unpack("<iii", options[:12])
        self.same = {1: True, 2: False}[padding]

    def run(self, inputs):
        source = inputs[self.source].astype(np.float64)
        count, height, width, _ = source.shape
        rows, columns, _, channels = self.kernel.shape
        full = np.zeros((count, (height - 1) * self.stride_y + rows, (width - 1) * self.stride_x + columns, channels))
        for y in range(height):
            for x in range(width):
                part = np.einsum("nc,ijco->nijo", source[:, y, x], self.kernel)
                full[:, y * self.stride_y :, x * self.stride_x :][:, :rows, :columns] += part
        if self.same:
            # The part that the image enlarged by the stride covers; an odd row more is cut off below.
            wanted = height * self.stride_y, width * self.stride_x
            grown = np.zeros((count, max(full.shape[1], wanted[0]), max(full.shape[2], wanted[1]), channels))
            top, left = (max(full.shape[1 + axis] - wanted[axis], 0) // 2 for axis in (0, 1))
            grown[:, : full.shape[1], : full.shape[2]] = full
            full = grown[:, top : top + wanted[0], left : left + wanted[1]]
        assert list(full.shape) == self.shape, (full.shape, self.shape)
        return {self.target: (full + self.bias).astype(inputs[self.source].dtype)}


def load(content):
    """The parts of a model, to be run one after the other."""
    model = schema.ModelT.InitFromObj(schema.Model.GetRootAsModel(bytearray(content), 0))
    graph = model.subgraphs[0]
    custom = [n for n, operator in enumerate(graph.operators) if code(model, operator).customCode]
    if not custom:
        return [Part(content)]
    names = {code(model, graph.operators[n]).customCode.decode() for n in custom}
    if names != {"Convolution2DTransposeBias"} or len(custom) != 1:
        raise RuntimeError(f"LiteRT does not have {', '.join(sorted(names))}")
    [index] = custom
    operator = graph.operators[index]
    image, kernel, bias = (int(n) for n in operator.inputs)
    [output] = (int(n) for n in operator.outputs)

    def name(tensor):
        return graph.tensors[tensor].name.decode()

    before = cut(model, graph.operators[:index], graph.inputs, [image])
    after = cut(model, graph.operators[index + 1 :], [output], graph.outputs)
    middle = TransposedConvolution(
        name(image), name(output), [int(n) for n in graph.tensors[output].shape],
        constant(model, graph, kernel), constant(model, graph, bias), bytes(bytearray(operator.customOptions)),
    )  # fmt: skip
    return [Part(before), middle, Part(after)]


def code(model, operator):
    return model.operatorCodes[operator.opcodeIndex]


def constant(model, graph, tensor):
    """The values of a constant, also of one that is stored in half precision and widened by an operator."""
    for operator in graph.operators:
        if tensor in operator.outputs:
            [tensor] = (int(n) for n in operator.inputs)
            break
    described = graph.tensors[tensor]
    kind = {0: np.float32, 1: np.float16}[described.type]
    return np.frombuffer(bytes(bytearray(model.buffers[described.buffer].data)), kind).reshape(described.shape)


def cut(model, operators, inputs, outputs):
    """The same model with some of its operators, and other ends."""
    part = copy.copy(model)
    graph = copy.copy(model.subgraphs[0])
    graph.operators, graph.inputs, graph.outputs = operators, list(inputs), list(outputs)
    part.subgraphs = [graph]
    part.signatureDefs, part.metadata = [], []
    builder = flatbuffers.Builder(1 << 20)
    builder.Finish(part.Pack(builder), b"TFL3")
    return bytes(builder.Output())
