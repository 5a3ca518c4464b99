"""JPEG decoding: OpenCV and Pillow (both on libjpeg-turbo) against ours."""

import io

import cv2
import numpy as np
from PIL import Image

from rows import Row
from timing import alternating, repeat

NAMES = ["decode/jpeg-1920x1080", "decode/jpeg-4000x3000-to-512"]


def run(name, env):
    scaled = name.endswith("-to-512")
    width, height = (4000, 3000) if scaled else (1920, 1080)
    image = env.photos.image(width, height, 1)
    coded = cv2.imencode(".jpg", image, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    file = env.folder / f"{width}.jpg"
    file.write_bytes(coded.tobytes())
    data = coded.tobytes()
    # Scaled: the decoder may decode at the smallest eighth that still covers 512 pixels, as all three can.
    flags = cv2.IMREAD_REDUCED_COLOR_4 if scaled else cv2.IMREAD_COLOR

    def pillow():
        image = Image.open(io.BytesIO(data))
        if scaled:
            image.draft("RGB", (512, 384))
        image.load()

    parameters = {"longest": 512} if scaled else {}
    contestants = {
        "ours": env.ours.runner("decode", file, **parameters),
        "OpenCV imdecode": repeat(lambda: cv2.imdecode(np.frombuffer(data, np.uint8), flags)),
        "Pillow": repeat(pillow),
    }
    results = alternating(contestants, env.rounds)
    return [Row.timed(name, peer, results) for peer in contestants if peer != "ours"]
