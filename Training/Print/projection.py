#!/usr/bin/env python3
"""Makes the tables of feature prints.

    projection.py --models STORE --photos FOLDER --files CSources/CVisionNetworks/files

STORE: the model store (`openvision models where`). FOLDER: various photos (JPEG or PNG), of which only the mean of the
networks' logits is used; none of the photos that retrieval is measured on.
"""

import argparse
import pathlib
import sys

import numpy as np
from PIL import Image

from prints import NETWORKS, Network, Projection

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
import tables  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    for name in ("--models", "--photos", "--files"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    arguments = parser.parse_args()
    photos = sorted(p for p in arguments.photos.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    for revision in NETWORKS:
        network = Network(arguments.models, revision)
        mean = np.mean([network.run(Image.open(photo))[1] for photo in photos], axis=0, dtype=np.float64)
        projection = Projection(network.weights, mean)
        path = arguments.files / f"print-{revision}.table"
        numbers = {name: getattr(projection, name).astype(np.float32) for name in ("first", "second", "offset")}
        tables.write(path, directions=projection.codes.astype(np.int8), **numbers)
        print(path, len(photos), "photos")


if __name__ == "__main__":
    main()
