"""Times ours and the peers alternately.

Clocks of shared machines drift by a quarter within minutes, so figures taken one after the other cannot be compared.
Here a block of our calls is followed by a block of each peer's, then the order is reversed, and so on; a ratio is
computed within each round, and their median is reported.
"""

import json
import statistics
import subprocess
import time


class Ours:
    """The process that runs our side: `Benchmarks serve`."""

    def __init__(self, binary, threads=1):
        self.process = subprocess.Popen(
            [binary, "serve", "--threads", str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1,
        )  # fmt: skip

    def ask(self, case, file, repetitions, **parameters):
        """-> ([nanoseconds a call], [the numbers that each call answered])"""
        request = {"case": case, "file": str(file), "repetitions": repetitions}
        request["parameters"] = {key: str(value) for key, value in parameters.items()}
        self.process.stdin.write(json.dumps(request) + "\n")
        line = self.process.stdout.readline()
        if not line:
            raise SystemExit(f"our side ended with status {self.process.wait()} in the case {case}")
        answer = json.loads(line)
        if "error" in answer:
            raise NotThere(answer["error"])
        return answer["nanoseconds"], answer["answers"]

    def runner(self, case, file, **parameters):
        """-> a function of a count of calls that gives their times in nanoseconds"""
        return lambda count: self.ask(case, file, count, **parameters)[0]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


class NotThere(Exception):
    """Our side cannot run a case; the text is the reason."""


def repeat(call):
    """-> a function of a count of calls of a Python callable that gives their times in nanoseconds"""

    def run(count):
        times = []
        for _ in range(count):
            start = time.perf_counter_ns()
            call()
            times.append(time.perf_counter_ns() - start)
        return times

    return run


class Result:
    """Times of one contestant: `best` and `median` of the rounds' medians in ms, `ratios` of ours to it, one a
    round."""

    def __init__(self, medians, own):
        self.best = min(medians) / 1e6
        self.median = statistics.median(medians) / 1e6
        self.ratios = sorted(ours / theirs for ours, theirs in zip(own, medians))
        self.ratio = statistics.median(self.ratios)


def alternating(contestants, rounds=9, block_seconds=0.2, prepare=None):
    """Runs {name: runner} alternately; "ours" is one of them. -> {name: Result}

    prepare: called before each block.
    """
    counts = {}
    for name, run in contestants.items():
        run(1)
        first = max(1, statistics.median(run(3)))
        # Warm-up of a block's length, and a second estimate of the time of a call.
        warm = statistics.median(run(max(1, min(20_000, int(block_seconds * 1e9 / first)))))
        counts[name] = max(2, min(20_000, int(block_seconds * 1e9 / max(1, warm))))
    medians = {name: [] for name in contestants}
    for index in range(rounds):
        names = list(contestants)
        for name in names if index % 2 == 0 else reversed(names):
            if prepare:
                prepare()
            medians[name].append(statistics.median(contestants[name](counts[name])))
    return {name: Result(values, medians["ours"]) for name, values in medians.items()}
