"""Whether a virtual machine's processors are processors.

A host may run two of them on one core, each at half the speed, for seconds after one of them was idle. A block of calls
with two threads that falls into such a time takes as long as with one, whichever engine it is of.
"""

import os
import threading
import time

import numpy as np

# The share of their own speed that processors must have when all of them compute.
LEAST = 0.9
ATTEMPTS = 200


def wait_until_all_compute(processors):
    """Keeps the processors busy until they are as fast together as alone. Gives up after some seconds."""
    for _ in range(ATTEMPTS):
        alone = min(seconds([processor]) for processor in processors)
        if alone >= LEAST * seconds(processors):
            return


def seconds(processors):
    """How long the same work takes on each of the processors at the same time."""
    times, start = [], threading.Barrier(len(processors))
    threads = [threading.Thread(target=work, args=(processor, start, times)) for processor in processors]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    return max(times)


def work(processor, start, times):
    # Of this thread alone. NumPy computes without the interpreter's lock.
    os.sched_setaffinity(0, {processor})
    values = np.linspace(0, 1, 1 << 15)
    results = np.empty_like(values)
    np.sin(values, out=results)
    start.wait()
    begin = time.perf_counter()
    for _ in range(20):
        np.sin(values, out=results)
    times.append(time.perf_counter() - begin)
