#!/usr/bin/env python3
"""Trains a saliency head on features made by features.py.

needs: numpy, torch

    train.py KIND FEATURES[,FEATURES ...] OUT.pt [--minutes 30 | --steps 3000] [--start OTHER.pt] [--seed 1]
             [--teachers A.pt,B.pt ... --teacher-share 0.5 --unlabelled FEATURES]

KIND: objectness or attention; attention needs what fixations.py makes of the features. The first 500 photographs (of
attention: the first 300, or half of a small folder) of each folder are held out: OUT.pt is measured on them, and
nothing is trained on them. The weights kept are the running mean. --start: a head whose layers of the same name and
shape are the initial ones.

--teachers (attention): the truth is mixed with the mean map of these heads. --unlabelled: features of photographs
without truth, for which that map stands alone.
"""
import argparse
import concurrent.futures
import math
import pathlib
import time

import numpy as np
import torch
import torch.nn.functional as F

import networks
import scores

HELD_OUT = {"objectness": 500, "attention": 300}
EDGE = 15
# The density of fixations, relative to an even one over the map, at which attention is 1.
FULL_ATTENTION = 18


class Set:
    """Features in the order in which features.py makes them; it may still be running."""

    def __init__(self, kind, folder, levels, unlabelled=False):
        self.folder = pathlib.Path(folder)
        self.maps = {level: np.load(self.folder / f"{level}.npy", mmap_mode="r") for level in levels}
        name, done = {"objectness": ("truth", "done"), "attention": ("density", "density-done")}[kind]
        if unlabelled:
            name, done = "truth", "done"
        self.truth = np.load(self.folder / f"{name}.npy", mmap_mode="r")
        self.count = self.folder / f"{done}.txt"
        self.unlabelled = unlabelled
        self.held_out = 0 if unlabelled else min(HELD_OUT[kind], len(self.truth) // 2)

    def sample(self, random, count):
        """Returns indices of photographs that are not held out, and views, of what is there."""
        done = int(self.count.read_text())
        whole, first = len(self.truth), self.held_out
        full, part = divmod(done, whole)
        picks = random.integers(0, full * (whole - first) + max(part - first, 0), count)
        views, indices = [], []
        for pick in picks:
            view, index = divmod(int(pick), whole - first)
            views.append(view), indices.append(first + index)
        return indices, views

    def batch(self, indices, views):
        """Returns the maps, channels first, and the truth."""
        maps = {
            level: torch.from_numpy(np.stack([values[i, v] for i, v in zip(indices, views)])).permute(0, 3, 1, 2)
            for level, values in self.maps.items()
        }
        if self.unlabelled:
            return maps, torch.zeros(len(indices), 1, networks.OUTPUT_SIDE, networks.OUTPUT_SIDE, dtype=torch.float16)
        return maps, torch.from_numpy(np.stack([self.truth[i, v] for i, v in zip(indices, views)]))[:, None]


def objectness_loss(logits, truth):
    """Binary cross entropy, heavier near outlines, and 1 - IoU."""
    weight = 1 + 4 * (F.avg_pool2d(truth, EDGE, 1, EDGE // 2, count_include_pad=False) - truth).abs()
    cross = F.binary_cross_entropy_with_logits(logits, truth, reduction="none")
    cross = (cross * weight).sum((2, 3)) / weight.sum((2, 3))
    value = logits.sigmoid()
    both = (value * truth * weight).sum((2, 3))
    either = ((value + truth) * weight).sum((2, 3)) - both
    return (cross + 1 - (both + 1) / (either + 1)).mean()


def standardised(value):
    value = value - value.mean((2, 3), keepdim=True)
    return value / value.square().mean((2, 3), keepdim=True).sqrt().clamp(min=1e-6)


# The weight of the standardised map at fixations (NSS) in the loss of attention.
NSS_WEIGHT = 0.6


def attention_loss(logits, density):
    """Divergence, correlation and the standardised map at fixations; cross entropy sets the scale.

    density: relative to an even one.
    """
    value = logits.sigmoid() + 1e-7
    share = value / value.sum((2, 3), keepdim=True)
    wanted = density / density.sum((2, 3), keepdim=True).clamp(min=1e-6)
    divergence = (wanted * ((wanted + 1e-7).log() - share.log())).sum((2, 3))
    plane = standardised(value)
    correlation = (plane * standardised(density)).mean((2, 3))
    at_fixations = (plane * wanted).sum((2, 3))
    level = (density / FULL_ATTENTION).clamp(max=1)
    cross = F.binary_cross_entropy_with_logits(logits, level, reduction="none").mean((2, 3))
    return (divergence + 1 - correlation - NSS_WEIGHT * at_fixations + cross).mean()


LOSSES = {"objectness": objectness_loss, "attention": attention_loss}


def targets(kind, truth):
    """Returns what a set holds as the loss expects it."""
    if kind == "objectness":
        return truth.float() / 255
    return truth.float() / truth.float().mean((2, 3), keepdim=True).clamp(min=1e-6)


def reduced(truth, side):
    return F.interpolate(truth, size=(side, side), mode="area")


def total_loss(kind, logits, truth):
    """The loss at the output's size, and, lighter, of the coarser levels at their own."""
    loss = LOSSES[kind]
    value = loss(networks.resized(logits[-1].float(), networks.OUTPUT_SIDE), reduced(truth, networks.OUTPUT_SIDE))
    for side in logits[:-1]:
        value = value + 0.3 * loss(side.float(), reduced(truth, side.shape[-1]))
    return value


@torch.no_grad()
def taught(teachers, maps):
    """Returns the mean of the teachers' densities, relative to an even one."""
    with torch.autocast("cpu", torch.bfloat16):
        logits = [teacher(maps)[-1] for teacher in teachers]
    value = sum(networks.resized(one.float(), networks.OUTPUT_SIDE).sigmoid() for one in logits)
    return value / value.mean((2, 3), keepdim=True)


@torch.no_grad()
def predictions(decoder, one, count, view=0, batch=50):
    """Returns the maps of the first photographs, 68 x 68, and their truth, 136 x 136."""
    decoder.eval()
    values, truths = [], []
    for first in range(0, count, batch):
        indices = range(first, min(first + batch, count))
        maps, truth = one.batch(indices, [view] * len(indices))
        maps = {level: value.float().to(memory_format=torch.channels_last) for level, value in maps.items()}
        with torch.autocast("cpu", torch.bfloat16):
            logits = decoder(maps)[-1]
        values.append(networks.resized(logits.float(), networks.OUTPUT_SIDE).sigmoid())
        truths.append(truth)
    return torch.cat(values), torch.cat(truths)


def figures(kind, decoder, sets):
    """Measures a head on the photographs held out of each set, as a line of text."""
    lines = []
    for one in (labelled for labelled in sets if not labelled.unlabelled):
        values, truth = predictions(decoder, one, one.held_out)
        values = networks.resized(values, truth.shape[-1])[:, 0].numpy()
        truth = truth[:, 0].numpy()
        if kind == "objectness":
            masks = truth >= 128
            curves = [scores.precision_recall(value, mask) for value, mask in zip(values, masks)]
            f, threshold = scores.max_f_measure([p for p, _ in curves], [r for _, r in curves])
            lines.append(f"max F {f:.4f} at {threshold:.2f}, mean absolute error {np.abs(values - masks).mean():.4f}")
            continue
        rows = []
        for value, density in zip(values, truth.astype(np.float64)):
            fixated = np.flatnonzero(density)
            weights = density.ravel()[fixated]
            rows.append((scores.auc_judd(value, fixated, weights), scores.nss(value, fixated, weights),
                         scores.correlation(value, density), value.max()))
        lines.append("AUC {:.4f}, NSS {:.3f}, correlation {:.4f}, peak {:.2f}".format(*np.mean(rows, 0)))
    return "; ".join(lines)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=networks.KINDS)
    parser.add_argument("features")
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--minutes", type=float, help="length of the schedule; otherwise --steps")
    parser.add_argument("--steps", type=int, default=3000)
    parser.add_argument("--batch", type=int, default=24)
    parser.add_argument("--rate", type=float, default=2e-3)
    parser.add_argument("--decay", type=float, default=2e-2)
    parser.add_argument("--average", type=float, default=0.995)
    parser.add_argument("--start", help="weights to begin with")
    parser.add_argument("--teachers", help="heads whose mean map is part of the truth")
    parser.add_argument("--teacher-share", type=float, default=0.5)
    parser.add_argument("--unlabelled", help="features of photographs without truth")
    parser.add_argument("--every", type=float, default=10, help="minutes between measurements")
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    if options.unlabelled and not options.teachers:
        parser.error("--unlabelled needs --teachers: there is nothing else to learn from it")

    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    random = np.random.default_rng(options.seed)
    decoder = networks.KINDS[options.kind]()
    if options.start:
        own, other = decoder.state_dict(), torch.load(options.start)["decoder"]
        same = {name: value for name, value in other.items() if name in own and own[name].shape == value.shape}
        decoder.load_state_dict(same, strict=False)
        print(f"{len(same)} of {len(own)} tensors from {options.start}", flush=True)
    decoder = decoder.to(memory_format=torch.channels_last)
    mean = networks.KINDS[options.kind]()
    mean.load_state_dict(decoder.state_dict())
    mean = mean.to(memory_format=torch.channels_last)
    print(f"{sum(p.numel() for p in decoder.parameters())} weights, "
          f"{networks.multiply_adds(decoder) / 1e6:.0f} M multiply-adds", flush=True)
    sets = [Set(options.kind, folder, decoder.levels) for folder in options.features.split(",")]
    if options.unlabelled:
        sets.append(Set(options.kind, options.unlabelled, decoder.levels, unlabelled=True))
    teachers = []
    for path in options.teachers.split(",") if options.teachers else []:
        teachers.append(networks.KINDS[options.kind]().to(memory_format=torch.channels_last).eval())
        teachers[-1].load_state_dict(torch.load(path)["decoder"])

    heavy = [p for p in decoder.parameters() if p.ndim > 1]
    light = [p for p in decoder.parameters() if p.ndim <= 1]
    optimiser = torch.optim.AdamW(
        [{"params": heavy, "weight_decay": options.decay}, {"params": light, "weight_decay": 0}], lr=options.rate)

    shares = np.array([len(one.truth) for one in sets], float)

    def samples():
        """Returns a batch of all sets."""
        counts = random.multinomial(options.batch, shares / shares.sum())
        parts = [one.batch(*one.sample(random, count)) for one, count in zip(sets, counts) if count]
        own = torch.cat([torch.full((count, 1, 1, 1), float(one.unlabelled)) for one, count in zip(sets, counts)])
        return ({level: torch.cat([maps[level] for maps, _ in parts]) for level in decoder.levels},
                torch.cat([truth for _, truth in parts]), own.clamp(min=options.teacher_share))

    begin = measured = time.time()
    step, losses = 0, []
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        following = pool.submit(samples)
        while True:
            progress = (time.time() - begin) / 60 / options.minutes if options.minutes else step / options.steps
            if progress >= 1:
                break
            maps, truth, share = following.result()
            following = pool.submit(samples)
            for group in optimiser.param_groups:
                group["lr"] = options.rate * min(1, (step + 1) / 100) * (0.5 + 0.5 * math.cos(math.pi * progress))
            decoder.train()
            maps = {level: value.float().to(memory_format=torch.channels_last) for level, value in maps.items()}
            truth = targets(options.kind, truth)
            if teachers:
                truth = torch.lerp(truth, taught(teachers, maps), share)
            with torch.autocast("cpu", torch.bfloat16):
                logits = decoder(maps)
            loss = total_loss(options.kind, logits, truth)
            optimiser.zero_grad()
            loss.backward()
            torch.nn.utils.clip_grad_norm_(decoder.parameters(), 5)
            optimiser.step()
            losses.append(loss.item())
            step += 1
            average = min(options.average, (step + 1) / (step + 10))
            with torch.no_grad():
                for own, other in zip(mean.state_dict().values(), decoder.state_dict().values()):
                    if own.dtype.is_floating_point:
                        own.lerp_(other, 1 - average)
                    else:
                        own.copy_(other)
            if time.time() - measured > 60 * options.every:
                measured = time.time()
                print(f"{step}: {100 * progress:.0f} %, loss {np.mean(losses):.4f}, "
                      f"{figures(options.kind, mean, sets)}", flush=True)
                losses.clear()
                torch.save({"kind": options.kind, "decoder": mean.state_dict(), "step": step}, options.out)
    torch.save({"kind": options.kind, "decoder": mean.state_dict(), "step": step}, options.out)
    print(f"{step} steps, {(time.time() - begin) / 60:.1f} minutes, seed {options.seed}: "
          f"{figures(options.kind, mean, sets)}", flush=True)


if __name__ == "__main__":
    main()
