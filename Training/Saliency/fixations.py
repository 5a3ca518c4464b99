#!/usr/bin/env python3
"""Turns blurred fixation maps back into nearly points, as targets of the attention head.

needs: numpy, scipy

    fixations.py FEATURES [--sigma 0.055] [--kept 0.016] [--rounds 40]

FEATURES: a folder made by features.py; `density.npy` is added: for each photograph and view a map, 68 x 68, that sums to
1 (half floats, times 1024). --sigma: the blur of the maps, as a share of the side; 0 if they are nearly points already.
--kept: the blur of the targets. The method is that of Richardson and Lucy.
"""
import argparse
import pathlib

import numpy as np
from scipy.ndimage import gaussian_filter

SIDE = 68
SCALE = 1024


def sharpened(blurred, sigma, rounds):
    def blur(values):
        return gaussian_filter(values, sigma, mode="constant", truncate=3.5)

    inside = np.maximum(blur(np.ones_like(blurred)), 1e-3)
    estimate = blurred.copy()
    for _ in range(rounds):
        estimate *= blur(blurred / np.maximum(blur(estimate), 1e-6)) / inside
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
    for count in range(done):
        view, index = divmod(count, len(truth))
        values = truth[index, view].astype(np.float32)
        values = values.reshape(SIDE, step, SIDE, step).mean((1, 3)) / 255
        # The lowest grey levels are rounding.
        values[values < 1.5 / 255] = 0
        if options.sigma:
            values = sharpened(values, options.sigma * SIDE, options.rounds)
        values = gaussian_filter(values, options.kept * SIDE, mode="constant")
        density[index, view] = values / max(values.sum(), 1e-6) * SCALE
    np.save(options.features / "density.npy", density)


if __name__ == "__main__":
    main()
