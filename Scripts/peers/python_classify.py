#!/usr/bin/env python3
"""Times `openvision.classify` on NumPy arrays against ONNX Runtime and Pillow: the same network, one thread.

    python_classify.py PHOTOS NETWORK.onnx

Needs the wheel (make wheel), numpy, Pillow and onnxruntime. NETWORK is that of the request: EfficientNet-Lite2 of the
model store. Both run in turns; the ratio is that of processor times. The photographs are decoded before.
"""

import pathlib
import statistics
import sys
import time

import numpy
import onnxruntime
import openvision
from PIL import Image

ROUNDS = 7


def main():
    photos, network = pathlib.Path(sys.argv[1]), sys.argv[2]
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
        start = time.process_time()
        for array in arrays:
            function(array)
        return (time.process_time() - start) / len(arrays) * 1e3

    # The first round warms both up.
    rounds = [(milliseconds(openvision.classify), milliseconds(peer)) for _ in range(ROUNDS + 1)][1:]
    ratios = sorted(ours / theirs for ours, theirs in rounds)
    print(f"ours {statistics.median(ours for ours, _ in rounds):.2f} ms, ONNX Runtime and Pillow "
          f"{statistics.median(theirs for _, theirs in rounds):.2f} ms, ratio {statistics.median(ratios):.3f} "
          f"({ratios[0]:.3f}-{ratios[-1]:.3f})")


if __name__ == "__main__":
    main()
