#!/usr/bin/env python3
"""Training samples: scenes made small, and rectified crops of quads near the outlines of things, astray and far from them.

usage: samples.py chunks PHOTOS OUT COUNT [--seed N] [--skip NAME,…]     files of 200 scenes each
       samples.py scenes PHOTOS OUT COUNT [--seed N] [--skip NAME,…]     scenes as pictures, with the truth beside
       samples.py quads SCENES QUADS.csv OUT.npz                         crops of quads that something found in them

QUADS.csv is what `Benchmarks accuracy rectangle-detection SCENES --quads QUADS.csv` writes.
"""
import argparse
import collections
import csv
import math
import os

import cv2
import numpy as np

import scenes
from faces import number

SIZE = 64
# How much of a picture is around the quad on each side: for the verifier, and for the refinement network.
MARGIN, WIDE = 11, 18
SMALL = 160
FORMATS = [(640, 480)] * 6 + [(640, 360), (480, 640), (480, 480), (640, 427), (360, 640), (500, 375)]
MOST = 8


def pyramid(image):
    levels = [image]
    while min(levels[-1].shape[:2]) > 40:
        last = levels[-1]
        h, w = last.shape[0] // 2 * 2, last.shape[1] // 2 * 2
        levels.append(cv2.resize(last[:h, :w], (w // 2, h // 2), interpolation=cv2.INTER_AREA))
    return levels


def square_to(quad):
    """The map from the unit square to the quad."""
    return cv2.getPerspectiveTransform(np.float32([(0, 0), (1, 0), (1, 1), (0, 1)]), quad.astype(np.float32))


def sides(quad):
    return np.linalg.norm(quad - np.roll(quad, -1, 0), axis=1)


def crop(levels, quad, margin=MARGIN):
    low, high = margin, SIZE - margin
    level = int(np.clip(math.floor(math.log2(max(sides(quad).mean() / (high - low), 1))), 0, len(levels) - 1))
    source = (quad.astype(np.float64) / 2**level - 0.5).astype(np.float32)
    target = np.float32([(low, low), (high, low), (high, high), (low, high)]) - 0.5
    map = cv2.getPerspectiveTransform(target, source)
    way = cv2.INTER_LINEAR | cv2.WARP_INVERSE_MAP
    return cv2.warpPerspective(levels[level], map, (SIZE, SIZE), flags=way, borderMode=cv2.BORDER_REPLICATE)


def through(map, points):
    return cv2.perspectiveTransform(points.reshape(1, -1, 2).astype(np.float64), map).reshape(-1, 2)


ORDERS = np.array([[(k + i) % 4 for i in range(4)] for k in range(4)])


def offsets(quad, truth):
    """Of the truth's corners in the quad's frame, in the nearest order; and the mean distance in parts of its mean side."""
    both = np.concatenate([truth[ORDERS], truth[::-1][ORDERS]])
    distance = np.linalg.norm(both - quad, axis=2).mean(1)
    best = both[np.argmin(distance)]
    rectified = through(np.linalg.inv(square_to(quad)), best)
    return (rectified - [(0, 0), (1, 0), (1, 1), (0, 1)]).reshape(8), distance.min() / max(sides(truth).mean(), 1)


def is_convex(quad):
    d = np.roll(quad, -1, 0) - quad
    e = np.roll(d, -1, 0)
    turn = d[:, 0] * e[:, 1] - d[:, 1] * e[:, 0]
    return (turn > 1).all() or (turn < -1).all()


def is_usable(quad):
    return np.isfinite(quad).all() and is_convex(quad) and sides(quad).min() >= 12


def moved(rng, quad):
    """Some quad near this one."""
    map = square_to(quad)
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    size = math.exp(number(rng, math.log(0.008), math.log(0.22)))
    way = rng.random()
    if way < 0.3:
        square = square + rng.normal(0, size / 1.5, (4, 2))
    elif way < 0.5:
        square = (square - 0.5) * (1 + rng.normal(0, size, 2)) + 0.5 + rng.normal(0, size / 1.5, 2)
        square = square + rng.normal(0, size / 4, (4, 2))
    else:
        # Sides to other lines.
        u0, v0, u1, v1 = 0.0, 0.0, 1.0, 1.0
        push = np.abs(rng.normal(0, 1, 4)) * size * 1.5 * (1 if rng.random() < 0.75 else -1)
        push *= rng.random(4) < (1 if rng.random() < 0.4 else 0.4)
        if rng.random() < 0.3:
            push[:] = size * (1 if rng.random() < 0.75 else -1)
        u0, v0, u1, v1 = u0 + push[0], v0 + push[1], u1 - push[2], v1 - push[3]
        square = np.array([(u0, v0), (u1, v0), (u1, v1), (u0, v1)]) + rng.normal(0, 0.004, (4, 2))
    return through(map, square)


def part(rng, quad):
    """A part of a thing, or a thing and more beside it."""
    u = np.sort(rng.random(2)) if rng.random() < 0.7 else np.array([0, 1 + number(rng, -0.7, 1)])
    v = np.sort(rng.random(2)) if rng.random() < 0.4 else np.array([0.0, 1.0])
    if u[1] - u[0] < 0.15 or v[1] - v[0] < 0.15:
        u, v = np.array([0, 0.5]), np.array([0, 1])
    square = np.array([(u[0], v[0]), (u[1], v[0]), (u[1], v[1]), (u[0], v[1])], float)
    if rng.random() < 0.5:
        square = square[:, ::-1]
    return through(square_to(quad), square)


def astray(rng, quad):
    """Some quad farther from this one, of another shape."""
    square = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], float)
    size = math.exp(number(rng, math.log(0.02), math.log(0.24)))
    way = rng.random()
    if way < 0.3:
        square = square + rng.normal(0, size / 1.4, (4, 2))
    elif way < 0.6:
        turn, centred = rng.normal(0, size * 1.6), square - 0.5
        square = np.stack([
            centred[:, 0] * math.cos(turn) - centred[:, 1] * math.sin(turn),
            centred[:, 0] * math.sin(turn) + centred[:, 1] * math.cos(turn)], 1)
        square = square * (1 + rng.normal(0, size, 2)) + 0.5 + rng.normal(0, size / 1.5, 2)
        square = square + rng.normal(0, size / 3, (4, 2))
    elif way < 0.75:
        corner = rng.integers(4)
        square[corner] += rng.normal(0, size * 1.8, 2)
        square = square + rng.normal(0, size / 4, (4, 2))
    elif way < 0.9:
        # Sides to other lines.
        push = np.abs(rng.normal(0, 1, 4)) * size * 2 * (1 if rng.random() < 0.7 else -1) * (rng.random(4) < 0.5)
        square = square + [(push[0], push[1]), (-push[2], push[1]), (-push[2], -push[3]), (push[0], -push[3])]
        square = square + rng.normal(0, 0.01, (4, 2))
    else:
        return part(rng, quad)
    return through(square_to(quad), square)


def proposals(rng, width, height, quads, shares):
    """Quads that are right, nearly right and wrong."""
    tries = []
    for quad, share in zip(quads, shares):
        if share < 0.6:
            continue
        tries += [quad + rng.normal(0, number(rng, 0, 0.012) * sides(quad).mean(), (4, 2)) for _ in range(2)]
        tries += [moved(rng, quad) for _ in range(7)]
        tries += [part(rng, quad) for _ in range(2)]
    for _ in range(24):
        found = scenes.pose(rng, width, height, 0.1)
        if found is not None:
            tries.append(found[0])
    middle = (width / 2, height / 2)
    return [quad for quad in tries if (np.abs(quad - middle) <= (0.75 * width, 0.75 * height)).all()]


def target(quad, quads, shares):
    """Whether a thing's outline is near (-1: not to be asked), the error, the offsets; None near what is hardly seen."""
    best, error, seen = np.zeros(8), 9.0, 1.0
    for truth, share in zip(quads, shares):
        o, e = offsets(quad, truth)
        if e < error:
            best, error, seen = o, e, share
    if error < 0.6 and seen < 0.6:
        return None
    near = 1 if error < 0.28 and np.abs(best).max() < 0.6 else (-1 if error < 0.4 else 0)
    return near, error, best if near == 1 else np.zeros(8)


def exactness(error):
    """How far a quad counts as the outline itself: certain up to half a hundredth of the side, never beyond 2.5."""
    return min(max(1.25 - error / 0.02, 0), 1)


class Crops:
    """Pictures of quads and what is to be said of them."""

    def __init__(self):
        self.pictures, self.targets = [], []

    def add(self, levels, quad, quads, shares):
        if not is_usable(quad):
            return
        answer = target(quad, quads, shares)
        if answer is not None:
            self.pictures.append(crop(levels, quad)[:, :, ::-1])
            self.targets.append(answer)

    def save(self, path, **more):
        near, errors, ways = (np.array(part) for part in zip(*self.targets))
        np.savez(
            path, crops=np.array(self.pictures), kinds=near.astype(np.int8), errors=errors.astype(np.float32),
            ways=ways.astype(np.float32), **more)
        print(path, len(near), "crops, near", (near == 1).mean(), "exact", (errors < 0.025).mean(), flush=True)


class Strays:
    """Pictures of quads that are off, with more around them, and where the outline is."""

    def __init__(self):
        self.pictures, self.offsets = [], []

    def add(self, levels, quad, quads, shares):
        if not is_usable(quad):
            return
        ways, errors = zip(*(offsets(quad, truth) for truth in quads))
        best = int(np.argmin(errors))
        if shares[best] >= 0.6 and errors[best] < 0.45 and np.abs(ways[best]).max() < 0.8:
            self.pictures.append(crop(levels, quad, WIDE)[:, :, ::-1])
            self.offsets.append(ways[best])

    def arrays(self):
        pictures = np.array(self.pictures, np.uint8).reshape(-1, SIZE, SIZE, 3)
        return {"strays": pictures, "offsets": np.array(self.offsets, np.float32).reshape(-1, 8)}


def small(image, quads):
    h, w = image.shape[:2]
    scale = SMALL / max(h, w)
    nw, nh = round(w * scale), round(h * scale)
    x, y = (SMALL - nw) // 2, (SMALL - nh) // 2
    result = np.full((SMALL, SMALL, 3), 128, np.uint8)
    result[y : y + nh, x : x + nw] = cv2.resize(image, (nw, nh), interpolation=cv2.INTER_AREA)
    return result, quads * scale + (x, y)


def random_scene(seed, number, photos):
    rng = np.random.default_rng([seed, number])
    width, height = FORMATS[rng.integers(len(FORMATS))]
    return rng, *scenes.scene(rng, photos, width, height)


def write_chunks(photos, out, count, seed):
    for chunk in range(count):
        crops, strays, smalls, places, seen = Crops(), Strays(), [], [], []
        for index in range(200):
            rng, image, quads, shares = random_scene(seed, 200 * chunk + index, photos)
            picture, at = small(image, quads)
            smalls.append(picture[:, :, ::-1])
            place, share = np.zeros((MOST, 4, 2), np.float32), np.full(MOST, -1, np.float32)
            place[: len(at)], share[: len(at)] = at, shares
            places.append(place)
            seen.append(share)
            levels = pyramid(image)
            for quad in proposals(rng, image.shape[1], image.shape[0], quads, shares):
                crops.add(levels, quad, quads, shares)
            for quad, share in zip(quads, shares):
                for _ in range(14 if share >= 0.6 else 0):
                    strays.add(levels, astray(rng, quad), quads, shares)
        crops.save(
            f"{out}/{chunk:04d}.npz", small=np.array(smalls), quads=np.array(places), shares=np.array(seen),
            **strays.arrays())


def write_scenes(photos, out, count, seed):
    for index in range(count):
        _, image, quads, shares = random_scene(seed, index, photos)
        cv2.imwrite(f"{out}/{index:05d}.png", image)
        np.savez(f"{out}/{index:05d}.npz", quads=quads, shares=shares)


def crops_of_quads(folder, table, out):
    """Of the examined quads those that the verifier was most wrong about, and some of the rest; and some strays."""
    rng = np.random.default_rng(1)
    found = collections.defaultdict(list)
    for row in csv.reader(open(table)):
        found[row[0]].append((float(row[1]), np.array([float(v) for v in row[2:10]], np.float32).reshape(4, 2)))
    crops, strays = Crops(), Strays()
    for name in sorted(found):
        base = os.path.splitext(os.path.basename(name))[0]
        truth = np.load(f"{folder}/{base}.npz")
        quads, shares = truth["quads"], truth["shares"]
        entries = []
        for odds, quad in found[name]:
            answer = target(quad, quads, shares) if is_convex(quad) else None
            # What is sure and fits nothing that was drawn may be a thing of the photograph.
            if answer is not None and (answer[1] <= 0.4 or odds <= 1):
                wrong = abs(exactness(answer[1]) - 1 / (1 + math.exp(-odds)))
                entries.append((wrong + 0.2 * rng.random(), quad))
        entries.sort(key=lambda entry: -entry[0])
        levels = pyramid(cv2.imread(f"{folder}/{base}.png"))
        for _, quad in entries[:24] + entries[24::9]:
            crops.add(levels, quad, quads, shares)
        far = [quad for _, quad in found[name] if len(quads) and is_convex(quad)]
        far = [quad for quad in far if min(offsets(quad, truth)[1] for truth in quads) > 0.03]
        for index in rng.permutation(len(far))[:28]:
            strays.add(levels, far[index], quads, shares)
    crops.save(out, **strays.arrays())


def main():
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["chunks", "scenes", "quads"])
    parser.add_argument("source")
    parser.add_argument("second", help="OUT, or QUADS.csv")
    parser.add_argument("third", help="COUNT, or OUT.npz")
    parser.add_argument("--seed", type=int, default=5)
    parser.add_argument("--skip", default="", help="names of photographs that are not to be used")
    args = parser.parse_args()
    cv2.setNumThreads(1)
    if args.what == "quads":
        return crops_of_quads(args.source, args.second, args.third)
    photos = scenes.load_photos(args.source, set(args.skip.split(",")))
    os.makedirs(args.second, exist_ok=True)
    write = write_chunks if args.what == "chunks" else write_scenes
    write(photos, args.second, int(args.third), args.seed)


if __name__ == "__main__":
    main()
