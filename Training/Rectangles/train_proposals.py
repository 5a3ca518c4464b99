#!/usr/bin/env python3
"""Trains the network that tells where rectangular things are.

usage: train_proposals.py DATA OUT.pt [--start PT] [--minutes M]
"""
import torch
import torch.nn.functional as F

from networks import Proposals
from samples import SMALL
from training import arguments, load, tinted, train, turned

NAMES = ("small", "quads", "shares")
CELLS, STEP, UNIT = 20, 8.0, 80
BATCH = 24
# From which corner a quad is told does not matter.
ORDERS = torch.tensor([[(first + i) % 4 for i in range(4)] for first in range(4)])


def cells():
    grid = (torch.arange(CELLS) + 0.5) * STEP
    y, x = torch.meshgrid(grid, grid, indexing="ij")
    return torch.stack([x, y], -1).reshape(-1, 2)


def cross(a, b):
    return a[..., 0] * b[..., 1] - a[..., 1] * b[..., 0]


def side(quads):
    return (quads - quads.roll(-1, -2)).norm(dim=-1).mean(-1)


def clockwise(quads):
    edges = quads.roll(-1, 2) - quads
    return torch.where((cross(edges, edges.roll(-1, 2)).sum(2) < 0)[..., None, None], quads.flip(2), quads)


def targets(quads, shares):
    """Of each cell: the thing it is to tell of, whether it does, how near it is to its middle, and whether not to ask."""
    a, b, c, d = (quads[:, :, k] for k in range(4))
    turn = cross(c - a, d - b)
    along = cross(b - a, d - b) / torch.where(turn.abs() < 1e-3, torch.ones_like(turn), turn)
    # Where the diagonals cross.
    middle = a + (c - a) * along[..., None]
    distance = (cells() - middle[:, :, None]).norm(dim=3) / (0.18 * side(quads)).clamp(min=6.5)[:, :, None]
    distance = torch.where((shares >= 0)[:, :, None], distance, torch.full_like(distance, 99))
    best, owner = distance.min(1)
    skipped = (best < 1.6) & (shares.gather(1, owner) < 0.6)
    value = torch.where(best < 1.6, torch.exp(-2 * best**2), torch.zeros_like(best))
    return owner, (best < 1) & ~skipped, value, skipped


def losses(score, corners, quads, shares):
    count = len(quads)
    owner, has, value, skipped = targets(quads, shares)
    logit = score.reshape(count, -1)
    weight = (value - torch.sigmoid(logit)).abs().detach() ** 1.5 * (~skipped).float()
    heat = F.binary_cross_entropy_with_logits(logit, value, reduction="none") * weight
    own = corners.reshape(count, 8, -1).permute(0, 2, 1)[has].reshape(-1, 4, 2)
    truth = quads[torch.arange(count)[:, None].expand_as(owner)[has], owner[has]]
    wanted = (truth - cells()[None].expand(count, -1, -1)[has][:, None]) / UNIT
    gaps = (own[:, None] - wanted[:, ORDERS]).norm(dim=3) / (side(truth) / UNIT)[:, None, None]
    place = (gaps**2 + 0.02**2).sqrt().mean(2).min(1).values
    return heat.sum() / has.sum().clamp(min=1), place.mean()


def pictures(small):
    return torch.from_numpy(small).permute(0, 3, 1, 2).float() / 128 - 1


def moved(rng, x, quads, shares):
    """Smaller or larger, and elsewhere."""
    scale = float(torch.exp(torch.tensor(rng.normal(0, 0.25))))
    shift = torch.from_numpy(rng.normal(0, 0.1, 2)).float()
    map = torch.tensor([[1 / scale, 0, -shift[0] / scale], [0, 1 / scale, -shift[1] / scale]])
    x = F.grid_sample(
        x, F.affine_grid(map[None].expand(len(x), -1, -1), x.shape, align_corners=False), align_corners=False)
    quads = ((quads / UNIT - 1) * scale + shift + 1) * UNIT
    gone = ((quads < 0.5) | (quads > SMALL - 0.5)).any(3).any(2) | (side(quads) < 12)
    return x, quads, torch.where(gone & (shares >= 0), torch.zeros_like(shares), shares)


def found(score, corners, quads, shares):
    """For each thing the error of the best outline, in parts of its side."""
    outlines = corners.reshape(len(score), 4, 2, -1).permute(0, 3, 1, 2) * UNIT + cells()[None, :, None]
    sure = torch.sigmoid(score.reshape(len(score), -1))
    for picture in range(len(score)):
        best = sure[picture].topk(20).indices
        best = best[sure[picture][best] > 0.1]
        for quad in quads[picture][shares[picture] >= 0.6]:
            gaps = (outlines[picture, best][:, None] - quad[ORDERS][None]).norm(dim=3).mean(2) / side(quad)
            yield gaps.min().item() if len(best) else 9.0


def main():
    args = arguments(__doc__, rate=3e-3)

    def pool_of(rng, files):
        return load(rng.choice(files, min(24, len(files)), replace=False), NAMES)

    def loss_of(model, rng, pool):
        index = rng.integers(0, len(pool[0]), BATCH)
        x, quads, shares = pictures(pool[0][index]), *(torch.from_numpy(values[index]) for values in pool[1:])
        x, quads = turned(x, quads, int(rng.integers(4)), rng.random() < 0.5, float(SMALL))
        quads = clockwise(quads)
        x = tinted(rng, x)
        if rng.random() < 0.5:
            x, quads, shares = moved(rng, x, quads, shares)
        heat, place = losses(*model(x.contiguous(memory_format=torch.channels_last)), quads, shares)
        return heat + 2 * place

    def report(model, held):
        small, quads, shares = load(held, NAMES)
        quads, shares = clockwise(torch.from_numpy(quads)), torch.from_numpy(shares)
        outs = [model(pictures(small[i : i + 100])) for i in range(0, len(small), 100)]
        score, corners = (torch.cat(parts) for parts in zip(*outs))
        heat, place = losses(score, corners, quads, shares)
        errors = torch.tensor(list(found(score, corners, quads, shares)))
        shares_found = [round((errors < limit).float().mean().item(), 3) for limit in (0.1, 0.15, 0.25)]
        return f"losses {heat:.4f} {place:.4f}, found within .1, .15, .25 of the side {shares_found}"

    train(Proposals(), args, pool_of, loss_of, report, every=400, keep=0.996)


if __name__ == "__main__":
    main()
