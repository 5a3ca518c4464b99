#!/usr/bin/env python3
"""Chooses the ranges with which the trunk runs on bytes, from crops of photos, and writes them and that trunk.

usage: ranges.py DATA LITE0.onnx OUT.swift TRUNK8.onnx [--crops 80] [--seed 77]

Of every tensor between two layers, the range is chosen that has the least squared error of rounding and cutting off.
The first layer and block stay in floats: their channels differ too much for one scale, and they cost little.
`features.py` runs the trunk written here, and `TrackerGraphs` makes the same of Lite0 and the ranges.
"""
import argparse
import pathlib

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper, numpy_helper

import pairs
from features import OUTPUTS, trunk

FLOATS = ("stem", "block0.")


def stands_for_bytes(node):
    return node.op_type in ("Conv", "Add") and not node.name.startswith(FLOATS)


def observed(graph):
    """The tensors that are bytes: what layers on bytes read, after their activations."""
    return [t.name for t in graph.input if any(t.name in n.input for n in graph.node if stands_for_bytes(n))] + [
        n.output[0] for n in graph.node if any(n.output[0] in m.input for m in graph.node if stands_for_bytes(m))]


def rounded(values, low, high):
    scale = (high - low) / 255
    zero = np.clip(np.round(-low / scale), 0, 255)
    return (np.clip(np.round(values / scale) + zero, 0, 255) - zero) * scale


def best_range(values):
    low, high = min(0, float(values.min())), max(0, float(values.max()))
    candidates = [
        (low * a, high * b) for b in np.linspace(0.3, 1, 15) for a in (np.linspace(0.3, 1, 15) if low < 0 else [1])
    ]
    return min(candidates, key=lambda r: float(((rounded(values, *r) - values) ** 2).mean()))


def written(model, ranges):
    """The model with conversions to bytes and back around the layers that run on bytes."""
    graph = model.graph
    weights = {t.name: numpy_helper.to_array(t) for t in graph.initializer}
    nodes, made = [], []

    def constant(name, value):
        made.append(numpy_helper.from_array(value, name))
        return name

    def scale_of(name):
        low, high = ranges[name]
        scale = np.float32((high - low) / 255)
        return scale, np.uint8(np.clip(np.round(-low / scale), 0, 255))

    def convert(name):
        scale, zero = scale_of(name)
        pair = [constant(name + "_scale", np.array(scale)), constant(name + "_zero", np.array(zero))]
        nodes.append(helper.make_node("QuantizeLinear", [name, *pair], [name + "_q"]))
        nodes.append(helper.make_node("DequantizeLinear", [name + "_q", *pair], [name + "_dq"]))

    for tensor in graph.input:
        if tensor.name in ranges:
            convert(tensor.name)
    renamed = {}
    for node in graph.node:
        if node.op_type == "Clip" and node.input[0] in renamed:
            # Bytes cannot exceed its bounds.
            continue
        if stands_for_bytes(node):
            if node.op_type == "Conv":
                w, b = weights[node.input[1]], weights[node.input[2]]
                step = scale_of(node.input[0])[0]
                # A bias far larger than all products would not fit 32 bits at the weights' own scale.
                scale = np.maximum(np.abs(w).reshape(len(w), -1).max(1) / 127, np.abs(b) / (step * 2.0**28))
                scale = np.maximum(scale, 1e-12).astype(np.float32)
                step = scale * step
                constant(node.name + "_w", np.clip(np.round(w / scale[:, None, None, None]), -127, 127).astype(np.int8))
                constant(node.name + "_ws", scale), constant(node.name + "_wz", np.zeros(len(w), np.int8))
                constant(node.name + "_b", np.round(b / step).astype(np.int32)), constant(node.name + "_bs", step)
                nodes.append(helper.make_node(
                    "DequantizeLinear", [node.name + k for k in ("_w", "_ws", "_wz")], [node.name + "_wdq"], axis=0))
                nodes.append(
                    helper.make_node(
                        "DequantizeLinear", [node.name + "_b", node.name + "_bs"], [node.name + "_bdq"], axis=0
                    )
                )
                node.input[1], node.input[2] = node.name + "_wdq", node.name + "_bdq"
                clip = [n for n in graph.node if n.op_type == "Clip" and n.input[0] == node.output[0]]
                if clip:
                    renamed[node.output[0]] = clip[0].output[0]
                    node.output[0] = clip[0].output[0]
                    renamed[clip[0].output[0]] = clip[0].output[0]
                node.input[0] += "_dq"
            else:
                node.input[0], node.input[1] = node.input[0] + "_dq", node.input[1] + "_dq"
        nodes.append(node)
        if node.output[0] in ranges:
            convert(node.output[0])
    nodes = [n for n in nodes if not (n.op_type == "Clip" and n.input[0] in renamed)]
    graph.initializer.extend(made)
    kept = {name for n in nodes for name in n.input}
    initialisers = [t for t in graph.initializer if t.name in kept]
    copies = [helper.make_node(n.op_type, list(n.input), list(n.output), n.name) for n in nodes]
    for copy, node in zip(copies, nodes):
        copy.attribute.extend(node.attribute)
    del graph.node[:], graph.initializer[:]
    graph.node.extend(copies), graph.initializer.extend(initialisers)
    return model


def main():
    p = argparse.ArgumentParser()
    p.add_argument("data"), p.add_argument("lite0"), p.add_argument("swift", type=pathlib.Path), p.add_argument("out")
    p.add_argument("--crops", type=int, default=80)
    p.add_argument("--seed", type=int, default=77)
    o = p.parse_args()
    random = np.random.default_rng(o.seed)
    photos = pairs.load_photos(o.data)
    found = pairs.targets(photos, random, 300)
    model = trunk(o.lite0)
    names = observed(model.graph)
    shown = onnx.ModelProto()
    shown.CopyFrom(model)
    del shown.graph.output[:]
    shown.graph.output.extend(helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in names)
    options = ort.SessionOptions()
    options.intra_op_num_threads = 1
    run = ort.InferenceSession(shown.SerializeToString(), options, providers=["CPUExecutionProvider"])
    values = {name: [] for name in names}
    for _ in range(o.crops):
        target = found[int(random.integers(len(found)))]
        crop, _ = pairs.search(photos, target, random, random.random() < 0.2, False, 0.3)
        image = (crop.astype(np.float32).transpose(2, 0, 1)[None] - 127) / 128
        for name, tensor in zip(names, run.run(names, {"image": np.ascontiguousarray(image)})):
            values[name].append(random.choice(tensor.ravel(), 5000))
    ranges = {name: best_range(np.concatenate(v)) for name, v in values.items()}
    rows = "".join(f'        "{name}": {low:.5g}...{high:.5g},\n' for name, (low, high) in ranges.items())
    o.swift.write_text(
        "// Made by Training/Tracking/ranges.py; not to be edited. See Training/Tracking/README.md for its data.\n\n"
        "extension TrackerGraphs {\n"
        "    /// The numbers that the bytes between the trunk's layers stand for.\n"
        f"    static let trunkRanges: [String: ClosedRange<Float>] = [\n{rows}    ]\n}}\n")
    onnx.save(written(model, ranges), o.out)
    assert all(name in [v for n in onnx.load(o.out).graph.node for v in n.output] for name in OUTPUTS)


if __name__ == "__main__":
    main()
