#!/usr/bin/env python3
"""Turns blurred fixation maps back into nearly points, as targets of the attention head.

needs: numpy

    fixations.py FEATURES [--sigma 0.055] [--kept 0.016] [--rounds 40]

FEATURES: a folder made by features.py; `density.npy` is added: for each photograph and view a map, 68 x 68, that sums
to 1 (half floats, times 1024). --sigma: the blur of the maps, as a share of the side; 0 if they are nearly points
already. --kept: the blur of the targets. The method is that of Richardson and Lucy.
"""
import argparse
import pathlib

import numpy as np

SIDE = 68
SCALE = 1024
CHUNK = 50


def blurring(sigma):
    """Returns the matrix that blurs rows or columns; what leaves the map is lost."""
    distance = np.arange(SIDE)[:, None] - np.arange(SIDE)
    kernel = np.exp(-0.5 * (distance / sigma) ** 2)
    return (kernel / np.exp(-0.5 * (np.arange(-SIDE, SIDE + 1) / sigma) ** 2).sum()).astype(np.float32)


def sharpened(blurred, sigma, rounds):
    """Undoes the blur of maps, count x rows x columns."""
    kernel = blurring(sigma)
    inside = np.maximum(kernel @ np.ones((SIDE, SIDE), np.float32) @ kernel, 1e-3)
    estimate = blurred.copy()
    for _ in range(rounds):
        estimate *= (kernel @ (blurred / np.maximum(kernel @ estimate @ kernel, 1e-6)) @ kernel) / inside
    return estimate


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("features", type=pathlib.Path)
    parser.add_argument("--sigma", type=float, default=0.055)
    parser.add_argument("--kept", type=float, default=0.016)
    parser.add_argument("--rounds", type=int, default=40)
    options = parser.parse_args()

    truth = np.load(options.features / "truth.npy", mmap_mode="r")
    density = np.zeros((*truth.shape[:2], SIDE, SIDE), np.float16)
    step = truth.shape[-1] // SIDE
    done = int((options.features / "done.txt").read_text())
    kept = blurring(options.kept * SIDE)
    for view in range(-(-done // len(truth))):
        count = min(done - view * len(truth), len(truth))
        for first in range(0, count, CHUNK):
            part = slice(first, min(first + CHUNK, count))
            values = truth[part, view].astype(np.float32)
            values = values.reshape(-1, SIDE, step, SIDE, step).mean((2, 4)) / 255
            # The lowest grey levels are rounding.
            values[values < 1.5 / 255] = 0
            if options.sigma:
                values = sharpened(values, options.sigma * SIDE, options.rounds)
            values = kept @ values @ kept
            density[part, view] = values / np.maximum(values.sum((1, 2), keepdims=True), 1e-6) * SCALE
    np.save(options.features / "density.new.npy", density)
    (options.features / "density.new.npy").replace(options.features / "density.npy")
    (options.features / "density-done.txt").write_text(str(done))


if __name__ == "__main__":
    main()
