#!/usr/bin/env python3
"""Analyses a folder of photographs with Ray Data and the Python package `openvision`: sizes, classes, faces and feature
prints, a row a photograph, as Parquet.

    photos.py FOLDER OUTPUT [--actors 2]

Photographs that cannot be read are rows with an `error`.
"""

import argparse
import base64
import time

import numpy
import pyarrow
import ray

REQUESTS = ["classify", "faces", "print"]

SCHEMA = pyarrow.schema({
    "path": pyarrow.string(),
    "error": pyarrow.string(),
    "width": pyarrow.int32(),
    "height": pyarrow.int32(),
    "classes": pyarrow.list_(pyarrow.struct({"identifier": pyarrow.string(), "confidence": pyarrow.float64()})),
    "faces": pyarrow.list_(pyarrow.struct({
        name: pyarrow.float64() for name in ("x", "y", "width", "height", "confidence")})),
    "print": pyarrow.list_(pyarrow.float32()),
})


class Analyser:
    """An actor. It lives as long as the job, so that the networks are loaded once."""

    def __init__(self):
        import openvision

        # Ray runs an actor on each core already.
        openvision.set_thread_count(1)
        self.openvision = openvision

    def row(self, path, content):
        """The row of one photograph, from its path and the bytes of its file."""
        nothing = {"path": path, "error": None, "width": None, "height": None, "classes": [], "faces": [],
                   "print": None}
        try:
            report = self.openvision.analyze(content, REQUESTS)
        except self.openvision.OpenVisionError as problem:
            return {**nothing, "error": str(problem)}
        results = report["results"]
        prints = [numpy.frombuffer(base64.b64decode(found["base64"]), "<f4") for found in results.get("print", [])]
        return {
            **nothing,
            "error": "; ".join(f"{name}: {problem}" for name, problem in report["errors"].items()) or None,
            "width": report["image"]["width"],
            "height": report["image"]["height"],
            "classes": [{name: found[name] for name in ("identifier", "confidence")}
                        for found in results.get("classify", [])],
            "faces": [{**found["box"], "confidence": found["confidence"]} for found in results.get("faces", [])],
            "print": prints[0] if prints else None,
        }

    def __call__(self, batch):
        photos = zip(batch["path"].to_pylist(), batch["bytes"].to_pylist())
        return pyarrow.Table.from_pylist([self.row(*photo) for photo in photos], SCHEMA)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("output")
    parser.add_argument("--actors", type=int, default=2)
    options = parser.parse_args()

    ray.init(num_cpus=options.actors, include_dashboard=False, log_to_driver=False)
    start = time.monotonic()
    # The actors leave a tenth of each core to the tasks that read files, and these need not wait for a whole one.
    photos = ray.data.read_binary_files(options.folder, include_paths=True, ray_remote_args={"num_cpus": 0.1})
    found = photos.map_batches(
        Analyser, batch_format="pyarrow", batch_size=64, num_cpus=0.9,
        compute=ray.data.ActorPoolStrategy(size=options.actors))
    # A task that writes a few rows now and then costs more than these rows: Ray ends idle processes after a second, and
    # starts a Python for the next task.
    found.write_parquet(options.output, min_rows_per_file=1024, ray_remote_args={"num_cpus": 0.1})
    count = ray.data.read_parquet(options.output, ray_remote_args={"num_cpus": 0.1}).count()
    seconds = time.monotonic() - start
    print(f"{count} photographs in {seconds:.1f} s: {count / seconds:.1f} a second", flush=True)
    ray.shutdown()


if __name__ == "__main__":
    main()
