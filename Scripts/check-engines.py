#!/usr/bin/env python3
"""Runs the examples of Spark and Ray over photographs, and compares the Parquet that they store with the answers of
`openvision worker`: the same rows, the same classes and faces, the same bits of the prints, the same errors.

    check-engines.py TOOL [FOLDER] [--engine spark|ray]... [--rate N]

Without a folder the photographs are made of those of the tests, with two that cannot be read. --rate N measures as
well, over each photograph N times (hard links). Runs in the environment of Scripts/check-engines.sh.
"""

import argparse
import base64
import json
import os
import re
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import numpy
import pyarrow.parquet
from PIL import Image

ROOT = Path(__file__).resolve().parent.parent
PHOTOS = ROOT / "Tests" / "GuideTests" / "Photos"
EXAMPLES = ROOT / "Examples"

failures = []


def expect(condition, what):
    print(("  ok      " if condition else "  FAILED  ") + what, flush=True)
    if not condition:
        failures.append(what)


def make_photos(folder):
    """Parts of the photographs of the tests, upright and mirrored, and two files that are no images."""
    for path in sorted(PHOTOS.glob("*.jpg")):
        photo = Image.open(path).convert("RGB")
        width, height = photo.size
        for share in (1, 0.9, 0.8, 0.7):
            part = photo.crop((0, 0, round(width * share), round(height * share)))
            part.save(folder / f"{path.stem} {share}.jpg", quality=92)
            part.transpose(Image.Transpose.FLIP_LEFT_RIGHT).save(folder / f"{path.stem} {share} mirrored.png")
    (folder / "broken.jpg").write_bytes((PHOTOS / "cat.jpg").read_bytes()[:300])
    (folder / "notes.jpg").write_bytes(b"no photograph")


def files(folder):
    return sorted(path for path in folder.rglob("*") if path.is_file())


def worker_command(tool):
    return [tool, "worker", "--threads", "2", "--requests", "classify,faces,print"]


def answers(tool, folder):
    """The worker's answers by the paths of the files."""
    jobs = "".join(json.dumps({"id": str(path), "path": str(path)}) + "\n" for path in files(folder))
    run = subprocess.run(worker_command(tool), input=jobs, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True)
    return {answer["id"]: answer for answer in map(json.loads, run.stdout.splitlines())}


def rows(output):
    """The rows of Parquet files by the paths of the photographs."""
    parts = [pyarrow.parquet.read_table(part).to_pylist() for part in sorted(Path(output).rglob("*.parquet"))]
    found = {}
    for row in (row for part in parts for row in part):
        path = re.sub(r"^file:/*", "/", row["path"])
        if path in found:
            expect(False, f"{path} has two rows")
        found[path] = row
    return found


def floats(value):
    """A feature print as the bytes of its floats."""
    if value is None or isinstance(value, bytes):
        return value
    return numpy.asarray(value, "<f4").tobytes()


def is_same(row, answer):
    """Whether a row says what the worker said."""
    if answer["error"] is not None:
        return row["error"] is not None and row["print"] is None and not row["classes"] and not row["faces"]
    results = answer["results"]
    classes = [(found["identifier"], found["confidence"]) for found in results["classify"]]
    faces = [(*(found["box"][name] for name in ("x", "y", "width", "height")), found["confidence"])
             for found in results["faces"]]
    return (row["error"] is None
            and (row["width"], row["height"]) == (answer["image"]["width"], answer["image"]["height"])
            and [(found["identifier"], found["confidence"]) for found in row["classes"]] == classes
            and [tuple(found[name] for name in ("x", "y", "width", "height", "confidence"))
                 for found in row["faces"]] == faces
            and floats(row["print"]) == base64.b64decode(results["print"][0]["base64"]))


def examples(tool, engines):
    """The title and the command of each example, less folder and output."""
    if "spark" in engines:
        yield "Spark, mapInPandas", [str(EXAMPLES / "Spark" / "photos.py")], []
        yield "Spark, pipe", [str(EXAMPLES / "Spark" / "pipe.py")], ["--worker", tool]
    if "ray" in engines:
        yield "Ray, map_batches", [str(EXAMPLES / "Ray" / "photos.py")], []


def run(command, folder, output, arguments):
    """Runs an example; its last line, and the photographs a second that it says."""
    environment = {**os.environ, "PYSPARK_PYTHON": sys.executable, "RAY_DATA_DISABLE_PROGRESS_BARS": "1"}
    done = subprocess.run([sys.executable, *command, str(folder), str(output), *arguments], env=environment,
                          stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    if done.returncode != 0:
        print(done.stderr[-3000:])
        return None
    said = re.findall(r"(\d+) photographs in .* s: ([0-9.]+) a second", done.stdout)
    return float(said[-1][1]) if said else None


def check(tool, folder, engines, scratch):
    expected = answers(tool, folder)
    failed = sum(answer["error"] is not None for answer in expected.values())
    print(f"{len(expected)} photographs, of which {failed} cannot be read")
    expect(len(expected) == len(files(folder)), "the worker answers for every file")
    for title, command, arguments in examples(tool, engines):
        print(title)
        output = scratch / title
        rate = run(command, folder, output, arguments)
        expect(rate is not None, "the example runs")
        if rate is None:
            continue
        found = rows(output)
        expect(sorted(found) == sorted(expected), f"stores a row for each of {len(expected)} photographs")
        different = [path for path in expected if path in found and not is_same(found[path], expected[path])]
        expect(not different, "what the worker says" + "".join(f"\n          not: {path}" for path in different[:5]))


def measure(tool, folder, engines, scratch, times):
    """The rates of the examples and of the worker in turns, over each photograph several times."""
    many = scratch / "many"
    many.mkdir()
    for number in range(times):
        for index, path in enumerate(files(folder)):
            (many / f"{number}-{index}{path.suffix}").hardlink_to(path)
    count = len(files(many))
    names = "\0".join(map(str, files(many))) + "\0"

    def worker():
        start = time.monotonic()
        subprocess.run([*worker_command(tool), "--null"], input=names.encode(), stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL, check=False)
        return count / (time.monotonic() - start)

    print(f"Rates over {count} photographs, two threads or processes each; the start of an engine is not counted")
    before = worker()
    for title, command, arguments in examples(tool, engines):
        rate = run(command, many, scratch / f"{title}, rate", arguments) or 0
        after = worker()
        alone = (before + after) / 2
        print(f"  {title:20} {rate:7.1f} a second, the worker {alone:7.1f}: {rate / alone:.2f}", flush=True)
        before = after


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("tool", type=lambda path: str(Path(path).resolve()))
    parser.add_argument("folder", type=Path, nargs="?")
    parser.add_argument("--engine", action="append", choices=["spark", "ray"])
    parser.add_argument("--rate", type=int, default=0)
    options = parser.parse_args()
    engines = options.engine or ["spark", "ray"]
    with tempfile.TemporaryDirectory() as name:
        scratch = Path(name)
        folder = options.folder and options.folder.resolve()
        if not folder:
            folder = scratch / "photographs"
            folder.mkdir()
            make_photos(folder)
        check(options.tool, folder, engines, scratch)
        if options.rate:
            # Beside the photographs, because hard links need the same file system.
            with tempfile.TemporaryDirectory(dir=folder.parent) as beside:
                measure(options.tool, folder, engines, Path(beside), options.rate)
    print(f"engines: {len(failures)} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
