#!/usr/bin/env python3
"""Collects what the branch of classes sees where the people network suspects people, for train_classes.py.

usage: class_patches.py PEOPLE.pt OUT.npz PHOTOS.json... [--part train|validation] [--people N] [--empty N] [--seed 23]

The rest of the network stays as it is, so that each photograph is run only once. Of every anchor whose objectness or
score is high enough OUT.npz has the 5 x 5 x 64 neighbourhood in the map before the branch, which rows and columns of
the inner 3 x 3 lie in the map, and the target: the overlap with the person it shows, 0 for none.

needs: numpy, onnx, pillow, torch
"""
import argparse
import json
import pathlib

import numpy as np
import torch
from PIL import Image
from torch.nn import functional

from network import STRIDES, People, anchors, split
from predict import overlaps, prepared

LEAST_OBJECTNESS, MOST_ANCHORS = 0.08, 100


def read(path, part):
    content = json.loads(path.read_text())
    if isinstance(content, list):
        return [photo for photo in content if photo["part"] == part]
    photos = []
    for entry in content["images"]:
        boxes = [person["box"] for person in entry["persons"]]
        persons = [{"box": [x, y, x + width, y + height], "ignore": False} for x, y, width, height in boxes]
        photos.append({"file": str(path.parent / entry["file"]), "name": entry["file"], "persons": persons})
    return photos


def targets(boxes, persons):
    """Returns for each box its overlap with a person, 0 if it shows none, -1 if that is not certain."""
    result = np.zeros(len(boxes), np.float32)
    certain = [person["box"] for person in persons if not person["ignore"]]
    if persons:
        shared = np.array([overlaps(np.array(person["box"]), boxes) for person in persons]).max(0)
        result[shared >= 0.25] = -1
    if certain:
        shared = np.array([overlaps(np.array(box), boxes) for box in certain]).max(0)
        result = np.where(shared >= 0.5, shared, result)
    return result


@torch.no_grad()
def collect(network, photo):
    image = Image.open(photo["file"])
    pixels, scale = prepared(image)
    value = torch.from_numpy(pixels)[None].permute(0, 3, 1, 2).contiguous(memory_format=torch.channels_last)
    maps = network.neck(*network.backbone(value))
    stems = [head.stem(part) for head, part in zip(network.heads, maps)]
    rows = []
    for head, stem in zip(network.heads, stems):
        place, upper = head.place(stem), head.upper(stem)
        rows.append(torch.cat((head.box(place), head.upper_box(upper), head.objectness(place),
                               head.upper_objectness(upper), head.class_score(head.kind(stem))), 1).flatten(2))
    points, strides = anchors(*pixels.shape[:2])
    boxes, uppers, logits = split(torch.cat(rows, 2)[0].T, points, strides)
    best = logits[:, :2].sigmoid().amax(1)
    chosen = best.topk(MOST_ANCHORS).indices
    chosen = chosen[best[chosen] > LEAST_OBJECTNESS]
    levels = [index for index, stem in enumerate(stems) for _ in range(stem.shape[2] * stem.shape[3])]
    patches, inside = [], []
    padded = [functional.pad(stem, (2, 2, 2, 2))[0] for stem in stems]
    for index in chosen.tolist():
        level = levels[index]
        rows, columns = stems[level].shape[2:]
        x, y = (int(value) for value in points[index])
        patches.append(padded[level][:, y : y + 5, x : x + 5])
        ys, xs = torch.arange(y - 1, y + 2), torch.arange(x - 1, x + 2)
        inside.append(((ys >= 0) & (ys < rows))[:, None] & ((xs >= 0) & (xs < columns))[None])
    size = [image.width, image.height] * 2
    boxes, uppers = (np.clip(part[chosen].numpy() / scale, 0, size) for part in (boxes, uppers))
    return {
        "patches": torch.stack(patches).numpy().astype(np.float16) if patches else np.zeros((0, 64, 5, 5), np.float16),
        "inside": torch.stack(inside).numpy() if inside else np.zeros((0, 3, 3), bool),
        "level": np.array([levels[index] for index in chosen.tolist()], np.int8),
        "logits": logits[chosen].numpy(), "boxes": boxes.astype(np.float32), "uppers": uppers.astype(np.float32),
        "targets": targets(boxes, photo["persons"])}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("network", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("photos", type=pathlib.Path, nargs="+")
    parser.add_argument("--part", default="train")
    parser.add_argument("--people", type=int, default=100000)
    parser.add_argument("--empty", type=int, default=100000)
    parser.add_argument("--seed", type=int, default=23)
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    network = People()
    network.load_state_dict(torch.load(arguments.network))
    network = network.eval().to(memory_format=torch.channels_last)
    photos = [photo for path in arguments.photos for photo in read(path, arguments.part)]
    chance = np.random.default_rng(arguments.seed)
    chance.shuffle(photos)
    some = [photo for photo in photos if photo["persons"]][: arguments.people]
    some += [photo for photo in photos if not photo["persons"]][: arguments.empty]
    chance.shuffle(some)
    found, names = [], []
    for index, photo in enumerate(some):
        found.append(collect(network, photo))
        names.append(photo.get("name", photo["file"]))
        if (index + 1) % 50 == 0 or index + 1 == len(some):
            counts = [len(entry["targets"]) for entry in found]
            arrays = {key: np.concatenate([entry[key] for entry in found]) for key in found[0]}
            if (index + 1) % 200 == 0 or index + 1 == len(some):
                np.savez(arguments.out, names=np.array(names), counts=np.array(counts), **arrays)
            print(index + 1, len(some), sum(counts), flush=True)


if __name__ == "__main__":
    main()
