#!/usr/bin/env python3
"""Runs a people network over photographs and writes its boxes, for evaluate.py.

usage: predict.py NETWORK TRUTH.json OUT.json [--upper UPPER.json] [--confidence 0.01] [--overlap 0.6] [--side 416]

NETWORK: people.onnx, a .pt of train.py, or yolox_nano.onnx, whose boxes are then upper bodies as well. TRUTH.json as
for evaluate.py; or what photographs.py writes, of which the part "validation" is taken. --side: a square input, as
YOLOX-nano was published with, instead of the one that fits the photograph best. Non-maximum suppression is greedy, of
whole bodies by their boxes; --upper is for upper bodies, suppressed by theirs.

needs: numpy, onnx, onnxruntime, pillow, torch
"""
import argparse
import json
import pathlib

import numpy as np
import torch
from PIL import Image

from network import PADDING, PERSON, People, anchors, decoded, input_size, scored, split


def prepared(image, side=None):
    """Returns the pixels, height x width x 3, blue first, and the scale of the image in them."""
    width, height = (side, side) if side else input_size(*image.size)
    scale = min(width / image.width, height / image.height)
    size = max(round(image.width * scale), 1), max(round(image.height * scale), 1)
    pixels = np.full((height, width, 3), PADDING, np.float32)
    pixels[: size[1], : size[0]] = np.asarray(image.convert("RGB").resize(size, Image.Resampling.BILINEAR))[:, :, ::-1]
    return pixels, scale


def overlaps(box, boxes):
    """Returns the intersection over union of a box and others."""
    low, high = np.maximum(box[:2], boxes[:, :2]), np.minimum(box[2:], boxes[:, 2:])
    common = np.clip(high - low, 0, None).prod(1)
    return common / ((box[2:] - box[:2]).prod() + (boxes[:, 2:] - boxes[:, :2]).prod(1) - common + 1e-9)


def suppressed(boxes, scores, overlap, confidence, limit=300):
    """Returns the indexes of the boxes that remain, the best first."""
    order = np.flatnonzero(scores >= confidence)
    order = order[np.argsort(-scores[order], kind="stable")][:1000]
    kept = []
    while len(order) and len(kept) < limit:
        kept.append(order[0])
        order = order[1:][overlaps(boxes[order[0]], boxes[order[1:]]) <= overlap]
    return kept


class Detector:
    def __init__(self, path):
        self.original = self.session = self.network = None
        if path.suffix == ".pt":
            self.network = People()
            self.network.load_state_dict(torch.load(path))
            self.network = self.network.eval().to(memory_format=torch.channels_last)
            return
        import onnxruntime
        options = onnxruntime.SessionOptions()
        options.intra_op_num_threads = 1
        session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
        if session.get_inputs()[0].name == "images":
            from network import load_original
            self.original = load_original(path)
        else:
            self.session = session

    @torch.no_grad()
    def run(self, pixels):
        """Returns whole boxes, upper boxes and their scores, in pixels of the input."""
        if self.session:
            boxes, uppers, scores = self.session.run(["boxes", "upper", "scores"], {"image": pixels[None]})
            return boxes[0], uppers[0], scores[0]
        value = torch.from_numpy(pixels)[None].permute(0, 3, 1, 2)
        points, strides = anchors(*pixels.shape[:2])
        if self.original:
            rows = self.original(value)[0]
            boxes = decoded(rows[:, :4], points, strides).numpy()
            scores = (rows[:, 4] * rows[:, 5 + PERSON]).numpy()
            return boxes, boxes, np.stack((scores, scores), 1)
        boxes, uppers, logits = split(self.network(value)[0], points, strides)
        return boxes.numpy(), uppers.numpy(), scored(logits).numpy()


def listed(path):
    """Returns the photographs of a truth file as (name, path)."""
    content = json.loads(path.read_text())
    if isinstance(content, list):
        return [(photo["file"], pathlib.Path(photo["file"])) for photo in content if photo["part"] == "validation"]
    return [(entry["file"], path.parent / entry["file"]) for entry in content["images"]]


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=pathlib.Path)
    parser.add_argument("truth", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--upper", type=pathlib.Path)
    parser.add_argument("--confidence", type=float, default=0.01)
    parser.add_argument("--overlap", type=float, default=0.6)
    parser.add_argument("--side", type=int)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    detector, results = Detector(arguments.network), ({}, {})
    for name, path in listed(arguments.truth):
        image = Image.open(path)
        pixels, scale = prepared(image, arguments.side)
        boxes, uppers, scores = detector.run(pixels)
        for kind, (result, found) in enumerate(zip(results, (boxes, uppers))):
            found = np.clip(found / scale, 0, [image.width, image.height] * 2)
            result[name] = [
                {"box": [round(float(v), 1) for v in (*found[i, :2], *(found[i, 2:] - found[i, :2]))],
                 "score": round(float(scores[i, kind]), 4)}
                for i in suppressed(found, scores[:, kind], arguments.overlap, arguments.confidence)]
    for result, path in zip(results, (arguments.out, arguments.upper)):
        if path:
            path.write_text(json.dumps(result))


if __name__ == "__main__":
    main()
