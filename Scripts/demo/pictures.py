#!/usr/bin/env python3
"""Cuts the pictures of README.md out of the results of `make demo`. Needs OpenCV for Python (opencv-python-headless).

    pictures.py [DEMO-FOLDER [OUTPUT]]        default: demo Documentation/Pictures

Run it after a change of what is drawn, and look at the pictures. All are of material that may be passed on: see
Documentation/Pictures/SOURCES.md.
"""

import sys
from pathlib import Path

import cv2

SIZE = (320, 240)
LIMIT = 300_000  # bytes, of all pictures

# File: (the result, the frame of a video, the region x, y, width, height; None for the middle)
PICTURES = {
    "faces.jpg": ("faces.jpg", None, (110, 35, 300, 225)),
    "tracked.jpg": ("tracked.mp4", 46, (95, 90, 640, 480)),
    "text.jpg": ("text.jpg", None, (70, 25, 560, 420)),
    "saliency.jpg": ("saliency.jpg", None, None),
    "similar.jpg": ("similar.jpg", None, (0, 0, 956, 717)),
    "poses.jpg": ("poses.jpg", None, (0, 40, 360, 270)),
}


def read(path, frame):
    if frame is None:
        return cv2.imread(str(path))
    video = cv2.VideoCapture(str(path))
    for _ in range(frame + 1):
        found, image = video.read()
        if not found:
            return None
    return image


def cut(image, region):
    height, width = image.shape[:2]
    if region is None:
        side = min(width / SIZE[0], height / SIZE[1])
        w, h = int(side * SIZE[0]), int(side * SIZE[1])
        region = ((width - w) // 2, (height - h) // 2, w, h)
    x, y, w, h = region
    return cv2.resize(image[y:y + h, x:x + w], SIZE, interpolation=cv2.INTER_AREA)


def main():
    root = Path(__file__).resolve().parent.parent.parent
    demo = Path(sys.argv[1]) if len(sys.argv) > 1 else root / "demo"
    output = Path(sys.argv[2]) if len(sys.argv) > 2 else root / "Documentation" / "Pictures"
    output.mkdir(parents=True, exist_ok=True)
    total = 0
    for name, (source, frame, region) in PICTURES.items():
        image = read(demo / source, frame)
        if image is None:
            sys.exit(f"pictures: {demo / source} is missing or damaged; run `make demo` first")
        cv2.imwrite(str(output / name), cut(image, region), [cv2.IMWRITE_JPEG_QUALITY, 84])
        total += (output / name).stat().st_size
    print(f"pictures: {len(PICTURES)} in {output}, {total} bytes")
    if total > LIMIT:
        sys.exit(f"pictures: {LIMIT} bytes are allowed")


main()
