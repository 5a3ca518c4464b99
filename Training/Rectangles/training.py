"""What the trainings share."""
import argparse
import glob
import time

import numpy as np
import torch


SQUARE = torch.tensor([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)])


def images(crops):
    """Bytes N x H x W x 3 as inputs of the networks."""
    return torch.from_numpy(crops).permute(0, 3, 1, 2).float() / 128 - 1


def arguments(doc, rate):
    parser = argparse.ArgumentParser(description=doc)
    parser.add_argument("data", help="files of samples.py chunks")
    parser.add_argument("out")
    parser.add_argument("--start", help="weights to continue from")
    parser.add_argument("--hard", default="", help="a folder with files of samples.py quads")
    parser.add_argument("--minutes", type=float, default=30)
    parser.add_argument("--rate", type=float, default=rate)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--seed", type=int, default=0)
    return parser.parse_args()


def load(files, names):
    parts = [np.load(name) for name in files]
    return [np.concatenate([part[name] for part in parts]) for name in names]


def rotated(images, points, rotations, mirror, size):
    """A symmetry of the square, of images N x C x H x W and of points N x … x 4 x 2 from 0 to `size`."""
    if mirror:
        images = images.flip(3)
        points = points[..., [1, 0, 3, 2], :] * torch.tensor([-1.0, 1.0]) + torch.tensor([size, 0.0])
    for _ in range(rotations):
        images = images.transpose(2, 3).flip(3)
        points = torch.stack([size - points[..., 1], points[..., 0]], -1)
    return images, points


def varied(rng, crops, offsets):
    """Images of quads rotated, mirrored and tinted, and the offsets of their corners rotated with them."""
    rotations, mirror = int(rng.integers(4)), rng.random() < 0.5
    # Offsets rotate with the corners that they are added to; corners stay in clockwise order from the upper left.
    x, moved = rotated(images(crops), SQUARE + torch.from_numpy(offsets).reshape(-1, 4, 2), rotations, mirror, 1.0)
    offsets = (moved.roll(rotations, 1) - SQUARE).reshape(-1, 8)
    return tinted(rng, x).contiguous(memory_format=torch.channels_last), offsets


def tinted(rng, images):
    """Changes brightness and colours at random."""
    n = len(images)
    images = images * (0.65 + 0.7 * torch.rand(n, 1, 1, 1)) + 0.22 * torch.randn(n, 1, 1, 1)
    if rng.random() < 0.5:
        images = images[:, torch.randperm(3)]
    if rng.random() < 0.15:
        images = images.mean(1, keepdim=True).expand(-1, 3, -1, -1)
    return images


def train(model, args, pool_of, loss_of, report, every, keep):
    """AdamW with a decaying rate for the given minutes; a running mean of the weights is written.

    pool_of(rng, files) draws the samples of the next `every` steps, loss_of(model, rng, pool) is one step's loss.
    """
    torch.set_num_threads(args.threads)
    torch.manual_seed(args.seed)
    rng = np.random.default_rng(args.seed)
    files = sorted(glob.glob(args.data + "/*.npz"))
    held, files = files[:2], files[2:]
    model = model.to(memory_format=torch.channels_last)
    if args.start:
        model.load_state_dict(torch.load(args.start))
    mean = {name: value.clone() for name, value in model.state_dict().items()}
    optimiser = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=1e-4)
    start, step = time.time(), 0
    while time.time() - start < args.minutes * 60:
        if step % every == 0:
            pool = pool_of(rng, files)
        part = (time.time() - start) / (args.minutes * 60)
        for group in optimiser.param_groups:
            group["lr"] = args.rate * min(1, step / 200 + 0.01) * (0.5 + 0.5 * np.cos(np.pi * min(part, 1))) + 1e-6
        loss_of(model, rng, pool).backward()
        torch.nn.utils.clip_grad_norm_(model.parameters(), 5)
        optimiser.step()
        optimiser.zero_grad()
        step += 1
        with torch.no_grad():
            for name, value in model.state_dict().items():
                if value.dtype.is_floating_point:
                    mean[name].lerp_(value, 1 - keep if step > every / 2 else 0.05)
                else:
                    mean[name].copy_(value)
        if step % every == 0:
            torch.save(mean, args.out)
            probe = type(model)()
            probe.load_state_dict(mean)
            probe.eval()
            with torch.no_grad():
                print(f"{time.time() - start:.0f} s, {step} steps: {report(probe, held)}", flush=True)
    torch.save(mean, args.out)
