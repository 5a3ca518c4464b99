#!/usr/bin/env python3
"""Analyses a folder of photographs with Spark and the Python package `openvision`: sizes, classes, faces and feature
prints, a row a photograph, as Parquet.

    photos.py FOLDER OUTPUT [--master local[2]]

Photographs that cannot be read are rows with an `error`.
"""

import argparse
import base64
import time

from pyspark.sql import SparkSession

REQUESTS = ["classify", "faces", "print"]

SCHEMA = """path string, error string, width int, height int,
    classes array<struct<identifier string, confidence double>>,
    faces array<struct<x double, y double, width double, height double, confidence double>>,
    print array<float>"""


def row(path, content):
    """The row of one photograph, from its path and the bytes of its file."""
    import numpy
    import openvision

    nothing = {"path": path, "error": None, "width": None, "height": None, "classes": [], "faces": [], "print": None}
    try:
        report = openvision.analyze(bytes(content), REQUESTS)
    except openvision.OpenVisionError as problem:
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


def analysed(batches):
    """Runs in Spark's Python workers. These stay, so that the networks are loaded once a core and not once a task."""
    import openvision
    import pandas

    # Spark runs a task on each core already.
    openvision.set_thread_count(1)
    for batch in batches:
        yield pandas.DataFrame([row(*photo) for photo in zip(batch["path"], batch["content"])])


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("output")
    parser.add_argument("--master", default="local[2]")
    options = parser.parse_args()

    spark = (SparkSession.builder.master(options.master).appName("OpenVision")
             # The files of a batch are in memory together, in Java and in Python.
             .config("spark.sql.execution.arrow.maxRecordsPerBatch", "16")
             # A task costs time: Spark takes a small file for one of 4 MB and makes a task of some thirty.
             .config("spark.sql.files.openCostInBytes", "65536")
             .config("spark.ui.showConsoleProgress", "false")
             .getOrCreate())
    start = time.monotonic()
    photos = spark.read.format("binaryFile").option("recursiveFileLookup", "true").load(options.folder)
    found = photos.select("path", "content").mapInPandas(analysed, SCHEMA)
    found.write.mode("overwrite").parquet(options.output)
    count = spark.read.parquet(options.output).count()
    seconds = time.monotonic() - start
    print(f"{count} photographs in {seconds:.1f} s: {count / seconds:.1f} a second", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
