#!/usr/bin/env python3
"""Cuts template and search crops out of photos and keeps their features under the frozen trunk.

usage: features.py DATA TRUNK.onnx OUT [--searches 4] [--limit 1500] [--cut 0.9] [--covered 0.07] [--seed 1]

TRUNK is what ranges.py writes.
"""
import argparse
import pathlib

import numpy as np
import onnx
import onnxruntime as ort
from onnx import TensorProto, helper

import pairs

OUTPUTS = ["block4.add", "block7.add"]


def trunk(file):
    """EfficientNet-Lite0, in floats or on bytes, up to stride 16, for images of any size."""
    model = onnx.load(file)
    graph = model.graph
    needed, nodes = set(OUTPUTS), []
    for node in reversed(graph.node):
        if needed & set(node.output):
            nodes.insert(0, node)
            needed |= set(node.input)
    del graph.node[:]
    graph.node.extend(nodes)
    kept = [t for t in graph.initializer if t.name in needed]
    del graph.initializer[:]
    graph.initializer.extend(kept)
    del graph.output[:]
    graph.output.extend([helper.make_tensor_value_info(n, TensorProto.FLOAT, None) for n in OUTPUTS])
    shape = graph.input[0].type.tensor_type.shape
    shape.dim[0].dim_param, shape.dim[2].dim_param, shape.dim[3].dim_param = "n", "h", "w"
    return model


def session(file, threads=1):
    options = ort.SessionOptions()
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    return ort.InferenceSession(trunk(file).SerializeToString(), options, providers=["CPUExecutionProvider"])


def features(run, crops):
    """N crops, RGB bytes -> N x 240 x S/16 x S/16: stride 8 folded to stride 16 (row, column, channel), then stride
    16."""
    x = (crops.astype(np.float32).transpose(0, 3, 1, 2) - 127) / 128
    fine, coarse = run.run(OUTPUTS, {"image": np.ascontiguousarray(x)})
    n, c, h, w = fine.shape
    fine = fine.reshape(n, c, h // 2, 2, w // 2, 2).transpose(0, 3, 5, 1, 2, 4).reshape(n, 4 * c, h // 2, w // 2)
    return np.concatenate([fine, coarse], 1)


def main():
    p = argparse.ArgumentParser()
    p.add_argument("data"), p.add_argument("trunk"), p.add_argument("out", type=pathlib.Path)
    p.add_argument("--searches", type=int, default=4)
    p.add_argument("--patches", type=int, default=1000)
    p.add_argument("--limit", type=int, default=10**9)
    p.add_argument("--cut", type=float, default=0, help="how often a target is put on another photo")
    p.add_argument("--covered", type=float, default=0, help="how often all of a target is covered")
    p.add_argument("--seed", type=int, default=1)
    o = p.parse_args()
    o.out.mkdir(parents=True, exist_ok=True)
    random = np.random.default_rng(o.seed)
    photos = pairs.load_photos(o.data)
    found = pairs.targets(photos, random, o.patches)
    order = random.permutation(len(found))[: o.limit]
    run = session(o.trunk)
    n = len(order)
    # Width and height of each target's box in its template.
    sizes = np.array([pairs.template_size(found[i][1]) for i in order], np.float32)
    np.save(o.out / "sizes.npy", sizes)
    np.save(o.out / "kinds.npy", np.array([found[i][2] for i in order]))
    z = np.lib.format.open_memmap(o.out / "z.npy", "w+", np.float16, (n, 2, 240, 8, 8))
    x = np.lib.format.open_memmap(o.out / "x.npy", "w+", np.float16, (n, o.searches, 240, 16, 16))
    boxes = np.zeros((n, o.searches, 4), np.float32)
    for k, index in enumerate(order):
        grey, flip = random.random() < 0.2, random.random() < 0.5
        crops = [pairs.template(photos, found[index], random, grey, flip) for _ in range(2)]
        z[k] = features(run, np.stack(crops))
        crops = []
        for j in range(o.searches):
            crop, boxes[k, j] = pairs.search(photos, found[index], random, grey, flip, o.cut, o.covered)
            crops.append(crop)
        x[k] = features(run, np.stack(crops))
        if k % 100 == 99:
            done(o.out, boxes, k + 1)
    done(o.out, boxes, n)


def done(folder, boxes, count):
    """Writes a file under another name and renames it, as the training may read it at any time."""
    np.save(folder / "boxes.new.npy", boxes)
    (folder / "boxes.new.npy").rename(folder / "boxes.npy")
    (folder / "done.new").write_text(str(count))
    (folder / "done.new").rename(folder / "done.txt")


if __name__ == "__main__":
    main()
