#!/usr/bin/env python3
"""Trains the network that scores how exactly a quad is the outline of an object, and corrects it.

usage: train_verifier.py DATA OUT.pt [--start PT] [--hard FOLDER] [--minutes M]
"""
import glob

import torch
import torch.nn.functional as F

from networks import Verifier
from training import arguments, images, load, train, varied

NAMES = ("crops", "kinds", "errors", "ways")
BATCH = 192


def losses(out, kinds, errors, ways):
    known, have = kinds >= 0, kinds > 0
    near = F.binary_cross_entropy_with_logits(out[known, 0], (kinds[known] > 0).float())
    # As samples.exactness.
    exact = torch.clamp(1.25 - errors / 0.02, 0, 1)
    this = F.binary_cross_entropy_with_logits(out[:, 1], exact)
    gap = (out[have, 2:] - ways[have]) / errors[have, None].clamp(min=0.02).sqrt() * 3
    move = F.smooth_l1_loss(gap, torch.zeros_like(gap), beta=0.1)
    return near, this, move


def main():
    args = arguments(__doc__, rate=2e-3)

    def pool_of(rng, files):
        chosen = list(rng.choice(files, min(16, len(files)), replace=False))
        return load(chosen + (sorted(glob.glob(args.hard + "/*.npz")) if args.hard else []), NAMES)

    def loss_of(model, rng, pool):
        index = rng.integers(0, len(pool[1]), BATCH)
        kinds, errors = (torch.from_numpy(values[index]) for values in pool[1:3])
        x, ways = varied(rng, pool[0][index], pool[3][index])
        with torch.autocast("cpu", torch.bfloat16):
            out = model(x)
        return sum(losses(out.float(), kinds.long(), errors, ways))

    def report(model, held):
        crops, kinds, errors, ways = load(held, NAMES)
        out = torch.cat([model(images(crops[i : i + 512])) for i in range(0, len(crops), 512)])
        kinds, errors, ways = torch.from_numpy(kinds), torch.from_numpy(errors), torch.from_numpy(ways)
        values = [round(value.item(), 4) for value in losses(out, kinds.long(), errors, ways)]
        far = (kinds > 0) & (errors > 0.05)
        after = (out[far, 2:] - ways[far]).reshape(-1, 4, 2).norm(dim=2).mean(1)
        good, bad = out[errors < 0.02, 1], out[errors > 0.05, 1]
        pairs = good[torch.randint(len(good), (20000,))] > bad[torch.randint(len(bad), (20000,))]
        right = pairs.float().mean()
        return f"losses {values}, exact before inexact {right:.4f}, from afar to {after.median():.4f} of the side"

    train(Verifier(), args, pool_of, loss_of, report, every=600, keep=0.995)


if __name__ == "__main__":
    main()
