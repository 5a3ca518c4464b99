#!/usr/bin/env python3
"""Runs every case whose name contains FILTER and prints the times of the peers, ours, and the ratio.

See bench-peers.sh.
"""

import argparse
import dataclasses
import datetime
import importlib
import json
import os
import pathlib
import platform
import shutil
import sys
import tempfile

MODULES = [
    "case_registration", "case_homography", "case_fft", "case_pixels", "case_tracking", "case_decode",
    "case_derivatives", "case_filters",
    "case_networks", "case_prints", "case_products", "case_faces",
]  # fmt: skip
PACKAGES = [
    "opencv-contrib-python-headless", "dlib-bin", "pillow", "scikit-image", "pyFFTW", "openvino", "onnxruntime",
    "ai-edge-litert", "numpy", "scipy", "faiss-cpu",
]  # fmt: skip


@dataclasses.dataclass
class Environment:
    ours: object
    photos: object
    folder: pathlib.Path
    cache: pathlib.Path
    rounds: int
    binary: str
    # Those that may be used; the first is the one that this process runs on.
    cores: list


def options():
    parser = argparse.ArgumentParser(prog="bench-peers.sh", description="Time the peers against ours.")
    parser.add_argument("filter", nargs="?", default="", help="only cases whose name contains this")
    parser.add_argument("--list", action="store_true", help="print the names of the cases and stop")
    parser.add_argument("--markdown", action="store_true", help="print a Markdown table")
    parser.add_argument("--json", metavar="FILE", help="write all figures to this file")
    parser.add_argument("--photos", metavar="FOLDER", help="photographs to use instead of scikit-image's")
    parser.add_argument("--models", metavar="FOLDER", help="networks to time beside the installed ones")
    parser.add_argument("--rounds", type=int, default=9, help="rounds of turns a case (default 9)")
    parser.add_argument("--core", type=int, help="the core to run on (default: the last one)")
    parser.add_argument("--binary", required=True, help=argparse.SUPPRESS)
    parser.add_argument("--cache", required=True, type=pathlib.Path, help=argparse.SUPPRESS)
    return parser.parse_args()


def processor():
    for line in pathlib.Path("/proc/cpuinfo").read_text().splitlines():
        if line.startswith("model name"):
            return line.split(":", 1)[1].strip()
    return platform.machine()


def versions():
    from importlib.metadata import version

    return ", ".join(f"{name} {version(name)}" for name in PACKAGES)


def main():
    chosen = options()
    # Both sides on one core: they never run at the same time, and the system cannot give one the better core.
    usable = os.sched_getaffinity(0)
    core = max(usable) if chosen.core is None else chosen.core
    os.sched_setaffinity(0, {core})
    import cv2

    cv2.setNumThreads(1)
    from inputs import Photos
    from timing import NotThere, Ours
    import rows as table

    modules = [importlib.import_module(name) for name in MODULES]

    def names(module):
        return module.NAMES if hasattr(module, "NAMES") else module.names(chosen.binary, chosen.models)

    cases = [(name, module) for module in modules for name in names(module) if chosen.filter in name]
    if not cases:
        sys.exit(f"no case has {chosen.filter} in its name; --list shows the names")
    if chosen.list:
        print("\n".join(name for name, _ in cases))
        return

    folder = pathlib.Path(tempfile.mkdtemp(prefix="openvision-peers-"))
    cores = [core] + sorted(usable - {core}, reverse=True)
    environment = Environment(
        Ours(chosen.binary), Photos(chosen.photos), folder, chosen.cache, chosen.rounds, chosen.binary, cores
    )
    rows, missing = [], []
    try:
        for name, module in cases:
            print(f"{name} …", file=sys.stderr, flush=True)
            try:
                rows += module.run(name, environment)
            except NotThere as error:
                missing.append((name, str(error)))
    finally:
        environment.ours.close()
        shutil.rmtree(folder, ignore_errors=True)

    date = datetime.datetime.now(datetime.timezone.utc).strftime("%Y-%m-%d %H:%M UTC")
    where = (
        f"{processor()}, 1 thread unless a name says otherwise, {chosen.rounds} rounds in turns, {date}; {versions()}"
    )
    print((where + "\n\n" + table.markdown(rows)) if chosen.markdown else (where + "\n" + table.plain(rows)))
    for name, error in missing:
        print(f"{name}: not run: {error}")
    if chosen.json:
        figures = {"where": where, "rows": [dataclasses.asdict(row) for row in rows], "missing": missing}
        pathlib.Path(chosen.json).write_text(json.dumps(figures, indent=1, default=float) + "\n")
    if missing:
        sys.exit(1)


main()
