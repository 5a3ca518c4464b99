#!/usr/bin/env python3
"""Runs a service for long: requests of many kinds, a share of hostile ones, slow clients and cut connections. Every
answer to a good request is compared with that of the tool, which is made before the run, or without a tool with the
first to the same request. The memory of the server is noted.

    service_soak.py ADDRESS PHOTOS [--tool OPENVISION] [--requests 100000] [--seconds S] [--connections 16]
                    [--hostile 0.05] [--pid PID] [--seed 1]

Fails if an answer differs, a status is not one of those that are right, the server ends, or its memory in the last
fifth of the run is more than a tenth above that in the second fifth.
"""

import argparse
import asyncio
import base64
import collections
import json
import random
import statistics
import subprocess
import sys
import time
from pathlib import Path

import service_hostile
from service_client import Connection, errors_in, memory

# Kinds of good requests, with how often they come.
KINDS = {
    "classify": 30, "print": 20, "faces": 15, "saliency": 5, "people": 5, "barcodes": 5, "rectangles": 4, "horizon": 5,
    "text": 2, "several, multipart": 5, "several, JSON": 4,
}
SEVERAL = ["classify", {"name": "faces", "landmarks": True}, "print"]


def request_of(kind, photo):
    """The path, the body and the headers of a good request."""
    if kind == "several, multipart":
        body = service_hostile.multipart([
            ('name="requests"', json.dumps(SEVERAL).encode()), ('name="image"; filename="a.jpg"', photo)])
        return "/v1/analyze", body, {"Content-Type": "multipart/form-data; boundary=soak"}
    if kind == "several, JSON":
        body = json.dumps({"image": base64.b64encode(photo).decode(), "requests": SEVERAL}).encode()
        return "/v1/analyze", body, {"Content-Type": "application/json"}
    return f"/v1/{kind}", photo, {"Content-Type": "image/jpeg"}


def answers_of_tool(tool, paths):
    """What `openvision worker` answers, by kind and number of the photograph."""
    jobs = [{"id": [kind, index], "path": str(path), "requests": SEVERAL if kind.startswith("several") else [kind]}
            for kind in KINDS for index, path in enumerate(paths)]
    output = subprocess.run([tool, "worker", "--quiet"], input="".join(json.dumps(job) + "\n" for job in jobs),
                            capture_output=True, text=True, check=True).stdout
    answers = {}
    for line in output.splitlines():
        answer = json.loads(line)
        key = tuple(answer["id"])
        # A service knows neither.
        answer["id"] = answer["image"]["path"] = None
        answers[key] = answer
    return answers


class Soak:
    def __init__(self, options):
        self.options = options
        paths = sorted(options.photos.glob("*.jpg"))[:options.different]
        self.photos = [path.read_bytes() for path in paths]
        self.left = options.requests
        # By kind and number of the photograph.
        self.expected = answers_of_tool(options.tool, paths) if options.tool else {}
        if options.tool:
            print(f"{len(self.expected)} answers of the tool for {len(paths)} photographs", flush=True)
        self.compared = 0
        self.counts = collections.Counter()
        self.failures = collections.Counter()
        self.memory = []  # seconds, megabytes

    def fail(self, what):
        self.failures[what] += 1

    async def good(self, client, numbers):
        kind = numbers.choices(list(KINDS), list(KINDS.values()))[0]
        index = numbers.randrange(len(self.photos))
        path, body, headers = request_of(kind, self.photos[index])
        while True:
            status, answered, answer = await client.request("POST", path, body, headers)
            self.counts[status] += 1
            if status != 429:
                break
            if "retry-after" not in answered:
                self.fail("a 429 without Retry-After")
            await asyncio.sleep(0.2)
        if status != 200:
            return self.fail(f"{kind}: {status} {errors_in(answer)}")
        answer = json.loads(answer)
        self.compared += 1
        if answer != self.expected.setdefault((kind, index), answer):
            self.fail(f"{kind}: another answer than " + ("the tool's" if self.options.tool else "the first"))

    async def hostile(self, numbers):
        name, (data, right) = numbers.choice(list(
            service_hostile.requests(numbers.choice(self.photos), numbers).items()))
        client = Connection(self.options.address, 60)
        try:
            async with asyncio.timeout(60):
                await client.open()
                client.writer.write(data)
                status, _, answer = await client.answer()
            self.counts[f"hostile {status}"] += 1
            if status not in right | {429}:
                self.fail(f"hostile, {name}: {status} {errors_in(answer)}")
        except (OSError, EOFError):
            # The server closed the connection without an answer: its right with what is not HTTP or too long.
            self.counts["hostile, closed"] += 1
        except TimeoutError:
            self.fail(f"hostile, {name}: no answer in 60 s")
        finally:
            client.close()

    async def cut(self, numbers):
        """A client that sends a part of a request, perhaps slowly, and goes away; or all of it and does not wait."""
        path, body, headers = request_of(numbers.choice(list(KINDS)), numbers.choice(self.photos))
        data = service_hostile.http(path, body, **{name.replace("-", "_"): value for name, value in headers.items()})
        sent = data if numbers.random() < 0.5 else data[:numbers.randrange(len(data))]
        client = Connection(self.options.address)
        try:
            await client.open()
            step = max(1, len(sent) // numbers.choice([1, 4]))
            for start in range(0, len(sent), step):
                client.writer.write(sent[start:start + step])
                await client.writer.drain()
                await asyncio.sleep(numbers.random() * 0.3)
            self.counts["cut"] += 1
        except OSError:
            self.counts["cut by the server"] += 1
        finally:
            client.close()

    async def work(self, number):
        numbers = random.Random(self.options.seed * 1000 + number)
        client = Connection(self.options.address)
        while self.left > 0:
            self.left -= 1
            chance = numbers.random()
            try:
                if chance < self.options.hostile:
                    await self.hostile(numbers)
                elif chance < self.options.hostile + 0.02:
                    await self.cut(numbers)
                else:
                    await self.good(client, numbers)
            except (OSError, EOFError, TimeoutError) as problem:
                self.fail(f"{type(problem).__name__} {problem}")
                client.close()
                await asyncio.sleep(0.5)
        client.close()

    async def run(self):
        start = time.monotonic()
        clients = [asyncio.create_task(self.work(number)) for number in range(self.options.connections)]
        while clients:
            done, clients = await asyncio.wait(clients, timeout=self.options.every)
            for task in done:
                task.result()
            seconds = time.monotonic() - start
            if self.options.seconds and seconds > self.options.seconds:
                self.options.requests -= max(0, self.left)
                self.left = 0
            finished = self.options.requests - max(0, self.left)
            used = memory(self.options.pid) if self.options.pid else None
            if self.options.pid and used is None:
                self.fail("the server has ended")
                self.left = 0
            if used:
                self.memory.append((seconds, used))
            failures = sum(self.failures.values())
            print(f"{seconds:7.0f} s  {finished:7} requests  {used or 0:6.0f} MB  {failures} failures", flush=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("address")
    parser.add_argument("photos", type=Path)
    parser.add_argument("--requests", type=int, default=100_000)
    parser.add_argument("--seconds", type=float, help="the longest time; requests beyond are not sent")
    parser.add_argument("--tool", help="the program openvision, of the same build and networks as the service")
    parser.add_argument("--connections", type=int, default=16)
    parser.add_argument("--hostile", type=float, default=0.05)
    parser.add_argument("--different", type=int, default=20, help="photographs that are used")
    parser.add_argument("--every", type=float, default=10, help="seconds between two notes of the memory")
    parser.add_argument("--pid", type=int)
    parser.add_argument("--seed", type=int, default=1)
    soak = Soak(parser.parse_args())
    asyncio.run(soak.run())

    print(f"{soak.options.requests} requests, {soak.compared} answers compared")
    print("answers:", ", ".join(f"{name}: {count}" for name, count in sorted(soak.counts.items(), key=str)))
    values = [used for _, used in soak.memory]
    if len(values) >= 10:
        fifth = len(values) // 5
        early, late = statistics.median(values[fifth:2 * fifth]), statistics.median(values[-fifth:])
        print(f"memory: {early:.0f} MB in the second fifth, {late:.0f} MB in the last, {max(values):.0f} MB at most")
        if late > early * 1.1:
            soak.fail(f"the memory grew from {early:.0f} to {late:.0f} MB")
    for failure, count in soak.failures.most_common(30):
        print(f"FAILED: {count} × {failure}")
    print(f"soak: {sum(soak.failures.values())} failures")
    return 1 if soak.failures else 0


if __name__ == "__main__":
    sys.exit(main())
