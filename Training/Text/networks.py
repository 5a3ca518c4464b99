"""The networks of text as `Quantiser` sees them, and with layers that run on bytes.

`simplified` does in the file what `ConstantFolding`, `BiasFolding`, `NormalisationFolding` and `GeluPattern` of the
engine do, so that tensors have the same names there and here.
"""
import numpy as np
import onnx
import onnxruntime
from onnx import helper, numpy_helper


def simplified(path):
    """-> the network without Identity nodes, sums and normalisations behind convolutions as their biases, each GELU one
    node, as of operator set 13"""
    model = onnx.load(path)
    graph = model.graph
    nodes = list(graph.node)
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in graph.initializer}
    for node in nodes:
        if node.op_type == "Constant":
            constants[node.output[0]] = numpy_helper.to_array(node.attribute[0].t)
    sources, kept = {}, []
    for node in nodes:
        for index, name in enumerate(node.input):
            node.input[index] = sources.get(name, name)
        if node.op_type == "Identity" and all(node.output[0] != output.name for output in graph.output):
            sources[node.output[0]] = node.input[0]
        elif node.op_type != "Constant":
            kept.append(node)
    nodes = fold_constants(kept, constants)
    while fold_one(nodes, constants):
        pass
    fold_gelus(nodes)
    for node in nodes:
        axes = [attribute for attribute in node.attribute if attribute.name == "axes"]
        if node.op_type in ("Squeeze", "Unsqueeze") and axes:
            name = node.output[0] + "_axes"
            constants[name] = np.array(axes[0].ints, np.int64)
            node.input.append(name)
            node.attribute.remove(axes[0])
    store(model, nodes, constants)
    del model.opset_import[:], graph.value_info[:]
    model.opset_import.extend([helper.make_opsetid("", 13), helper.make_opsetid("com.microsoft", 1)])
    return model


def readers(nodes):
    found = {}
    for node in nodes:
        for name in node.input:
            found.setdefault(name, []).append(node)
    return found


def fold_constants(nodes, constants):
    """Computes what is made of constants only: weights that are stored in 8 bits. -> the other nodes"""
    kept = []
    for node in nodes:
        if not all(name in constants for name in node.input) or node.op_type not in ("Cast", "Mul", "Unsqueeze"):
            kept.append(node)
            continue
        values = [constants[name] for name in node.input]
        if node.op_type == "Cast":
            result = values[0].astype(np.float32)
        elif node.op_type == "Mul":
            result = values[0] * values[1]
        else:
            result = np.expand_dims(values[0], tuple(node.attribute[0].ints))
        constants[node.output[0]] = result
    return kept


def fold_one(nodes, constants):
    """Makes one sum or normalisation part of the convolution before it. -> whether there was one"""
    reading = readers(nodes)
    for node in nodes:
        after = reading.get(node.output[0], [])
        if node.op_type != "Conv" or len(after) != 1:
            continue
        (after,) = after
        weights = constants[node.input[1]]
        bias = constants[node.input[2]] if len(node.input) > 2 else np.zeros(len(weights), np.float32)
        if after.op_type == "Add":
            added = [constants[name] for name in after.input if name in constants]
            if len(added) != 1 or added[0].shape != (1, len(bias), 1, 1):
                continue
            bias = bias + added[0].reshape(-1)
        elif after.op_type == "BatchNormalization":
            scale, offset, mean, variance = (constants[name] for name in after.input[1:])
            epsilon = next((a.f for a in after.attribute if a.name == "epsilon"), 1e-5)
            factor = scale / np.sqrt(variance + epsilon)
            node.input[1] += "_folded"
            constants[node.input[1]] = (weights * factor.reshape(-1, 1, 1, 1)).astype(np.float32)
            bias = (bias - mean) * factor + offset
        else:
            continue
        node.output[0] = after.output[0]
        name = node.output[0] + "_bias"
        constants[name] = bias.astype(np.float32)
        inputs = [node.input[0], node.input[1], name]
        del node.input[:]
        node.input.extend(inputs)
        nodes.remove(after)
        return True
    return False


def fold_gelus(nodes):
    """x / √2, erf, + 1, × x, × ½"""
    makers, reading = {node.output[0]: node for node in nodes}, readers(nodes)
    for erf in [node for node in nodes if node.op_type == "Erf"]:
        quotient = makers[erf.input[0]]
        (gate,) = reading[erf.output[0]]
        (product,) = reading[gate.output[0]]
        (half,) = reading[product.output[0]]
        if [n.op_type for n in (quotient, gate, product, half)] != ["Div", "Add", "Mul", "Mul"]:
            raise SystemExit(f"the function around {erf.name} is not a GELU")
        gelu = helper.make_node(
            "Gelu", [quotient.input[0]], [half.output[0]], half.output[0], domain="com.microsoft"
        )
        nodes[nodes.index(half)] = gelu
        for node in (quotient, erf, gate, product):
            nodes.remove(node)


def store(model, nodes, constants):
    copies = []
    for node in nodes:
        copy = helper.make_node(
            node.op_type, list(node.input), list(node.output), node.name or node.output[0], domain=node.domain
        )
        copy.attribute.extend(node.attribute)
        copies.append(copy)
    used = {name for node in nodes for name in node.input}
    del model.graph.node[:], model.graph.initializer[:]
    model.graph.node.extend(copies)
    model.graph.initializer.extend(
        numpy_helper.from_array(np.asarray(value), name) for name, value in constants.items() if name in used
    )


def byte_layers(model, constants):
    """-> the layers that run on bytes: the pairs of convolutions around each GELU, the last product with constants of a
    recogniser, and the convolutions of several pixels that mix channels; and for each of the latter whose inputs are
    joined from bytes, the tensors that share a range: the joined one, then its parts"""
    nodes = list(model.graph.node)
    makers, reading = {node.output[0]: node for node in nodes}, readers(nodes)
    blocks = [
        (makers[n.input[0]], reading[n.output[0]][0]) for n in nodes
        # The first layer stays in floats.
        if n.op_type == "Gelu" and makers[n.input[0]].input[0] != model.graph.input[0].name
    ]  # fmt: skip
    head = [node for node in nodes if node.op_type == "MatMul" and node.input[1] in constants][-1:]
    stem = [
        node for node in nodes
        if node.op_type == "Conv" and constants[node.input[1]].shape[1] > 3
        and constants[node.input[1]].shape[3] in (2, 3)
    ]  # fmt: skip
    joined = []
    for node in stem:
        concat = makers[node.input[0]]
        if concat.op_type == "Concat" and len(concat.input) == 2:
            pools = [makers[name] for name in concat.input if makers[name].op_type == "MaxPool"]
            others = [name for name in concat.input if makers[name].op_type == "Relu"]
            joined.append([concat.output[0], *others, *(n for pool in pools for n in (pool.input[0], pool.output[0]))])
    return blocks, head, stem, joined


def session(model, outputs=()):
    """-> the network ready to run on one thread, with more tensors as outputs"""
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    shown.graph.output.extend(helper.make_empty_tensor_value_info(name) for name in outputs)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    options.log_severity_level = 3
    return onnxruntime.InferenceSession(shown.SerializeToString(), options, providers=["CPUExecutionProvider"])


def scale_of(low, high):
    """-> the scale and zero point of `QuantisedScale(range:)`"""
    scale = np.float32((high - low) / 255)
    return scale, np.uint8(np.clip(np.round(-low / scale), 0, 255))


def rounded(values, low, high):
    scale, zero = scale_of(low, high)
    zero = np.float32(zero)
    return (np.clip(np.round(values / scale) + zero, 0, 255) - zero) * scale


def quantised(model, ranges, layers, corrections):
    """-> the network with layers on bytes, as `QDQWriter` writes it.

    layers: The names of their results. A GELU of a layer on bytes is a function of bytes.
    """
    made = onnx.ModelProto()
    made.CopyFrom(model)
    constants = {tensor.name: numpy_helper.to_array(tensor) for tensor in made.graph.initializer}
    gelus = {n.output[0] for n in made.graph.node if n.op_type == "Gelu" and n.input[0] in layers}
    read = {n.input[0] for n in made.graph.node if n.output[0] in gelus.union(layers)}
    nodes = []

    def convert(name):
        scale, zero = scale_of(*ranges[name])
        constants[name + "_s"], constants[name + "_z"] = np.array(scale), np.array(zero)
        nodes.append(helper.make_node("QuantizeLinear", [name, name + "_s", name + "_z"], [name + "_q"]))
        nodes.append(helper.make_node("DequantizeLinear", [name + "_q", name + "_s", name + "_z"], [name + "_dq"]))

    for node in made.graph.node:
        name = node.output[0]
        if name in layers:
            weights, axis = constants[node.input[1]], 0 if node.op_type == "Conv" else 1
            others = tuple(index for index in range(weights.ndim) if index != axis)
            scales = np.maximum(np.abs(weights).max(others), 127e-12) / 127
            if node.op_type == "Conv":
                bias = constants[node.input[2]] + corrections.get(name, 0)
                step = scale_of(*ranges[node.input[0]])[0]
                # A channel that training has switched off has a bias that would not fit 32 bits.
                scales = np.maximum(scales, np.abs(bias) / (step * 2.0**28))
            scales = scales.astype(np.float32)
            shape = [-1 if index == axis else 1 for index in range(weights.ndim)]
            constants[name + "_w"] = np.round(weights / scales.reshape(shape)).astype(np.int8)
            constants[name + "_ws"], constants[name + "_wz"] = scales, np.zeros(len(scales), np.int8)
            parts = [name + end for end in ("_w", "_ws", "_wz")]
            nodes.append(helper.make_node("DequantizeLinear", parts, [name + "_wdq"], axis=axis))
            if node.op_type == "Conv":
                steps = (scales * step).astype(np.float32)
                constants[name + "_b"], constants[name + "_bs"] = np.round(bias / steps).astype(np.int32), steps
                nodes.append(helper.make_node("DequantizeLinear", [name + "_b", name + "_bs"], [name + "_bdq"], axis=0))
                node.input[2] = name + "_bdq"
            node.input[1] = name + "_wdq"
        if name in layers or name in gelus:
            node.input[0] += "_dq"
        nodes.append(node)
        if name in read:
            convert(name)
    store(made, nodes, constants)
    return made
