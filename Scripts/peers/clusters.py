#!/usr/bin/env python3
"""Times the approximate search of prints against faiss's indexes with the same recall, on one core, in turns.

    Scripts/peers/clusters.py BENCHMARKS OPENVISION PHOTOS [--count 1000000] [--queries 200] [--hnsw]

The prints are synthetic ones around those of the photographs: a + s (b - c) of the prints of three photographs, s
from .2 to .8, at unit length. Their file takes 2 KB a print, memory some 150 bytes a print of ours and of faiss's
codes; with --hnsw also 2.3 KB a print. Each index is told to find at least --recall of the nearest ten, by the least
effort that does; ours has the effort that `openvision search` has. All candidates are compared with the query by their
floats.
"""

import argparse
import os
import pathlib
import subprocess
import sys
import tempfile
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")
import faiss
import numpy as np

from timing import Ours, alternating

NEAREST = 10


def options():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("benchmarks", help="the program Benchmarks")
    parser.add_argument("tool", help="the program openvision")
    parser.add_argument("photos", help="a folder of photographs")
    parser.add_argument("--count", type=int, default=1_000_000, help="prints (default 1,000,000)")
    parser.add_argument("--queries", type=int, default=200)
    parser.add_argument("--recall", type=float, default=0.95)
    parser.add_argument("--rounds", type=int, default=9)
    parser.add_argument("--hnsw", action="store_true", help="faiss's HNSW as well")
    parser.add_argument("--folder", help="where the files of prints go (default: a temporary one)")
    return parser.parse_args()


def real_prints(tool, photos):
    """The prints of the photographs, by the tool."""
    import base64
    import json

    names = sorted(str(path) for path in pathlib.Path(photos).rglob("*") if path.suffix.lower() in (".jpg", ".jpeg"))
    answers = subprocess.run(
        [tool, "worker", "--null", "--requests", "print", "--threads", str(len(os.sched_getaffinity(0)))],
        input="\0".join(names + [""]).encode(), stdout=subprocess.PIPE, check=False,
    ).stdout  # fmt: skip
    found = {}
    for line in answers.splitlines():
        answer = json.loads(line)
        if answer.get("results", {}).get("print"):
            found[answer["id"]] = np.frombuffer(base64.b64decode(answer["results"]["print"][0]["base64"]), "<f4")
    if len(found) < 100:
        sys.exit(f"{photos} has {len(found)} photographs that can be read; 100 are the least")
    return np.stack([found[name] for name in sorted(found)])


def write_prints(path, real, count):
    """Writes `count` synthetic prints, part by part."""
    random = np.random.default_rng(7)
    with open(path, "wb") as file:
        for first in range(0, count, 50_000):
            size = min(50_000, count - first)
            a, b, c = (real[random.integers(0, len(real), size)] for _ in range(3))
            rows = a + random.uniform(0.2, 0.8, (size, 1)).astype(np.float32) * (b - c)
            rows /= np.linalg.norm(rows, axis=1, keepdims=True)
            file.write(rows.astype("<f4").tobytes())


def exact(rows, queries):
    """The nearest ten of each query, by comparing all."""
    best = np.empty((len(queries), 0), np.float32)
    numbers = np.empty((len(queries), 0), np.int64)
    for first in range(0, len(rows), 100_000):
        products = queries @ rows[first : first + 100_000].T
        best = np.concatenate([best, products], 1)
        block = np.arange(first, first + products.shape[1])
        numbers = np.concatenate([numbers, np.broadcast_to(block, products.shape)], 1)
        keep = np.argpartition(-best, NEAREST, axis=1)[:, :NEAREST]
        best, numbers = (np.take_along_axis(values, keep, 1) for values in (best, numbers))
    return [set(row) for row in numbers.tolist()]


class Faiss:
    """An index of faiss whose candidates are compared by their floats, which lie in the file."""

    def __init__(self, index, rows, queries, candidates):
        self.index, self.rows, self.queries, self.candidates, self.next = index, rows, queries, candidates, 0

    def search(self, query):
        found = np.sort(self.index.search(query[None], self.candidates)[1][0])
        near = self.rows[found[found >= 0]]
        near = near - query
        order = np.argsort(np.einsum("ij,ij->i", near, near))[:NEAREST]
        return found[found >= 0][order]

    def run(self, count):
        times = []
        for _ in range(count):
            query = self.queries[self.next % len(self.queries)]
            self.next += 1
            start = time.perf_counter_ns()
            self.search(query)
            times.append(time.perf_counter_ns() - start)
        return times

    def recall(self, truth):
        hits = sum(len(truth[i] & set(self.search(query).tolist())) for i, query in enumerate(self.queries))
        return hits / (NEAREST * len(self.queries))


def inverted_file(rows, count, elements, lists):
    """Product codes of 4 bits that are compared by vectors of bytes: faiss's fastest inverted file."""
    index = faiss.index_factory(elements, f"IVF{lists},PQ{elements // 4}x4fs")
    index.train(np.ascontiguousarray(rows[:: max(1, count // (lists * 40))][: lists * 40]))
    for first in range(0, count, 100_000):
        index.add(np.ascontiguousarray(rows[first : min(first + 100_000, count)]))
    return index


def least_effort(make, efforts, truth, wanted):
    """-> (the contestant, its effort, its recall) of the first effort that finds enough"""
    for effort in efforts:
        contestant = make(effort)
        recall = contestant.recall(truth)
        if recall >= wanted:
            return contestant, effort, recall
    return contestant, effort, recall


def main():
    chosen = options()
    cores = sorted(os.sched_getaffinity(0))
    count = chosen.count
    with tempfile.TemporaryDirectory(dir=chosen.folder) as folder:
        file = pathlib.Path(folder) / "prints.raw"
        real = real_prints(chosen.tool, chosen.photos)
        elements = real.shape[1]
        print(f"{len(real)} photographs, {count} prints of {elements} elements", flush=True)
        write_prints(file, real, count + chosen.queries)
        table = np.memmap(file, "<f4", "r").reshape(-1, elements)
        rows, queries = table[:count], np.array(table[count:])
        truth = exact(rows, queries)

        faiss.omp_set_num_threads(len(cores))
        started = time.monotonic()
        lists = 1 << max(8, int(np.log2(2 * count**0.5)))
        peers = {}
        index = inverted_file(rows, count, elements, lists)
        print(f"faiss IVF{lists} made in {time.monotonic() - started:.0f} s", flush=True)

        def probing(effort):
            index.nprobe = effort
            return Faiss(index, rows, queries, 200)

        peers[f"faiss IVF{lists},PQ{elements // 4}x4fs"] = least_effort(
            probing, [4, 8, 12, 16, 24, 32, 48, 64, 96, 128, 192, 256], truth, chosen.recall)  # fmt: skip
        if chosen.hnsw:
            started = time.monotonic()
            graph = faiss.IndexHNSWFlat(elements, 32)
            graph.hnsw.efConstruction = 80
            graph.add(np.ascontiguousarray(rows))
            print(f"faiss HNSW32 made in {time.monotonic() - started:.0f} s", flush=True)

            def walking(effort):
                graph.hnsw.efSearch = effort
                return Faiss(graph, rows, queries, NEAREST)

            peers["faiss HNSW32"] = least_effort(
                walking, [16, 24, 32, 48, 64, 96, 128, 192, 256, 384, 512], truth, chosen.recall)  # fmt: skip

        # The index is made on all cores, the searches have one.
        started = time.monotonic()
        maker = Ours(chosen.benchmarks, len(cores))
        maker.ask("print-clusters", file, 0, count=count, elements=elements, threads=len(cores))
        maker.close()
        print(f"ours made in {time.monotonic() - started:.0f} s", flush=True)
        faiss.omp_set_num_threads(1)
        os.sched_setaffinity(0, {cores[-1]})
        ours = Ours(chosen.benchmarks)
        parameters = {"count": count, "elements": elements, "made": 1}
        answers = ours.ask("print-clusters", file, len(queries), **parameters)[1]
        recall = sum(len(truth[i] & {int(v) for v in answer}) for i, answer in enumerate(answers))
        recall /= NEAREST * len(queries)
        contestants = {"ours": ours.runner("print-clusters", file, **parameters)}
        for name, (contestant, _, _) in peers.items():
            contestants[name] = contestant.run
        results = alternating(contestants, chosen.rounds)
        size = pathlib.Path(f"{file}.clusters").stat().st_size
        print(f"\n{'':34}  recall@10  effort  ms a query  ours / it")
        print(f"{'ours':34}  {recall:9.3f}  {64:6}  {results['ours'].median:10.3f}")
        for name, (_, effort, found) in peers.items():
            result = results[name]
            print(f"{name:34}  {found:9.3f}  {effort:6}  {result.median:10.3f}  {result.ratio:9.2f}")
        memory = pathlib.Path(f"/proc/{ours.process.pid}/status").read_text().split("RssAnon:")[1].split("kB")[0]
        print(f"\nour file: {size / 1e6:.0f} MB; our process: {int(memory) / 1e3:.0f} MB without the prints' pages")
        ours.close()


main()
