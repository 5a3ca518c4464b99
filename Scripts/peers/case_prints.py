"""The search of one feature print among many: faiss's exact index and a product of NumPy against ours."""

import faiss
import numpy as np

from rows import Row
from timing import alternating, repeat

ELEMENTS, QUERIES, NEAREST = 512, 16, 10
NAMES = ["print-search/100000"]


def prints(count):
    """Unit vectors that are distributed like those of photos: many kinds of scenes, each with a spread of its own."""
    random = np.random.default_rng(11)
    kinds = random.uniform(-1, 1, (1000, ELEMENTS)).astype(np.float32)
    rows = np.empty((count, ELEMENTS), np.float32)
    for first in range(0, count, 10_000):
        part = rows[first : first + 10_000]
        spread = random.uniform(0.3, 1, (len(part), 1)).astype(np.float32)
        noise = spread * random.uniform(-1, 1, part.shape).astype(np.float32)
        part[:] = kinds[random.integers(0, 1000, len(part))] + noise
        part /= np.linalg.norm(part, axis=1, keepdims=True)
    return rows


def run(name, env):
    count = int(name.split("/")[1])
    rows = prints(count + QUERIES)
    file = env.folder / f"prints-{count}.raw"
    rows.tofile(file)
    table, queries = rows[:count], rows[count:]
    faiss.omp_set_num_threads(1)
    index = faiss.IndexFlatL2(ELEMENTS)
    index.add(table)
    calls = {"faiss": 0, "numpy": 0}

    def query(peer):
        calls[peer] += 1
        return queries[calls[peer] % QUERIES]

    def by_faiss():
        return index.search(query("faiss")[None], NEAREST)[1][0]

    def by_numpy():
        products = table @ query("numpy")
        best = np.argpartition(-products, NEAREST)[:NEAREST]
        return best[np.argsort(-products[best])]

    contestants = {
        "ours": env.ours.runner("print-search", file, count=count), "faiss IndexFlatL2": repeat(by_faiss),
        "NumPy, product and partition": repeat(by_numpy),
    }  # fmt: skip
    results = alternating(contestants, env.rounds)
    answers = env.ours.ask("print-search", file, QUERIES, count=count)[1]
    exact = index.search(queries, NEAREST)[1].tolist()
    # The case continues with the query after its last one.
    same = sum([int(v) for v in answer] in exact for answer in answers)
    # Distances that differ in the last bit may change their order: hence 15 of 16.
    found = Row.checked(name, "(queries answered otherwise)", QUERIES - same, 1, "queries")
    return [Row.timed(name, peer, results) for peer in contestants if peer != "ours"] + [found]
