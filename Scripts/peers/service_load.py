#!/usr/bin/env python3
"""Loads a service with classifications of photographs, with 1, 8 and 64 connections: requests a second, times, statuses
and the memory of the server.

    service_load.py ADDRESS PHOTOS [--connections 1 8 64] [--seconds 10] [--pid PID] [--json FILE]

The client is a C program (service_client.c), so that it takes the server little of the processor. A connection sends
its next request when it has its answer. After a 429 it waits a quarter of a second and not the seconds of Retry-After:
so the server is kept full, as by many more clients. Requests a second are those that were answered with 200; a status
of 0 is a connection that broke.
"""

import argparse
import collections
import functools
import json
import shutil
import subprocess
import sys
import tempfile
import time
import urllib.parse
from pathlib import Path

from service_client import memory


@functools.cache
def client():
    """The compiled service_client.c: a client in Python would take the server a twentieth of two cores."""
    compiler = shutil.which("cc") or shutil.which("clang")
    if compiler is None:
        sys.exit("A C compiler is missing.")
    folder = tempfile.TemporaryDirectory()
    program = Path(folder.name) / "service_client"
    subprocess.run([compiler, "-O2", "-D_GNU_SOURCE", "-pthread", "-o", program,
                    Path(__file__).with_suffix("").parent / "service_client.c"], check=True)
    return folder, program


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] / 1e3 if values else float("nan")


def measure(options, photos, count):
    """Loads a server with `count` connections: requests a second, times in milliseconds, statuses, megabytes."""
    most = memory(options.pid) if options.pid else None
    command = [client()[1], str(urllib.parse.urlsplit(options.address).port), options.path, str(options.seconds),
               str(count), *photos]
    start = time.monotonic()
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as process:
        lines = []
        while process.poll() is None:
            try:
                lines = process.communicate(timeout=0.5)[0].splitlines()
            except subprocess.TimeoutExpired:
                if options.pid:
                    most = max(most or 0, memory(options.pid) or 0)
        seconds = time.monotonic() - start
        if process.returncode:
            sys.exit(f"The client ended with {process.returncode}.")
    statuses, times = collections.Counter(), []
    for line in lines:
        status, time_taken = map(int, line.split())
        statuses[status] += 1
        if status == 200:
            times.append(time_taken)
    return {"connections": count, "perSecond": len(times) / seconds, "p50": percentile(times, 0.5),
            "p99": percentile(times, 0.99), "statuses": dict(statuses), "megabytes": most}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("photos", type=Path)
    parser.add_argument("--path", default="/v1/classify")
    parser.add_argument("--connections", type=int, nargs="+", default=[1, 8, 64])
    parser.add_argument("--seconds", type=float, default=10)
    parser.add_argument("--pid", type=int)
    parser.add_argument("--json", type=Path, help="adds a line for each row")
    options = parser.parse_args()
    photos = sorted(options.photos.glob("*.jpg"))
    print("connections  requests/s    p50 ms    p99 ms  memory MB  statuses")
    for count in options.connections:
        row = measure(options, photos, count)
        megabytes = f"{row['megabytes']:9.0f}" if row["megabytes"] else "        –"
        statuses = ", ".join(f"{status}: {number}" for status, number in sorted(row["statuses"].items(), key=str))
        print(f"{count:11}  {row['perSecond']:10.1f}  {row['p50']:8.1f}  {row['p99']:8.1f}  {megabytes}  {statuses}",
              flush=True)
        if options.json:
            with options.json.open("a") as file:
                file.write(json.dumps({"address": options.address, **row}) + "\n")


if __name__ == "__main__":
    main()
