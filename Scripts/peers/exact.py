"""Runs networks in double precision, as the reference for the rounding errors of all engines.

OpenVINO reads the file and folds constants; every remaining operator is a few lines of NumPy. Slow, and only the
operators of the networks on which engines are compared.
"""

import tempfile

import numpy as np
import openvino
from openvino.passes import ConstantFolding, Manager


def double(array):
    return array.astype(np.float64) if array.dtype.kind == "f" else array


def padding(attributes, size, kernel, strides, dilations):
    """Rows and columns around an image: before, after."""
    mode = attributes.get("auto_pad", "explicit")
    if mode in ("explicit", "notset"):
        return list(attributes["pads_begin"]), list(attributes["pads_end"])
    before, after = [], []
    for n, k, stride, dilation in zip(size, kernel, strides, dilations):
        total = max((-(-n // stride) - 1) * stride + (k - 1) * dilation + 1 - n, 0) if mode != "valid" else 0
        first = total // 2 if mode == "same_upper" else total - total // 2
        before.append(first)
        after.append(total - first)
    return before, after


def windows(image, kernel, strides, dilations, around, value):
    """For every tap of a window the elements of an image (N, C, H, W) that it meets: (row, column, elements)."""
    (top, left), (bottom, right) = around
    image = np.pad(image, ((0, 0), (0, 0), (top, bottom), (left, right)), constant_values=value)
    height, width = (
        (image.shape[2 + axis] - (kernel[axis] - 1) * dilations[axis] - 1) // strides[axis] + 1 for axis in (0, 1)
    )
    for row in range(kernel[0]):
        for column in range(kernel[1]):
            y, x = row * dilations[0], column * dilations[1]
            rows = slice(y, y + (height - 1) * strides[0] + 1, strides[0])
            columns = slice(x, x + (width - 1) * strides[1] + 1, strides[1])
            yield row, column, image[:, :, rows, columns]


def convolution(image, weights, attributes):
    """Weights: groups, output channels of a group, input channels of a group, rows, columns."""
    groups, outputs, inputs = weights.shape[:3]
    strides, dilations = attributes["strides"], attributes["dilations"]
    around = padding(attributes, image.shape[2:], weights.shape[3:], strides, dilations)
    total = 0.0
    for row, column, part in windows(image, weights.shape[3:], strides, dilations, around, 0):
        count, _, height, width = part.shape
        part = part.reshape(count, groups, inputs, height * width)
        total = total + (weights[:, :, :, row, column] @ part).reshape(count, groups * outputs, height, width)
    return total


def pooling(image, attributes, maximum):
    kernel, strides = attributes["kernel"], attributes["strides"]
    dilations = attributes.get("dilations", [1, 1])
    around = padding(attributes, image.shape[2:], kernel, strides, dilations)
    if attributes.get("rounding_type") == "ceil":
        for axis in (0, 1):
            size = image.shape[2 + axis] + around[0][axis] + around[1][axis] - kernel[axis]
            around[1][axis] += -size % strides[axis]
    parts = [part for _, _, part in windows(image, kernel, strides, dilations, around, -np.inf if maximum else 0)]
    if maximum:
        return np.max(parts, axis=0)
    if not attributes.get("exclude-pad"):
        return np.mean(parts, axis=0)
    counts = [part for _, _, part in windows(np.ones_like(image), kernel, strides, dilations, around, 0)]
    return np.sum(parts, axis=0) / np.sum(counts, axis=0)


def resized(image, shape, attributes):
    mode, coordinates = attributes["mode"], attributes["coordinate_transformation_mode"]
    for axis, (old, new) in enumerate(zip(image.shape, shape)):
        if old == new:
            continue
        at = np.arange(new)
        if coordinates == "align_corners":
            at = at * (old - 1) / max(new - 1, 1)
        elif coordinates in ("half_pixel", "pytorch_half_pixel"):
            at = (at + 0.5) * old / new - 0.5
        elif coordinates == "asymmetric":
            at = at * old / new
        else:
            raise NotImplementedError(f"coordinates “{coordinates}”")
        if mode == "nearest":
            rounding = attributes["nearest_mode"]
            nearest = {
                "floor": np.floor, "ceil": np.ceil, "simple": np.floor if new > old else np.ceil,
                "round_prefer_floor": lambda x: np.ceil(x - 0.5), "round_prefer_ceil": lambda x: np.floor(x + 0.5),
            }[rounding](at)  # fmt: skip
            image = np.take(image, np.clip(nearest, 0, old - 1).astype(int), axis)
        elif mode in ("linear", "linear_onnx"):
            at = np.clip(at, 0, old - 1)
            low = np.floor(at).astype(int)
            share = (at - low).reshape([-1 if n == axis else 1 for n in range(image.ndim)])
            high = np.take(image, np.minimum(low + 1, old - 1), axis)
            image = np.take(image, low, axis) * (1 - share) + high * share
        else:
            raise NotImplementedError(f"interpolation “{mode}”")
    return image


def depth_to_space(x, attributes):
    block = attributes["block_size"]
    count, channels, height, width = x.shape
    kept = channels // block**2
    if attributes["mode"] == "blocks_first":
        x = x.reshape(count, block, block, kept, height, width).transpose(0, 3, 4, 1, 5, 2)
    else:
        x = x.reshape(count, kept, block, block, height, width).transpose(0, 1, 4, 2, 5, 3)
    return x.reshape(count, kept, height * block, width * block)


def softmax(x, axis):
    powers = np.exp(x - x.max(axis=axis, keepdims=True))
    return powers / powers.sum(axis=axis, keepdims=True)


def prelu(x, slopes):
    if 1 < slopes.size == x.shape[1] and slopes.ndim == 1:
        slopes = slopes.reshape(1, -1, *[1] * (x.ndim - 2))
    return np.where(x < 0, x * slopes, x)


def sliced(x, starts, stops, steps, axes):
    cut = [slice(None)] * x.ndim
    for start, stop, step, axis in zip(starts, stops, steps, axes):
        # An end before the first element is none at all.
        cut[axis] = slice(int(start), None if step < 0 and stop < -x.shape[axis] else int(stop), int(step))
    return x[tuple(cut)]


def strided_slice(x, starts, stops, steps, attributes):
    if any(any(attributes[mask]) for mask in ("new_axis_mask", "shrink_axis_mask", "ellipsis_mask")):
        raise NotImplementedError("StridedSlice with new_axis or shrink_axis masks")
    begins, ends = (list(attributes[mask]) + [0] * len(starts) for mask in ("begin_mask", "end_mask"))
    cut = tuple(
        slice(None if begins[n] else int(starts[n]), None if ends[n] else int(stops[n]), int(steps[n]))
        for n in range(len(starts))
    )
    return x[cut]


def normalised(x, scale, bias, mean, variance, attributes):
    line = (1, -1) + (1,) * (x.ndim - 2)
    factor = scale / np.sqrt(variance + attributes["epsilon"])
    return (x - mean.reshape(line)) * factor.reshape(line) + bias.reshape(line)


def matrices(a, b, attributes):
    a = a.swapaxes(-1, -2) if attributes["transpose_a"] else a
    return a @ (b.swapaxes(-1, -2) if attributes["transpose_b"] else b)


# The result of each operator, from its inputs, its attributes and the shape of its output.
OPERATORS = {
    "Add": lambda i, a, s: i[0] + i[1],
    "AvgPool": lambda i, a, s: pooling(i[0], a, maximum=False),
    "BatchNormInference": lambda i, a, s: normalised(*i, a),
    "Clamp": lambda i, a, s: np.clip(i[0], a["min"], a["max"]),
    "Concat": lambda i, a, s: np.concatenate(i, a["axis"]),
    "Convert": lambda i, a, s: i[0],
    "Convolution": lambda i, a, s: convolution(i[0], i[1][None], a),
    "DepthToSpace": lambda i, a, s: depth_to_space(i[0], a),
    "Divide": lambda i, a, s: i[0] / i[1],
    "Exp": lambda i, a, s: np.exp(i[0]),
    "Gather": lambda i, a, s: np.take(i[0], i[1].astype(int), int(i[2])),
    "GroupConvolution": lambda i, a, s: convolution(i[0], i[1], a),
    "HSwish": lambda i, a, s: i[0] * np.clip(i[0] / 6 + 0.5, 0, 1),
    "Interpolate": lambda i, a, s: resized(i[0], s, a),
    "MatMul": lambda i, a, s: matrices(*i, a),
    "MaxPool": lambda i, a, s: pooling(i[0], a, maximum=True),
    "Multiply": lambda i, a, s: i[0] * i[1],
    "PRelu": lambda i, a, s: prelu(*i),
    "Pad": lambda i, a, s: np.pad(
        i[0], [(int(b), int(e)) for b, e in zip(i[1], i[2])], constant_values=i[3].item() if len(i) > 3 else 0
    ),
    "ReduceMean": lambda i, a, s: i[0].mean(tuple(int(n) for n in i[1].ravel()), keepdims=a["keep_dims"]),
    "Relu": lambda i, a, s: np.maximum(i[0], 0),
    "Reshape": lambda i, a, s: i[0].reshape(s),
    "Sigmoid": lambda i, a, s: np.exp(-np.logaddexp(0, -i[0])),
    "Slice": lambda i, a, s: sliced(*i),
    "Softmax": lambda i, a, s: softmax(i[0], a["axis"]),
    "Squeeze": lambda i, a, s: i[0].reshape(s),
    "StridedSlice": lambda i, a, s: strided_slice(*i, a),
    "Subtract": lambda i, a, s: i[0] - i[1],
    "Transpose": lambda i, a, s: i[0].transpose([int(n) for n in i[1]]),
    "Unsqueeze": lambda i, a, s: i[0].reshape(s),
}


def run(network, inputs):
    """The outputs, by name, of a network: a file, or the bytes of a TensorFlow Lite file. Raises NotImplementedError
    for an operator that is not in OPERATORS."""
    if isinstance(network, bytes):
        with tempfile.NamedTemporaryFile(suffix=".tflite") as file:
            file.write(network)
            file.flush()
            return run(file.name, inputs)
    model = openvino.Core().read_model(network)
    model.reshape({port: list(inputs[name].shape) for port in model.inputs for name in port.names & inputs.keys()})
    passes = Manager()
    passes.register_pass(ConstantFolding())
    passes.run_passes(model)
    values, results = {}, {}

    def key(output):
        return output.get_node().get_name(), output.get_index()

    for operator in model.get_ordered_ops():
        kind = operator.get_type_name()
        if kind == "Parameter":
            [name] = operator.output(0).names & inputs.keys()
            values[key(operator.output(0))] = double(inputs[name])
        elif kind == "Constant":
            values[key(operator.output(0))] = double(operator.get_data())
        elif kind == "Result":
            source = operator.input(0).get_source_output()
            results.update(dict.fromkeys(source.names, values[key(source)]))
        elif kind not in OPERATORS:
            raise NotImplementedError(f"{kind} in double precision")
        else:
            given = [values[key(port.get_source_output())] for port in operator.inputs()]
            shape = list(operator.output(0).get_shape())
            made = OPERATORS[kind](given, operator.get_attributes(), shape)
            assert list(made.shape) == shape, (kind, made.shape, shape)
            values[key(operator.output(0))] = made
    return results
