#!/usr/bin/env python3
"""Measures how long photographs take, and plans the analysis of many more on many machines.

usage: plan_scale.py measure TOOL FOLDER [--requests print,classify,faces] [--limit 1000] [--out times.json]
       plan_scale.py plan times.json [--photos 1e9] [--machines 100] [--cores 16] [--batch 2000] [--parallel .9]
                     [--failures .002] [--down 300] [--lease 600] [--slow .02] [--price .04] [--seed 1]
       plan_scale.py search SHARDS MEDIAN P99 [--seed 1]

measure: runs `TOOL worker --threads 1` over the photographs of a folder, on one core, and writes the seconds between
its answers, which are those that each photograph took, reading and decoding included. The first twenty are left out:
they load the networks.

plan: simulates the queue of Documentation/Scale.md. Each core takes batches of photographs; times are
drawn from the measured ones and divided by --parallel, the rate of a core on a full machine as a share of that of a
core by itself. Machines fail --failures times an hour and come back after --down seconds; what they had in hand is
lost, and is given to others when its lease of --lease seconds is over. A share --slow of the machines runs at a third
of the speed. When no batch is left, idle cores take copies of those that run, and the first answer counts. Printed: the
hours until the last batch is done, those that perfect sharing would take, the work that was done twice, and the price
of a million photographs at --price for a core and hour.

search: the time until the slowest of many shards has answered, where the times of one are log-normal with that median
and 99th percentile, in their unit.

needs: Python's standard library
"""
import argparse
import heapq
import json
import math
import os
import pathlib
import random
import statistics
import subprocess
import threading
import time

WARM_UP = 20
SUFFIXES = {".jpg", ".jpeg", ".png", ".webp", ".heic", ".tif", ".tiff", ".gif"}
# Machines that are slow run at this share of the speed.
SLOW_SPEED = 1 / 3


def measure(arguments):
    photos = sorted(path for path in arguments.folder.rglob("*") if path.suffix.lower() in SUFFIXES)
    photos = photos[: arguments.limit]
    if len(photos) <= 2 * WARM_UP:
        raise SystemExit(f"{arguments.folder} has {len(photos)} photographs; more than {2 * WARM_UP} are needed")
    core = max(os.sched_getaffinity(0))
    worker = subprocess.Popen(
        [arguments.tool, "worker", "--null", "--threads", "1", "--requests", arguments.requests],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
        preexec_fn=lambda: os.sched_setaffinity(0, {core}))

    def feed():
        with worker.stdin as names:
            names.write(b"".join(str(photo.absolute()).encode() + b"\0" for photo in photos))

    threading.Thread(target=feed, daemon=True).start()
    moments, failed = [], 0
    for line in worker.stdout:
        moments.append(time.perf_counter())
        failed += json.loads(line)["error"] is not None
    if worker.wait() not in (0, 1) or len(moments) != len(photos):
        raise SystemExit(f"the worker ended with {worker.returncode} after {len(moments)} photographs")
    seconds = [after - before for before, after in zip(moments, moments[1:])]
    seconds = seconds[WARM_UP:]
    megabytes = statistics.fmean(photo.stat().st_size for photo in photos) / 1e6
    arguments.out.write_text(json.dumps(
        {"requests": arguments.requests, "megabytes": round(megabytes, 4), "failed": failed,
         "seconds": [round(value, 6) for value in seconds]}))
    ordered = sorted(seconds)
    print(f"{len(seconds)} photographs of {megabytes:.2f} MB, {arguments.requests}: "
          f"{1 / statistics.fmean(seconds):.1f} a second and core; median {1e3 * statistics.median(ordered):.1f} ms, "
          f"99 % within {1e3 * ordered[int(0.99 * len(ordered))]:.1f} ms, longest {1e3 * ordered[-1]:.1f} ms; "
          f"{failed} failed")


class Queue:
    """Batches of photographs that the cores of machines take, by a simulated clock in seconds."""

    def __init__(self, arguments, mean, deviation, rng):
        self.arguments, self.mean, self.deviation, self.rng = arguments, mean, deviation, rng
        count = max(1, math.ceil(arguments.photos / arguments.batch))
        self.waiting, self.done, self.left = list(range(count)), bytearray(count), count
        self.running = {}
        self.busy = self.wasted = 0.0
        self.failures = self.late = 0

    def duration(self, speed):
        """The time of one batch: a sum of many photographs, which is normal."""
        batch = self.arguments.batch
        total = self.rng.gauss(batch * self.mean, math.sqrt(batch) * self.deviation)
        return max(total, batch * self.mean / 10) / (speed * self.arguments.parallel)

    def next_batch(self):
        """A batch that waits, or a copy of the oldest that runs once only."""
        while self.waiting:
            batch = self.waiting.pop()
            if not self.done[batch]:
                return batch
        copies = [batch for batch, cores in self.running.items() if len(cores) == 1 and not self.done[batch]]
        return min(copies, default=None)

    def run(self):
        arguments, rng = self.arguments, self.rng
        speeds = [SLOW_SPEED if rng.random() < arguments.slow else 1.0 for _ in range(arguments.machines)]
        generation = [0] * arguments.machines
        events, number, now = [], 0, 0.0

        def later(moment, kind, *what):
            nonlocal number
            number += 1
            heapq.heappush(events, (moment, number, kind, what))

        for machine in range(arguments.machines):
            for core in range(arguments.cores):
                later(0.0, "free", machine, core, 0)
            if arguments.failures > 0:
                later(rng.expovariate(arguments.failures / 3600), "fails", machine)
        idle = []
        while self.left and events:
            now, _, kind, what = heapq.heappop(events)
            if kind == "free":
                machine, core, born = what
                if born != generation[machine]:
                    continue
                batch = self.next_batch()
                if batch is None:
                    idle.append(what)
                    continue
                duration = self.duration(speeds[machine])
                self.running.setdefault(batch, {})[(machine, core)] = now
                later(now + duration, "ends", machine, core, born, batch)
            elif kind == "ends":
                machine, core, born, batch = what
                if born != generation[machine]:
                    continue
                spent = now - self.running[batch].pop((machine, core))
                self.busy += spent
                if not self.running[batch]:
                    del self.running[batch]
                if self.done[batch]:
                    self.wasted += spent
                else:
                    self.done[batch] = 1
                    self.left -= 1
                later(now, "free", machine, core, born)
            elif kind == "fails":
                (machine,) = what
                self.failures += 1
                generation[machine] += 1
                for batch in list(self.running):
                    for key in [key for key in self.running[batch] if key[0] == machine]:
                        spent = now - self.running[batch].pop(key)
                        self.busy += spent
                        self.wasted += spent
                    if not self.running[batch]:
                        del self.running[batch]
                        # Nobody knows before the lease is over.
                        later(now + arguments.lease, "expires", batch)
                for core in range(arguments.cores):
                    later(now + arguments.down, "free", machine, core, generation[machine])
                later(now + arguments.down + rng.expovariate(arguments.failures / 3600), "fails", machine)
            else:
                (batch,) = what
                if not self.done[batch]:
                    self.late += 1
                    self.waiting.append(batch)
                    for waiting in idle:
                        later(now, "free", *waiting)
                    idle = []
        return now


def plan(arguments):
    times = json.loads(arguments.times.read_text())
    seconds = times["seconds"]
    mean, deviation = statistics.fmean(seconds), statistics.pstdev(seconds)
    queue = Queue(arguments, mean, deviation, random.Random(arguments.seed))
    hours = queue.run() / 3600
    cores = arguments.machines * arguments.cores
    ideal = arguments.photos * mean / arguments.parallel / cores / 3600
    per_million = 1e6 * hours * cores / arguments.photos * arguments.price
    traffic = arguments.photos * times["megabytes"] / (hours * 3600)
    print(f"{arguments.photos:.3g} photographs, {times['requests']}, {arguments.machines} machines of "
          f"{arguments.cores} cores: {hours:.2f} hours ({ideal:.2f} with perfect sharing), "
          f"{arguments.photos / hours / 3600:.0f} photographs a second, {traffic:.0f} MB/s of files; "
          f"{queue.failures} failures, {queue.late} batches begun again, "
          f"{100 * queue.wasted / queue.busy:.2f} % of the work done twice; {per_million:.3f} for a million")


def search(arguments):
    rng = random.Random(arguments.seed)
    sigma = math.log(arguments.p99 / arguments.median) / 2.326
    slowest = sorted(
        max(arguments.median * math.exp(rng.gauss(0, sigma)) for _ in range(arguments.shards)) for _ in range(2000))
    print(f"{arguments.shards} shards: median {slowest[len(slowest) // 2]:.2f}, "
          f"99 % within {slowest[int(0.99 * len(slowest))]:.2f}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    command = commands.add_parser("measure")
    command.add_argument("tool")
    command.add_argument("folder", type=pathlib.Path)
    command.add_argument("--requests", default="print,classify,faces")
    command.add_argument("--limit", type=int, default=1000)
    command.add_argument("--out", type=pathlib.Path, default=pathlib.Path("times.json"))
    command.set_defaults(run=measure)
    command = commands.add_parser("plan")
    command.add_argument("times", type=pathlib.Path)
    for name, value in [("photos", 1e9), ("parallel", 0.9), ("failures", 0.002), ("down", 300.0), ("lease", 600.0),
                        ("slow", 0.02), ("price", 0.04)]:
        command.add_argument(f"--{name}", type=float, default=value)
    for name, value in [("machines", 100), ("cores", 16), ("batch", 2000), ("seed", 1)]:
        command.add_argument(f"--{name}", type=int, default=value)
    command.set_defaults(run=plan)
    command = commands.add_parser("search")
    command.add_argument("shards", type=int)
    command.add_argument("median", type=float)
    command.add_argument("p99", type=float)
    command.add_argument("--seed", type=int, default=1)
    command.set_defaults(run=search)
    arguments = parser.parse_args()
    arguments.run(arguments)


if __name__ == "__main__":
    main()
