#!/usr/bin/env python3
"""Makes the tables of feature prints.

    projection.py --models STORE --photos FOLDER --files CSources/CVisionNetworks/files [--revisions 3]

STORE: the model store (`openvision models where`). FOLDER: various photos (JPEG or PNG), of which only the mean of the
networks' logits is used, for revision 3 mean and covariance of their pooled features; none of the photos that
retrieval is measured on.
"""

import argparse
import pathlib
import sys

import numpy as np
from PIL import Image

from prints import NETWORKS, POOLED_NETWORK, POOLED_REVISION, Network, PooledProjection, Projection, window

sys.path.append(str(pathlib.Path(__file__).resolve().parents[1] / "Shared"))
import tables  # noqa: E402


def main():
    parser = argparse.ArgumentParser()
    for name in ("--models", "--photos", "--files"):
        parser.add_argument(name, required=True, type=pathlib.Path)
    parser.add_argument("--revisions", type=int, nargs="+", default=[*NETWORKS, POOLED_REVISION])
    arguments = parser.parse_args()
    photos = sorted(p for p in arguments.photos.iterdir() if p.suffix.lower() in (".jpg", ".jpeg", ".png"))
    for revision in arguments.revisions:
        network = Network(arguments.models, POOLED_NETWORK if revision == POOLED_REVISION else revision)
        path = arguments.files / f"print-{revision}.table"
        pooled, _, logits = zip(*(network.run(Image.open(photo)) for photo in photos))
        if revision == POOLED_REVISION:
            projection = PooledProjection(network.weights, np.stack(pooled))
            numbers = {name: getattr(projection, name) for name in ("first", "offset", "second")}
            tables.write(
                path, features=projection.features, directions=projection.directions,
                window=window(network.side // 32 + 1).ravel(), **numbers)
        else:
            projection = Projection(network.weights, np.mean(logits, axis=0, dtype=np.float64))
            numbers = {name: getattr(projection, name).astype(np.float32) for name in ("first", "second", "offset")}
            tables.write(path, directions=projection.codes.astype(np.int8), **numbers)
        print(path, len(photos), "photos")


if __name__ == "__main__":
    main()
