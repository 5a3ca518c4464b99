#!/usr/bin/env python3
"""Loads a service with classifications of photographs, with 1, 8 and 64 connections: requests a second, times, statuses
and the memory of the server.

    service_load.py ADDRESS PHOTOS [--connections 1 8 64] [--seconds 10] [--pid PID] [--json FILE]

A connection sends its next request when it has its answer. After a 429 it waits a quarter of a second and not the
seconds of Retry-After: so the server is kept full, as by many more clients. Requests a second are those that were
answered with 200.
"""

import argparse
import asyncio
import collections
import json
import time
from pathlib import Path

from service_client import Connection, errors_in, memory


async def connection(address, path, photos, offset, end, times, statuses, problems):
    client, index = Connection(address), offset
    while time.monotonic() < end:
        start = time.monotonic()
        try:
            status, _, body = await client.request(
                "POST", path, photos[index % len(photos)], {"Content-Type": "image/jpeg"})
        except (OSError, EOFError, TimeoutError) as problem:
            statuses[type(problem).__name__] += 1
            client.close()
            continue
        statuses[status] += 1
        index += 1
        if status == 200:
            times.append(time.monotonic() - start)
        else:
            problems[errors_in(body)] += 1
            if status == 429:
                await asyncio.sleep(0.25)
    client.close()


def percentile(values, share):
    return sorted(values)[min(len(values) - 1, int(len(values) * share))] * 1e3 if values else float("nan")


async def measure(options, photos, count):
    times, statuses, problems = [], collections.Counter(), collections.Counter()
    most = memory(options.pid) if options.pid else None
    start = time.monotonic()
    end = start + options.seconds
    clients = [asyncio.create_task(connection(
        options.address, options.path, photos, index * 7, end, times, statuses, problems)) for index in range(count)]
    while clients:
        _, clients = await asyncio.wait(clients, timeout=0.5)
        if options.pid:
            most = max(most or 0, memory(options.pid) or 0)
    seconds = time.monotonic() - start
    return {"connections": count, "perSecond": len(times) / seconds, "p50": percentile(times, 0.5),
            "p99": percentile(times, 0.99), "statuses": dict(statuses), "megabytes": most, "problems": dict(problems)}


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
    photos = [path.read_bytes() for path in sorted(options.photos.glob("*.jpg"))]
    print("connections  requests/s    p50 ms    p99 ms  memory MB  statuses")
    for count in options.connections:
        row = asyncio.run(measure(options, photos, count))
        megabytes = f"{row['megabytes']:9.0f}" if row["megabytes"] else "        –"
        statuses = ", ".join(f"{status}: {number}" for status, number in sorted(row["statuses"].items(), key=str))
        print(f"{count:11}  {row['perSecond']:10.1f}  {row['p50']:8.1f}  {row['p99']:8.1f}  {megabytes}  {statuses}",
              flush=True)
        for problem, number in row["problems"].items():
            print(f"             {number} × {problem}")
        if options.json:
            with options.json.open("a") as file:
                file.write(json.dumps({"address": options.address, **row}) + "\n")


if __name__ == "__main__":
    main()
