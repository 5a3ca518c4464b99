#!/usr/bin/env python3
"""Times `openvision.classify` on NumPy arrays against the request in Swift, and against ONNX Runtime and Pillow with
the same network, one thread each.

    python_classify.py BENCHMARKS PHOTOS NETWORK.onnx

BENCHMARKS: the program of that name. Needs the wheel (make wheel), numpy, Pillow and onnxruntime. NETWORK is that of
the request: EfficientNet-Lite2 of the model store. All run in turns; the ratios are those of the times of a round.
The photographs are decoded before.
"""

import pathlib
import statistics
import sys
import tempfile
import time

import numpy
import onnxruntime
import openvision
from PIL import Image
from raw_files import write_raw
from timing import Ours

ROUNDS = 7


def main():
    benchmarks, photos, network = sys.argv[1], pathlib.Path(sys.argv[2]), sys.argv[3]
    arrays = [numpy.asarray(Image.open(path).convert("RGB")) for path in sorted(photos.glob("*.jpg"))[:40]]
    openvision.set_thread_count(1)
    options = onnxruntime.SessionOptions()
    options.intra_op_num_threads = options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(network, options, providers=["CPUExecutionProvider"])
    name, side = session.get_inputs()[0].name, session.get_inputs()[0].shape[-1]

    def peer(array):
        image = Image.fromarray(array).resize((side, side), Image.BICUBIC)
        planes = ((numpy.asarray(image, numpy.float32) - 127) / 128).transpose(2, 0, 1)
        return session.run(None, {name: numpy.ascontiguousarray(planes[None])})

    def milliseconds(function):
        seconds = 0
        for array in arrays:
            # The Swift program has just read its pixels, so these are in the caches of the processor too.
            pixels = array.copy()
            start = time.perf_counter()
            function(pixels)
            seconds += time.perf_counter() - start
        return seconds / len(arrays) * 1e3

    with tempfile.TemporaryDirectory() as folder:
        files = [pathlib.Path(folder) / f"{number}.raw" for number in range(len(arrays))]
        for file, array in zip(files, arrays):
            write_raw(file, "rgb8", [array])
        swift = Ours(benchmarks)

        def in_swift():
            return sum(swift.ask("classify", file, 1)[0][0] for file in files) / len(files) / 1e6

        # The first round warms all up.
        rounds = [(milliseconds(openvision.classify), in_swift(), milliseconds(peer)) for _ in range(ROUNDS + 1)][1:]
        swift.close()
    ours = statistics.median(times[0] for times in rounds)
    for index, title in [(1, "Swift"), (2, "ONNX Runtime and Pillow")]:
        ratios = sorted(times[0] / times[index] for times in rounds)
        print(f"from Python {ours:.2f} ms, {title} {statistics.median(times[index] for times in rounds):.2f} ms, "
              f"ratio {statistics.median(ratios):.3f} ({ratios[0]:.3f}-{ratios[-1]:.3f})")


if __name__ == "__main__":
    main()
