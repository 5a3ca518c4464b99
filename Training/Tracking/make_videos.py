#!/usr/bin/env python3
"""Makes labelled videos out of photographs with boxes: objects cut out of one photograph move over another one.

usage: make_videos.py PHOTOS OUT [--videos 40] [--frames 100] [--seed 1]
       make_videos.py --hide VIDEOS OUT [--seed 1]       covers the target of real videos for 10 to 25 frames, twice

PHOTOS has photographs and manifest.json: [{"image": name, "objects": [{"name": class, "box": [x0, y0, x1, y1]}]}].
Videos are folders with img/*.jpg and groundtruth.txt (x,y,w,h a frame); where the target is hidden the line is
NaN,NaN,NaN,NaN. Every video varies some of: speed, size, rotation, bending, blur, light, noise, an object of the same
kind beside it, and an occluder that passes in front of it. needs: numpy, opencv-python-headless
"""
import argparse
import json
import pathlib

import cv2
import numpy as np


def smooth(rng, count, reach, slowness):
    """A random path: `count` values with standard deviation `reach` that change over about `slowness` frames."""
    noise = rng.standard_normal(count + 6 * slowness)
    kernel = np.exp(-0.5 * (np.arange(-3 * slowness, 3 * slowness + 1) / slowness) ** 2)
    path = np.convolve(noise, kernel, "valid")[:count]
    return reach * path / max(1e-6, path.std())


def cut_out(image, box):
    """The pixels of a box with a soft superellipse as opacity."""
    x0, y0, x1, y1 = (int(v) for v in box)
    pixels = image[max(0, y0) : y1, max(0, x0) : x1].astype(np.float32)
    height, width = pixels.shape[:2]
    y, x = np.mgrid[0:height, 0:width]
    radius = (np.abs((x + 0.5) / width * 2 - 1) ** 3 + np.abs((y + 0.5) / height * 2 - 1) ** 3) ** (1 / 3)
    opacity = np.clip((0.98 - radius) * 0.2 * min(width, height), 0, 1).astype(np.float32)
    return np.dstack([pixels, opacity])


def bend(patch, phase, amount):
    """Displaces the pixels of an object by two waves, as far as `amount` of its size."""
    height, width = patch.shape[:2]
    y, x = np.mgrid[0:height, 0:width].astype(np.float32)
    along = x + amount * width * np.sin(2 * np.pi * y / height + phase[0])
    across = y + amount * height * np.sin(2 * np.pi * x / width + phase[1])
    return cv2.remap(patch, along.astype(np.float32), across.astype(np.float32), cv2.INTER_LINEAR)


def paste(canvas, patch, x, y, scale, angle):
    """Draws an object with its centre at a position; returns the box of its opaque part, or None."""
    height, width = patch.shape[:2]
    c, s = scale * np.cos(angle), scale * np.sin(angle)
    matrix = np.array([[c, -s, x - c * width / 2 + s * height / 2], [s, c, y - s * width / 2 - c * height / 2]])
    size = (canvas.shape[1], canvas.shape[0])
    mode = cv2.INTER_AREA if scale < 0.7 else cv2.INTER_LINEAR
    layer = cv2.warpAffine(patch, matrix, size, flags=mode)
    opacity = layer[..., 3:]
    canvas *= 1 - opacity
    canvas += layer[..., :3] * opacity
    yy, xx = np.nonzero(opacity[..., 0] > 0.5)
    if len(xx) < 20:
        return None
    return [float(xx.min()), float(yy.min()), float(xx.max() - xx.min() + 1), float(yy.max() - yy.min() + 1)]


def write(folder, frames, truth):
    (folder / "img").mkdir(parents=True, exist_ok=True)
    for index, frame in enumerate(frames):
        cv2.imwrite(str(folder / "img" / f"{index + 1:06d}.jpg"), frame, [cv2.IMWRITE_JPEG_QUALITY, 90])
    lines = ["NaN,NaN,NaN,NaN" if box is None else ",".join(f"{v:.2f}" for v in box) for box in truth]
    (folder / "groundtruth.txt").write_text("\n".join(lines) + "\n")


def video(rng, photos, entries, frames):
    def photo(entry):
        return cv2.imread(str(photos / entry["image"]))

    def object_of(kind=None):
        while True:
            entry = entries[rng.integers(len(entries))]
            for item in entry["objects"]:
                x0, y0, x1, y1 = item["box"]
                if min(x1 - x0, y1 - y0) >= 40 and (kind is None or item["name"] == kind):
                    return cut_out(photo(entry), item["box"]), item["name"]

    width, height = [(320, 240), (426, 240), (480, 360)][rng.integers(3)]
    background = photo(entries[rng.integers(len(entries))])
    zoom = 1.4 * max(width / background.shape[1], height / background.shape[0])
    background = cv2.resize(background, None, fx=zoom, fy=zoom, interpolation=cv2.INTER_CUBIC).astype(np.float32)
    target, kind = object_of()
    size = rng.uniform(0.1, 0.35) * height / np.sqrt(target.shape[0] * target.shape[1])
    extent = size * np.sqrt(target.shape[0] * target.shape[1])
    other = object_of(kind)[0] if rng.random() < 0.5 else None
    cover = cut_out(background, (0, 0, background.shape[1] // 3, background.shape[0] // 3))
    slowness = int(rng.integers(8, 25))
    x = np.clip(width / 2 + smooth(rng, frames, width * 0.22, slowness), extent / 2, width - extent / 2)
    y = np.clip(height / 2 + smooth(rng, frames, height * 0.2, slowness), extent / 2, height - extent / 2)
    scales = size * np.exp(smooth(rng, frames, rng.uniform(0, 0.3), 20))
    angles = smooth(rng, frames, rng.choice([0.03, 0.1, 0.5]), 15)
    light = 1 + smooth(rng, frames, rng.uniform(0, 0.2), 12)
    tint = 1 + 0.1 * rng.standard_normal(3) * rng.random()
    bending, phases = rng.uniform(0, 0.08), np.cumsum(rng.uniform(0, 0.25, (frames, 2)), axis=0)
    noise = rng.uniform(0, 6)
    room_x, room_y = background.shape[1] - width - 1, background.shape[0] - height - 1
    pan_x = np.clip(room_x / 2 + smooth(rng, frames, room_x * 0.3, 20), 0, room_x).astype(int)
    pan_y = np.clip(room_y / 2 + smooth(rng, frames, room_y * 0.3, 20), 0, room_y).astype(int)
    covered = [int(rng.integers(25, frames - 35))] if rng.random() < 0.6 else []
    images, truth = [], []
    for index in range(frames):
        canvas = background[pan_y[index] : pan_y[index] + height, pan_x[index] : pan_x[index] + width].copy()
        if other is not None:
            away = extent * 2 * np.cos(index / 17.0)
            paste(canvas, other, x[frames - 1 - index] + away, y[frames - 1 - index], size, 0)
        box = paste(canvas, bend(target, phases[index], bending), x[index], y[index], scales[index], angles[index])
        for start in covered:
            # It comes from one side, stays in front of the target for a while and leaves on the other.
            progress = (index - start) / 20
            if -1 <= progress <= 2:
                offset = (progress if progress < 0 else max(0.0, progress - 1)) * 2.5 * extent
                larger = 2.2 * scales[index] / size * extent / np.sqrt(cover.shape[0] * cover.shape[1])
                paste(canvas, cover, x[index] + offset, y[index], larger, 0)
                if abs(offset) < 0.35 * extent:
                    box = None
        speed = np.hypot(x[index] - x[index - 1], y[index] - y[index - 1]) if index else 0
        if speed > 4 and rng.random() < 0.7:
            canvas = cv2.blur(canvas, (int(speed / 3) + 1, int(speed / 5) + 1))
        canvas = canvas * light[index] * (1 + (tint - 1) * index / frames) + noise * rng.standard_normal(canvas.shape)
        images.append(np.clip(canvas, 0, 255).astype(np.uint8))
        truth.append(box)
    return images, truth


def hide(rng, folder, out):
    """Covers the target of a real video with a piece of its own background."""
    files = sorted((folder / "img").glob("*.jpg"))
    lines = (folder / "groundtruth.txt").read_text().replace("\t", ",").split()
    truth = [[float(v) for v in line.split(",")[:4]] for line in lines][: len(files)]
    events = [(int(len(truth) * part), int(rng.integers(10, 26))) for part in (0.3, 0.65)]
    images, marked = [], []
    for index, (file, box) in enumerate(zip(files, truth)):
        image = cv2.imread(str(file))
        for start, length in events:
            if start <= index < start + length:
                x, y, w, h = (int(v) for v in box)
                left, top = max(0, x - w // 5), max(0, y - h // 5)
                right, bottom = min(image.shape[1], x + w + w // 5), min(image.shape[0], y + h + h // 5)
                if right <= left or bottom <= top:
                    continue
                from_x = (right + w) % max(1, image.shape[1] - (right - left))
                from_y = top % max(1, image.shape[0] - (bottom - top))
                piece = image[from_y : from_y + bottom - top, from_x : from_x + right - left].copy()
                image[top : top + piece.shape[0], left : left + piece.shape[1]] = piece
                box = None
        images.append(image)
        marked.append(box)
    write(out / folder.name, images, marked)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("source", type=pathlib.Path)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("--hide", action="store_true")
    parser.add_argument("--videos", type=int, default=40)
    parser.add_argument("--frames", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    cv2.setNumThreads(1)
    if options.hide:
        for index, folder in enumerate(sorted(p for p in options.source.iterdir() if (p / "groundtruth.txt").exists())):
            hide(np.random.default_rng([options.seed, index]), folder, options.out)
        return
    entries = [entry for entry in json.loads((options.source / "manifest.json").read_text()) if entry["objects"]]
    for index in range(options.videos):
        rng = np.random.default_rng([options.seed, index])
        images, truth = video(rng, options.source, entries, options.frames)
        if truth[0] is not None:
            write(options.out / f"video{index:03d}", images, truth)


if __name__ == "__main__":
    main()
