#!/usr/bin/env python3
"""Times the reading of photographs, ours at both levels and RapidOCR's, and the networks of both levels alone.

    reading.py BINARY DATA [--count N] [--rounds N] [--lines]

BINARY: our Benchmarks program. DATA: a folder with a folder for each set, as for Scripts/text_reading.py. From each
set N photographs (2) are taken, spread evenly. Everything runs on one core with one thread, in turns, from the bytes of
the file to the text, after a call that is not counted; the ratios are those of the sums over the photographs, of the
fastest of N rounds (2) each. --lines: a line of 640 × 48 pixels in the recognition networks, ours in 8 bits, as the
reader runs them, and in floats, against ONNX Runtime in floats.
"""

import argparse
import json
import os
import pathlib
import subprocess
import tempfile

os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2  # noqa: E402
import numpy as np  # noqa: E402
from timing import Ours, alternating, repeat  # noqa: E402

RECOGNISERS = {"accurate": "pp-ocrv6-rec-small", "fast": "pp-ocrv6-rec-tiny"}


def rapidocr():
    from rapidocr import RapidOCR

    engine = RapidOCR(params={
        "EngineConfig.onnxruntime.intra_op_num_threads": 1, "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        "Global.log_level": "critical",
    })  # fmt: skip

    def read(path):
        return engine(cv2.imdecode(np.frombuffer(path.read_bytes(), np.uint8), cv2.IMREAD_COLOR))

    return read


def photographs(folder, count):
    truth = json.loads((folder / "truth.json").read_text(encoding="utf-8"))
    step = max(1, len(truth) // count)
    for photo in truth[step // 2 :: step][:count]:
        inner = folder / "images" / photo["image"]
        yield inner if inner.exists() else folder / photo["image"]


def pages(ours, data, count, rounds):
    read = rapidocr()
    names = ["RapidOCR", "accurate", "fast"]
    totals = dict.fromkeys(names, 0.0)
    print("| set | RapidOCR ms | accurate ms | ratio | fast ms | fast to accurate |\n|---|---|---|---|---|---|")

    def row(title, times):
        ratio, share = times["accurate"] / times["RapidOCR"], times["fast"] / times["accurate"]
        print(
            f"| {title} | {times['RapidOCR']:.0f} | {times['accurate']:.0f} | {ratio:.2f} | {times['fast']:.0f} "
            f"| {share:.2f} |",
            flush=True,
        )

    for truth in sorted(data.glob("*/truth.json")):
        sums, paths = dict.fromkeys(names, 0.0), list(photographs(truth.parent, count))
        for path in paths:
            runs = {"RapidOCR": repeat(lambda path=path: read(path))}
            for level in names[1:]:
                runs[level] = lambda calls, level=level, path=path: ours.ask("reading", path, calls, level=level)[0]
            best = dict.fromkeys(names, float("inf"))
            for number in range(rounds + 1):
                for name in names if number % 2 else reversed(names):
                    time = runs[name](1)[0] / 1e6
                    # The first round prepares the networks for the sizes of the lines.
                    best[name] = min(best[name], time) if number else best[name]
            for name in names:
                sums[name] += best[name] / len(paths)
        row(truth.parent.name, sums)
        for name in names:
            totals[name] += sums[name]
    row("all", totals)


def lines(binary, ours, rounds):
    import onnx
    import onnxruntime

    told = subprocess.run([binary, "networks"], stdout=subprocess.PIPE, text=True, check=True)
    files = {model["name"]: model["file"] for model in json.loads(told.stdout)}
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    with tempfile.TemporaryDirectory() as folder:
        for level, name in RECOGNISERS.items():
            model = onnx.load(files[name])
            for place, size in enumerate([1, 3, 48, 640]):
                model.graph.input[0].type.tensor_type.shape.dim[place].dim_value = size
            path = pathlib.Path(folder) / f"{name}.onnx"
            onnx.save(model, path)
            session = onnxruntime.InferenceSession(path, options, providers=["CPUExecutionProvider"])
            values = {session.get_inputs()[0].name: np.zeros((1, 3, 48, 640), np.float32)}
            results = alternating(
                {
                    "ours": ours.runner("reading-line", path, level=level),
                    "floats": ours.runner("network", path, threads=1),
                    "ONNX Runtime": repeat(lambda session=session, values=values: session.run(None, values)),
                },
                rounds,
            )
            peer, floats = results["ONNX Runtime"], results["floats"]
            print(
                f"{name}: ONNX Runtime {peer.median:.2f} ms; ours in 8 bits {results['ours'].median:.2f} ms, "
                f"{peer.ratio:.3f} x; in floats {floats.median:.2f} ms, {floats.median / peer.median:.3f} x",
                flush=True,
            )


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("binary")
    parser.add_argument("data", type=pathlib.Path)
    parser.add_argument("--count", type=int, default=2)
    parser.add_argument("--rounds", type=int, default=2)
    parser.add_argument("--lines", action="store_true")
    arguments = parser.parse_args()
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})
    cv2.setNumThreads(1)
    ours = Ours(arguments.binary)
    if arguments.lines:
        lines(arguments.binary, ours, max(5, arguments.rounds))
    else:
        pages(ours, arguments.data, arguments.count, arguments.rounds)
    ours.close()


if __name__ == "__main__":
    main()
