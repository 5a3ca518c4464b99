#!/usr/bin/env python3
"""Makes images in which nothing stands out: parts of photographs outside their masks, and drawn ones.

needs: numpy, pillow

    blanks.py PHOTOS MASKS NAMES OUT [--count 600] [--held-out 500] [--seed 7]

NAMES: `names.txt` of features.py. The first photographs, which are held out, are left out; with --test only these are
used. OUT/images and OUT/masks (all black) are for features.py. Six of ten are parts of photographs, at least 12 % of
their area; the others are even, gradients, noise, smoothed noise, chequers or stripes.
"""
import argparse
import pathlib

import numpy as np
from PIL import Image

SIZE = (300, 400)


def outside(photo, mask, random):
    """Returns the largest of random rectangles without any of the mask; none if all are small."""
    width, height = photo.size
    sums = np.pad((np.asarray(mask.convert("L")) > 32).cumsum(0).cumsum(1), ((1, 0), (1, 0)))
    best = (0.12 * width * height, None)
    for _ in range(400):
        columns, rows = (int(random.uniform(0.25, 0.9) * random.uniform(0.8, 1) * side) for side in (width, height))
        x, y = random.integers(0, width - columns + 1), random.integers(0, height - rows + 1)
        covered = sums[y + rows, x + columns] - sums[y, x + columns] - sums[y + rows, x] + sums[y, x]
        if covered == 0 and columns * rows > best[0]:
            best = (columns * rows, (x, y, x + columns, y + rows))
    return photo.crop(best[1]) if best[1] else None


def drawn(random):
    y, x = np.mgrid[:SIZE[0], :SIZE[1]].astype(float)
    first, second = random.integers(0, 256, (2, 3))
    kind = random.integers(6)
    if kind == 0:
        values = np.broadcast_to(random.choice([0, 127, 255]) if random.random() < 0.2 else first, (*SIZE, 3))
    elif kind == 1:
        angle = random.uniform(0, 2 * np.pi)
        share = np.cos(angle) * x / SIZE[1] + np.sin(angle) * y / SIZE[0]
        values = first + (second - first) * ((share - share.min()) / np.ptp(share))[..., None]
    elif kind == 2:
        values = first + random.normal(0, random.uniform(3, 90), (*SIZE, random.choice([1, 3])))
    elif kind == 3:
        factor = 2 ** random.integers(1, 7)
        small = random.integers(0, 256, (SIZE[0] // factor + 1, SIZE[1] // factor + 1, 3)).astype(np.uint8)
        values = np.asarray(Image.fromarray(small).resize(SIZE[::-1], Image.Resampling.BICUBIC))
    else:
        period = random.uniform(3, 60)
        wave = (x // period + y // period) % 2 if kind == 4 else (
            0.5 + 0.5 * np.sin(2 * np.pi * (x if random.random() < 0.5 else y) / period))
        values = first + (second - first) * wave[..., None]
    return Image.fromarray(np.clip(np.broadcast_to(values, (*SIZE, 3)), 0, 255).astype(np.uint8))


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("photos", type=pathlib.Path)
    parser.add_argument("masks", type=pathlib.Path)
    parser.add_argument("names", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=600)
    parser.add_argument("--held-out", type=int, default=500)
    parser.add_argument("--test", action="store_true")
    parser.add_argument("--seed", type=int, default=7)
    options = parser.parse_args()
    random = np.random.default_rng(options.seed)
    names = options.names.read_text().splitlines()
    names = names[:options.held_out] if options.test else names[options.held_out:]
    for folder in ("images", "masks"):
        (options.out / folder).mkdir(parents=True, exist_ok=True)
    images = [drawn(random) for _ in range(options.count * 2 // 5)]
    for name in names:
        if len(images) >= options.count:
            break
        with Image.open(options.photos / name) as photo, Image.open(
                options.masks / (pathlib.Path(name).stem + ".png")) as mask:
            part = outside(photo.convert("RGB"), mask, random)
        if part:
            images.append(part)
    for index, image in enumerate(images):
        image.save(options.out / "images" / f"{index:04}.png")
        Image.new("L", image.size).save(options.out / "masks" / f"{index:04}.png")


if __name__ == "__main__":
    main()
