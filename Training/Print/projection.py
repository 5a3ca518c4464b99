#!/usr/bin/env python3
"""Makes the tables of feature prints.

    projection.py --models STORE --photos FOLDER --swift Sources/VisionModels/Print/Tables

STORE: the model store (`openvision models where`). FOLDER: photos of all sorts (JPEG or PNG), of which only the mean of the networks'
logits is taken; none of the photos that retrieval is measured on.
"""

import argparse
import base64
import pathlib

import numpy as np
from PIL import Image

from prints import NETWORKS, Network, Projection

TEXT = '''/// Feature prints of revision {revision}: the directions in base64 – 1000 rows of 256 signed bytes, then 256 floats each of the
/// scales of the first part, of the second, and of the first part's offset, least significant byte first. Made by
/// Training/Print/projection.py.
let printTable{revision} = """
{rows}
    """
'''


def main():
    parser = argparse.ArgumentParser()
    for name in ("--models", "--photos", "--swift"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    photos = sorted(p for p in arguments.photos.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    for revision in NETWORKS:
        network = Network(arguments.models, revision)
        mean = np.mean([network.run(Image.open(photo))[1] for photo in photos], axis=0, dtype=np.float64)
        projection = Projection(network.weights, mean)
        floats = np.concatenate([projection.first, projection.second, projection.offset]).astype("<f4")
        text = base64.b64encode(projection.codes.tobytes() + floats.tobytes()).decode()
        rows = "\n".join("    " + text[i : i + 116] for i in range(0, len(text), 116))
        path = arguments.swift / f"PrintTable{revision}.swift"
        path.write_text(TEXT.format(revision=revision, rows=rows))
        print(path, len(photos), "photos,", len(text), "characters")


if __name__ == "__main__":
    main()
