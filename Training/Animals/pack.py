#!/usr/bin/env python3
"""Packs the photos that `photos.py` listed, at most 448 pixels wide and high, so that training reads them fast.

    pack.py --photos photos.json --output FOLDER [--processes 2]

needs: Pillow

Writes `photos.bin`, the photos as WebP one after the other, and `photos.jsonl` with a line for each: where it is in the
file, its size, source and boxes (class, corners in 0…1, whether it counts), and whether it is held out.
"""
import argparse
import io
import json
import multiprocessing
import pathlib

from PIL import Image

from sizes import PACKED

NAMES = {"cat": 0, "dog": 1}
OTHERS = {"bird", "cow", "horse", "sheep"}


def packed(photo):
    """The photo as WebP, and its line."""
    image = Image.open(photo["path"])
    width, height = image.size
    image.draft("RGB", (2 * PACKED, 2 * PACKED))
    image = image.convert("RGB")
    scale = min(1, PACKED / max(width, height))
    image = image.resize((max(1, round(width * scale)), max(1, round(height * scale))), Image.BILINEAR)
    file = io.BytesIO()
    image.save(file, "WEBP", quality=75, method=2)
    boxes = [[NAMES[name], *(min(max(corner / side, 0), 1) for corner, side in zip(corners, (width, height) * 2)),
              int(not difficult)] for name, corners, difficult in photo["objects"] if name in NAMES]
    others = any(name in OTHERS for name, *_ in photo["objects"])
    return file.getvalue(), {"size": image.size, "source": photo["source"], "boxes": boxes, "other_animals": others,
                             "held_out": photo["held_out"]}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--photos", required=True, type=pathlib.Path)
    parser.add_argument("--output", required=True, type=pathlib.Path)
    parser.add_argument("--processes", type=int, default=2)
    arguments = parser.parse_args()
    photos = json.loads(arguments.photos.read_text())
    arguments.output.mkdir(parents=True, exist_ok=True)
    start = 0
    with (open(arguments.output / "photos.bin", "wb") as file, open(arguments.output / "photos.jsonl", "w") as lines,
          multiprocessing.Pool(arguments.processes) as pool):
        for data, line in pool.imap(packed, photos, chunksize=32):
            file.write(data)
            lines.write(json.dumps({"start": start, "length": len(data), **line}) + "\n")
            start += len(data)
    print(f"{len(photos)} photos, {start / 1e6:.0f} MB")


if __name__ == "__main__":
    main()
