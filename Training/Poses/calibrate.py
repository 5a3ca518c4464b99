#!/usr/bin/env python3
"""Calibrates a network of poses in 8 bits: writes what `ChannelCalibration` reads.

    calibrate.py PHOTOS.json NETWORK.tflite OUT.table [--people 256] [--seed 1]

PHOTOS.json: a list of {path, held_out, objects: [[class, [left, top, right, bottom], difficult]]}, as
../Animals/photos.py writes it. NETWORK: MediaPipe's pose_detection or pose_landmark_full. It is calibrated on views of
people as the library makes them, and compared with the network in floats on views of others.

Channels of these networks differ a thousandfold: training has put the scale of one layer into the weights of the next.
So each tensor that becomes bytes is divided by a scale for each channel, the largest number that was seen there, and
the layers before and behind it take that into their weights (Nagel et al., "Data-Free Quantization Through Weight
Equalization and Bias Correction", ICCV 2019). Tensors that are added or resized share their scales. What rounding does
to the mean of a channel is taken off the bias of its layer, from the first layer to the last, each with all before it
in 8 bits.

needs: numpy, opencv-python-headless, tflite, torch
"""
import argparse
import json
import pathlib
import sys

import cv2
import numpy as np
import torch

from crops import Crop, next_crop
from network import BY_CHANNEL, CONVOLUTIONS, Network, activated

sys.path.insert(0, str(pathlib.Path(__file__).resolve().parent.parent / "Shared"))
import tables  # noqa: E402

# Layers that stay in floats, by the numbers of their results: the first, of which the engine makes one step, those of
# the smallest maps, which take no time, depthwise ones that floats are wanted of, and those whose numbers are results.
FLOATS = {
    "pose_landmark_full": {204, 205, 206, 218, 219, 228, 229, 253, 254, 298, *range(301, 341)},
    "pose_detection": {7, 12, 18, 303, 374, 379, 386, 391, 399, 404, 410, 415, 422, 427, 434, 439},
}
TURNED = 0.5  # the share of views that is turned by any angle
CORRECTED_ON = 160  # views that the corrections are computed on
LEAST_SIDE = 110  # of a person's box, pixels
LEAST_SCALE = 1e-3  # of a channel, relative to the largest of the tensor
ROUNDS = 2  # of the correction of a bias: an activation changes what the first does
BATCH = 32


def views(photos, network, count, random):
    """N x 3 x side x side, inputs of the network: squares around people, and for landmarks those that it asks for."""
    is_detector, side, found = network.side == 224, network.side, []
    for entry in random.permutation(np.array(photos, object)):
        boxes = [np.array(box) for kind, box, difficult in entry["objects"] if kind == "person" and not difficult]
        boxes = [box for box in boxes if max(box[2:] - box[:2]) >= LEAST_SIDE]
        photo = cv2.imread(entry["path"])
        if not boxes or photo is None:
            continue
        photo = cv2.cvtColor(photo, cv2.COLOR_BGR2RGB)
        box = boxes[random.integers(len(boxes))]
        if is_detector and random.random() < 0.25:
            box = np.array([0, 0, photo.shape[1], photo.shape[0]])
        margin = random.choice([1.25, 1.25, 2]) if is_detector else random.uniform(1.25, 1.6)
        crop = Crop((box[:2] + box[2:]) / 2, margin * max(box[2:] - box[:2]))
        if not is_detector and len(found) % 4:
            # Three of four are the crop of a pose, one of them mirrored.
            landmarks = network.run(tensor([crop.pixels(photo, side)]))[network.outputs[0]].reshape(-1, 5)
            following = next_crop(crop.to_photo(landmarks[:, :2].double().numpy(), side))
            crop = following if following.is_usable(photo) else crop
        if random.random() < TURNED:
            # Gymnasts stand on their hands.
            turn = random.uniform(-np.pi, np.pi)
            crop = Crop(crop.centre, crop.side, (np.cos(turn), np.sin(turn)))
        pixels = crop.pixels(photo, side)
        found.append(pixels[:, ::-1] if len(found) % 4 == 3 else pixels)
        if len(found) == count:
            break
    result = tensor(found)
    return 2 * result - 1 if is_detector else result


def tensor(pixels):
    image = torch.from_numpy(np.ascontiguousarray(np.stack(pixels))).permute(0, 3, 1, 2).float() / 255
    return image.contiguous(memory_format=torch.channels_last)


class Calibration:
    """What becomes bytes, by the numbers of tensors."""

    def __init__(self, network, floats, images):
        self.network = network
        self.makers = {step.output: step for step in network.steps}
        self.layers = [step for step in network.steps if step.kind in CONVOLUTIONS and step.output not in floats]
        self.bytes = {self.source(step.inputs[0]) for step in self.layers}
        for step in reversed(network.steps):
            if step.kind == "ADD" and step.output in self.bytes:
                self.bytes.update(step.inputs)
        low, high = self.extremes(images)
        self.scales, self.ranges = {}, {}
        for group in self.groups():
            largest = torch.stack([torch.maximum(-low[number], high[number]) for number in group]).amax(0)
            largest = largest.clamp(min=LEAST_SCALE * largest.max())
            # As the table has them.
            largest = torch.from_numpy(largest.numpy().astype(np.float16).astype(np.float32))
            for number in group:
                self.scales[number] = largest
                self.ranges[number] = (max(-1.0, min(0.0, float((low[number] / largest).min()))), 1.0)
        self.weights = {step.output: self.rounded_weight(step) for step in self.layers}
        self.corrections = {}

    def source(self, number):
        """The tensor whose bytes a layer reads: zeros around them change nothing."""
        step = self.makers[number]
        return self.source(step.inputs[0]) if step.kind == "PAD" else number

    def extremes(self, images):
        """The least and the largest number of each channel of the tensors."""
        low, high = {}, {}

        def see(number, value):
            if number in self.bytes:
                one, other = value.amin((0, 2, 3)), value.amax((0, 2, 3))
                low[number] = torch.minimum(low.get(number, one), one)
                high[number] = torch.maximum(high.get(number, other), other)

        for part in images.split(BATCH):
            self.network.run(part, see)
        return low, high

    def groups(self):
        """The tensors that have their scales in common."""
        groups = {number: {number} for number in self.bytes}
        for step in self.network.steps:
            numbers = {step.output, *step.inputs}
            if step.kind in ("ADD", *BY_CHANNEL) and numbers <= self.bytes:
                joined = set().union(*(groups[number] for number in numbers))
                groups.update({number: joined for number in joined})
        return [sorted(group) for group in {id(group): group for group in groups.values()}.values()]

    def rounded_weight(self, step):
        """The weights that the layer has in 8 bits, without the scales."""
        scale = self.scales[self.source(step.inputs[0])]
        scale = scale.view(-1, 1, 1, 1) if step.groups > 1 else scale.view(1, -1, 1, 1)
        weight = step.weight * scale
        unit = (weight.abs().amax((1, 2, 3), keepdim=True) / 127).clamp(min=1e-20)
        return (weight / unit).round() * unit / scale

    def rounded(self, number, value):
        """The numbers that the bytes of a tensor stand for."""
        if number not in self.bytes:
            return value
        scale, (low, high) = self.scales[number].view(1, -1, 1, 1), self.ranges[number]
        unit = (high - low) / 255
        zero = round(-low / unit)
        return (((value / scale / unit).round() + zero).clamp(0, 255) - zero) * unit * scale

    def convolved(self, step, value):
        """The result of a layer without its activation."""
        weight = self.weights.get(step.output, step.weight)
        return step.convolved(value, weight, step.bias + self.corrections.get(step.output, 0))

    def correct(self, images):
        """Finds the corrections of biases, from the first layer to the last."""
        exact, rough = {self.network.input: images}, {self.network.input: images}
        readers = {}
        for step in self.network.steps:
            for number in step.inputs:
                readers[number] = readers.get(number, 0) + 1
        for step in self.network.steps:
            if step.kind in CONVOLUTIONS:
                right = step.convolved(exact[step.inputs[0]], step.weight, step.bias)
                if step.output in self.weights:
                    wrong = self.convolved(step, rough[step.inputs[0]])
                    difference = (right - wrong).mean((0, 2, 3))
                    for _ in range(ROUNDS - 1):
                        shown = activated(wrong + difference.view(1, -1, 1, 1), step.activation)
                        difference = difference + (activated(right, step.activation) - shown).mean((0, 2, 3))
                    difference = torch.from_numpy(difference.numpy().astype(np.float16).astype(np.float32))
                    self.corrections[step.output] = difference
                exact[step.output] = activated(right, step.activation)
                result = activated(self.convolved(step, rough[step.inputs[0]]), step.activation)
            else:
                exact[step.output] = step.followed([exact[number] for number in step.inputs])
                result = step.followed([rough[number] for number in step.inputs])
            rough[step.output] = self.rounded(step.output, result)
            for number in step.inputs:
                readers[number] -= 1
                if not readers[number]:
                    del exact[number], rough[number]

    def run(self, image):
        """The outputs of the network in 8 bits."""
        values = {self.network.input: image}
        for step in self.network.steps:
            inputs = [values[number] for number in step.inputs]
            if step.kind in CONVOLUTIONS:
                value = activated(self.convolved(step, inputs[0]), step.activation)
            else:
                value = step.followed(inputs)
            values[step.output] = self.rounded(step.output, value)
        return {number: values[number] for number in self.network.outputs}

    def write(self, path):
        names, numbers = self.network.names, sorted(self.bytes)
        layers = [step.output for step in self.layers]
        tables.write(
            path, tensors=[names[number] for number in numbers],
            low=np.array([self.ranges[number][0] for number in numbers], np.float32),
            high=np.array([self.ranges[number][1] for number in numbers], np.float32),
            channels=np.array([len(self.scales[number]) for number in numbers], np.int32),
            scales=np.concatenate([self.scales[number].numpy() for number in numbers]).astype(np.float16),
            layers=[names[number] for number in layers],
            counts=np.array([len(self.corrections[number]) for number in layers], np.int32),
            corrections=np.concatenate([self.corrections[number].numpy() for number in layers]).astype(np.float16))
        print(f"{len(numbers)} tensors, {len(layers)} layers in 8 bits")


def compare(network, calibration, images):
    exact, rough = network.run(images), calibration.run(images)
    for number in network.outputs:
        one, other = exact[number], rough[number]
        difference = (one - other).pow(2).mean((0, 2, 3)) / one.var((0, 2, 3)).clamp(min=1e-12)
        print(f"output {number}, {tuple(one.shape[1:])}: squared error as a share of the variance, "
              f"median of the channels {difference.median():.4f}, largest {difference.max():.4f}")
    if network.side == 256:
        one, other = (run[network.outputs[0]].reshape(len(images), -1, 5)[:, :33, :2] for run in (exact, rough))
        moved = (one - other).norm(dim=-1).flatten()
        print(f"landmarks move by {moved.median():.2f} pixels of {network.side} in the median, {moved.mean():.2f} in "
              f"the mean, nine of ten by less than {moved.quantile(0.9):.2f}")


@torch.inference_mode()
def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=pathlib.Path)
    parser.add_argument("network", type=pathlib.Path)
    parser.add_argument("output", type=pathlib.Path)
    parser.add_argument("--people", type=int, default=256)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    network = Network(arguments.network)
    # The mask of landmarks is another reader's.
    network.outputs = [number for number in network.outputs if number != 297 or network.side == 224]
    network.keep_needed()
    photos = json.loads(arguments.photos.read_text())
    random = np.random.default_rng(arguments.seed)
    images = views([photo for photo in photos if not photo["held_out"]], network, arguments.people, random)
    others = views([photo for photo in photos if photo["held_out"]], network, 96, random)
    calibration = Calibration(network, FLOATS[arguments.network.stem], images)
    calibration.correct(images[:CORRECTED_ON])
    compare(network, calibration, others)
    calibration.write(arguments.output)


if __name__ == "__main__":
    main()
