"""Writes networks that were trained with PyTorch as the ONNX files that are built into the library.

needs: numpy, onnx, torch
"""
import io

import numpy as np
import onnx
import torch
from onnx import helper, numpy_helper
from torch import nn
from torch.nn.utils.fusion import fuse_conv_bn_eval

OPSET = 13
# Half precision ends at 65504.
LARGEST = 60000


def fused(module):
    """Folds batch norms into the convolutions before them, in place, and returns the module."""
    module.eval()
    for parent in list(module.modules()):
        children = list(parent.named_children())
        for (name, layer), (next_name, following) in zip(children, children[1:]):
            if isinstance(layer, nn.Conv2d) and isinstance(following, nn.BatchNorm2d):
                setattr(parent, name, fuse_conv_bn_eval(layer, following))
                setattr(parent, next_name, nn.Identity())
    return module


class Flattened(nn.Module):
    """A linear layer over a map, N x C x H x W, that is flattened with the channels last, as the engine keeps it.

    The weights are those of a layer over a map that was flattened with the channels first.
    """

    def __init__(self, linear, channels):
        super().__init__()
        outputs, inputs = linear.weight.shape
        self.inputs = inputs
        self.linear = nn.Linear(inputs, outputs)
        weight = linear.weight.detach().reshape(outputs, channels, inputs // channels).permute(0, 2, 1)
        self.linear.weight = nn.Parameter(weight.reshape(outputs, inputs).contiguous())
        self.linear.bias = nn.Parameter(linear.bias.detach())

    def forward(self, value):
        return self.linear(value.permute(0, 2, 3, 1).reshape(-1, self.inputs))


class Pixels(nn.Module):
    """A network that takes its image as N x H x W x C, as the engine keeps it."""

    def __init__(self, network):
        super().__init__()
        self.network = network

    def forward(self, pixels):
        return self.network(pixels.permute(0, 3, 1, 2))


def stored(tensor, values):
    """Nodes that compute a tensor of floats, and the tensors that they compute it from."""
    if not np.isfinite(values).all() or np.abs(values).max() >= LARGEST:
        raise ValueError(f"{tensor} does not fit half precision")
    half = numpy_helper.from_array(values.astype(np.float16), tensor + ".half")
    return [helper.make_node("Cast", [half.name], [tensor], name=tensor, to=onnx.TensorProto.FLOAT)], [half]


def stored_as_bytes(tensor, values):
    """The same with a scale for each output channel of a layer's weights."""
    scales = np.abs(values).reshape(len(values), -1).max(1).clip(1e-12).reshape(-1, *[1] * (values.ndim - 1)) / 127
    whole = numpy_helper.from_array(np.rint(values / scales).astype(np.int8), tensor + ".byte")
    scale = numpy_helper.from_array(scales.astype(np.float32), tensor + ".scale")
    return [helper.make_node("Cast", [whole.name], [tensor + ".float"], to=onnx.TensorProto.FLOAT),
            helper.make_node("Mul", [tensor + ".float", scale.name], [tensor])], [whole, scale]


def shrunk(model, smallest):
    """Stores the weights of a model in half precision, and of layers with at least a number of them in 8 bits; nodes
    make floats of them."""
    made, tensors = [], []
    for tensor in model.graph.initializer:
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32:
            tensors.append(tensor)
            continue
        as_bytes = smallest is not None and values.ndim > 1 and values.size >= smallest
        nodes, constants = (stored_as_bytes if as_bytes else stored)(tensor.name, values)
        made += nodes
        tensors += constants
    nodes = list(model.graph.node)
    del model.graph.initializer[:], model.graph.node[:]
    model.graph.initializer.extend(tensors)
    model.graph.node.extend(made + nodes)


def write(path, network, inputs, outputs, description, open_sizes=None, smallest=None):
    """Exports a network.

    inputs: name -> an example; outputs: names; open_sizes: name -> {axis: symbol} of sizes that are not fixed.
    description: what the network does, and what its inputs and outputs are. smallest: layers with at least so many
    weights are stored in 8 bits.
    """
    file = io.BytesIO()
    torch.onnx.export(
        network.eval(), tuple(inputs.values()), file, input_names=list(inputs), output_names=list(outputs),
        dynamic_axes=open_sizes, opset_version=OPSET, dynamo=False)
    model = onnx.load_from_string(file.getvalue())
    shrunk(model, smallest)
    model.producer_name, model.producer_version, model.doc_string = "OpenVision", "", description
    model.graph.name = str(path).rsplit("/", 1)[-1].removesuffix(".onnx")
    onnx.checker.check_model(model, full_check=True)
    onnx.save(model, path)
    weights = sum(int(np.prod(tensor.dims)) for tensor in model.graph.initializer)
    print(f"{path}: {len(model.graph.node)} nodes, {weights} weights")
