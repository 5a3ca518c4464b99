#!/usr/bin/env python3
"""Makes videos of photographed objects that move over photographs, with truth, to evaluate trackers and choose their
constants.

usage: videos.py DATA OUT [--count 12] [--frames 120] [--seed 7]

An object moves on a smooth path, grows, shrinks, stretches, rotates a little; the camera pans, the light changes;
objects of the same kind move as well. In every second video something passes in front and hides it all for a while: its
truth there is a box without area, so that no answer counts as good.
"""
import argparse
import math
import pathlib

import cv2
import numpy as np

import pairs

WIDTH, HEIGHT = 480, 360


def smooth(random, n, sigma, power):
    """A random walk of n steps without jerks, from 0."""
    v = cv2.GaussianBlur(random.normal(0, 1, (1, n + 80)), (0, 0), sigma)[0, 40 : 40 + n]
    path = np.cumsum(v / (v.std() + 1e-6)) * power
    return path - path[0]


def paste(frame, patch, alpha, cx, cy, w, h, angle):
    kx, ky = w / patch.shape[1], h / patch.shape[0]
    a, b = math.cos(angle), math.sin(angle)
    m = np.array([[a * kx, -b * ky, 0], [b * kx, a * ky, 0]])
    m[:, 2] = [cx, cy] - m[:, :2] @ [patch.shape[1] / 2, patch.shape[0] / 2]
    size = (frame.shape[1], frame.shape[0])
    drawn = cv2.warpAffine(patch, m, size, flags=cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE).astype(np.float32)
    opaque = cv2.warpAffine(alpha, m, size)[..., None]
    frame[:] = frame * (1 - opaque) + drawn * opaque


def main():
    p = argparse.ArgumentParser()
    p.add_argument("data"), p.add_argument("out", type=pathlib.Path)
    p.add_argument("--count", type=int, default=12)
    p.add_argument("--frames", type=int, default=120)
    p.add_argument("--seed", type=int, default=7)
    o = p.parse_args()
    random = np.random.default_rng(o.seed)
    photos = pairs.load_photos(o.data)
    found = [t for t in pairs.targets(photos, random, 0) if min(t[1][2] - t[1][0], t[1][3] - t[1][1]) > 40]
    for video in range(o.count):
        target = found[int(random.integers(len(found)))]
        same = [t for t in found if t[2] == target[2] and t[0] != target[0]]
        others = [same[int(random.integers(len(same)))] if same and random.random() < 0.6
                  else found[int(random.integers(len(found)))] for _ in range(3)]
        ground = photos[int(random.integers(len(photos)))][0]
        ground = cv2.resize(ground, (int(WIDTH * 1.6), int(HEIGHT * 1.6)), interpolation=cv2.INTER_CUBIC)
        side = math.exp(random.uniform(math.log(22), math.log(110)))
        n = o.frames
        speed = side * random.uniform(0.02, 0.14)
        xs = WIDTH * random.uniform(0.3, 0.7) + smooth(random, n, 8, speed)
        ys = HEIGHT * random.uniform(0.3, 0.7) + smooth(random, n, 8, speed * 0.7)
        fold = lambda v, low, high: low + np.abs((v - low) % (2 * (high - low)) - (high - low))
        xs, ys = fold(xs, side * 0.5, WIDTH - side * 0.5), fold(ys, side * 0.5, HEIGHT - side * 0.5)
        scale, aspect = np.exp(smooth(random, n, 12, 0.012)), np.exp(smooth(random, n, 12, 0.007))
        scale = np.clip(scale, 0.5, 2)
        aspect = np.clip(aspect, 0.65, 1.55)
        angle = smooth(random, n, 10, 0.008)
        panx, pany = smooth(random, n, 10, 1.2), smooth(random, n, 10, 0.8)
        light = np.clip(1 + smooth(random, n, 12, 0.008), 0.5, 1.4)
        cut = pairs.cutout(photos[target[0]][0], target[1])
        ratio = cut[0].shape[1] / cut[0].shape[0]
        w0, h0 = side * math.sqrt(ratio), side / math.sqrt(ratio)
        crowd = []
        for other in others:
            c = pairs.cutout(photos[other[0]][0], other[1])
            s = side * random.uniform(0.7, 1.3)
            r = c[0].shape[1] / c[0].shape[0]
            crowd.append(
                (
                    c,
                    s * math.sqrt(r),
                    s / math.sqrt(r),
                    fold(random.uniform(0, WIDTH) + smooth(random, n, 8, speed), 0, WIDTH),
                    fold(random.uniform(0, HEIGHT) + smooth(random, n, 8, speed * 0.7), 0, HEIGHT),
                )
            )
        hidden = range(int(n * 0.45), int(n * 0.45) + int(random.integers(8, 26))) if video % 2 else range(0)
        screen = photos[int(random.integers(len(photos)))][0]
        grey = video % 4 == 3
        blur = random.random() < 0.4
        folder = o.out / f"video{video:02d}"
        (folder / "img").mkdir(parents=True, exist_ok=True)
        truth = []
        for k in range(n):
            dx, dy = int(np.clip(WIDTH * 0.3 + panx[k], 0, WIDTH * 0.6)), int(
                np.clip(HEIGHT * 0.3 + pany[k], 0, HEIGHT * 0.6)
            )
            frame = ground[dy : dy + HEIGHT, dx : dx + WIDTH].astype(np.float32)
            for c, w, h, px, py in crowd:
                paste(frame, *c, px[k], py[k], w, h, 0)
            w, h = w0 * scale[k] * math.sqrt(aspect[k]), h0 * scale[k] / math.sqrt(aspect[k])
            paste(frame, *cut, xs[k], ys[k], w, h, angle[k])
            truth.append([xs[k] - w / 2, ys[k] - h / 2, w, h])
            if hidden:
                # It comes from the left, stays for as long as the object is hidden, and leaves to the right.
                late = k - hidden[0], k - hidden[-1]
                shift = late[0] * 0.35 if late[0] < 0 else max(0, late[1]) * 0.35
                reach = 1.5 * max(w, h)
                sx = xs[k] + shift * max(w, h)
                if -2.5 < shift < 2.5:
                    paste(frame, screen, np.ones(screen.shape[:2], np.float32), sx, ys[k], reach, reach, 0)
                if k in hidden:
                    truth[-1][2:] = [0, 0]
            frame = np.clip(frame * light[k] + random.normal(0, 2, frame.shape), 0, 255).astype(np.uint8)
            if blur:
                frame = cv2.GaussianBlur(frame, (0, 0), 1.2)
            if grey:
                frame = np.repeat(cv2.cvtColor(frame, cv2.COLOR_RGB2GRAY)[..., None], 3, 2)
            cv2.imwrite(
                str(folder / "img" / f"{k:05d}.jpg"),
                cv2.cvtColor(frame, cv2.COLOR_RGB2BGR),
                [cv2.IMWRITE_JPEG_QUALITY, 90],
            )
        (folder / "groundtruth.txt").write_text("\n".join(",".join(f"{v:.2f}" for v in t) for t in truth) + "\n")


main()
