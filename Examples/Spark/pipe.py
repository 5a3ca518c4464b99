#!/usr/bin/env python3
"""Analyses a folder of photographs with Spark and `openvision worker`: Spark pipes paths to the program, and stores its
answers as Parquet. The executors need the program and the files, but no Python package.

    pipe.py FOLDER OUTPUT [--worker openvision] [--master local[2]]

Photographs that cannot be read are rows with an `error`.
"""

import argparse
import json
import os
import shlex
import time

from pyspark.sql import SparkSession, functions as F

REQUESTS = "classify,faces,print"

# The fields of the worker's answers that are stored, as Documentation/Worker.md describes them.
ANSWER = """id string, error string, errors map<string, string>, image struct<width int, height int>,
    results struct<
        classify array<struct<identifier string, confidence double>>,
        faces array<struct<box struct<x double, y double, width double, height double>, confidence double>>,
        print array<struct<base64 string>>>"""


def paths(folder):
    for parent, _, names in os.walk(os.path.abspath(folder)):
        yield from (os.path.join(parent, name) for name in names)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder")
    parser.add_argument("output")
    parser.add_argument("--worker", default="openvision")
    parser.add_argument("--master", default="local[2]")
    options = parser.parse_args()

    spark = (SparkSession.builder.master(options.master).appName("OpenVision")
             .config("spark.ui.showConsoleProgress", "false").getOrCreate())
    start = time.monotonic()
    jobs = [json.dumps({"id": path, "path": path}) for path in sorted(paths(options.folder))]
    # A process for each partition, which loads the networks once: few partitions, and one thread each.
    partitions = spark.sparkContext.defaultParallelism
    # The worker ends with 1 where photographs failed, which is no failure of the task; everything else is, and Spark
    # runs the task again.
    worker = f"{shlex.quote(options.worker)} worker --threads 1 --requests {REQUESTS} || test $? -eq 1"
    answers = spark.sparkContext.parallelize(jobs, partitions).pipe(f"sh -c {shlex.quote(worker)}", checkCode=True)
    found = spark.read.schema(ANSWER).json(answers)
    found.select(
        F.col("id").alias("path"),
        F.coalesce("error", F.nullif(F.array_join(F.map_values("errors"), "; "), F.lit(""))).alias("error"),
        "image.width", "image.height",
        F.coalesce("results.classify", F.array()).alias("classes"),
        F.expr("transform(coalesce(results.faces, array()), face -> struct("
               "face.box.x, face.box.y, face.box.width, face.box.height, face.confidence))").alias("faces"),
        # The bytes of the floats, little-endian: numpy.frombuffer(print, "<f4") reads them.
        F.unbase64(F.try_element_at("results.print", F.lit(1))["base64"]).alias("print"),
    ).write.mode("overwrite").parquet(options.output)
    count = spark.read.parquet(options.output).count()
    seconds = time.monotonic() - start
    print(f"{count} photographs in {seconds:.1f} s: {count / seconds:.1f} a second", flush=True)
    spark.stop()


if __name__ == "__main__":
    main()
