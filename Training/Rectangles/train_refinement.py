#!/usr/bin/env python3
"""Trains the network that tells where the outline is of a thing that a quad is far from.

usage: train_refinement.py DATA OUT.pt [--start PT] [--hard FOLDER] [--minutes M]

Of its outlines only the nearest learns, the others hardly: where a band could be the rim as well, one outline is left to each.
"""
import glob

import torch
import torch.nn.functional as F

from networks import Refinement
from training import arguments, load, pictures, train, varied

NAMES = ("strays", "offsets")
BATCH = 192


def losses(out, ways):
    """What the outlines miss, the best of them, and which that is; and the mean error of the best and of the likeliest."""
    outlines = out.reshape(len(out), Refinement.OUTLINES, 9)
    gaps = outlines[:, :, 1:] - ways[:, None]
    missed = F.smooth_l1_loss(gaps, torch.zeros_like(gaps), beta=0.03, reduction="none").mean(2)
    best = missed.argmin(1)
    choice = F.cross_entropy(outlines[:, :, 0], best)
    errors = gaps.reshape(len(out), Refinement.OUTLINES, 4, 2).norm(dim=3).mean(2)
    rows = torch.arange(len(out))
    return (
        10 * missed[rows, best].mean() + 0.3 * missed.mean() + 0.1 * choice, choice, errors[rows, best],
        errors[rows, outlines[:, :, 0].argmax(1)])


def main():
    args = arguments(__doc__, rate=2e-3)

    def pool_of(rng, files):
        chosen = list(rng.choice(files, min(12, len(files)), replace=False))
        return load(chosen + (sorted(glob.glob(args.hard + "/*.npz")) if args.hard else []), NAMES)

    def loss_of(model, rng, pool):
        index = rng.integers(0, len(pool[1]), BATCH)
        x, ways = varied(rng, pool[0][index], pool[1][index])
        with torch.autocast("cpu", torch.bfloat16):
            out = model(x)
        return losses(out.float(), ways)[0]

    def report(model, held):
        strays, ways = load(held, NAMES)
        out = torch.cat([model(pictures(strays[i : i + 512])) for i in range(0, len(strays), 512)])
        loss, choice, best, likeliest = losses(out, torch.from_numpy(ways))
        ninth = torch.tensor(0.9)
        return (
            f"loss {loss:.4f}, choice {choice:.4f}, error of the best outline {best.median():.4f} of the side, nine of ten below"
            f" {best.quantile(ninth):.4f}, of the likeliest {likeliest.median():.4f}, {likeliest.quantile(ninth):.4f}")

    train(Refinement(), args, pool_of, loss_of, report, every=600, keep=0.995)


if __name__ == "__main__":
    main()
