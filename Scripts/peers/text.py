"""Detects text in images with RapidOCR's own pipelines, as `Benchmarks accuracy text --found` reads it.

    text.py OUT FOLDER [--peer v6|v4]

v6 is rapidocr 3.10.0 with PP-OCRv6's small detector, v4 rapidocr_onnxruntime 1.4.4 with PP-OCRv4's, both as they come,
detection alone, one thread. Times are from the bytes of the image file in memory to the boxes.
"""

import argparse
import json
import os
import pathlib
import time

os.environ.setdefault("OMP_NUM_THREADS", "1")

import cv2  # noqa: E402
import numpy as np  # noqa: E402


def v6():
    from rapidocr import RapidOCR

    engine = RapidOCR(params={
        "EngineConfig.onnxruntime.intra_op_num_threads": 1, "EngineConfig.onnxruntime.inter_op_num_threads": 1,
        "Global.log_level": "critical",
    })  # fmt: skip

    def boxes(image):
        found = engine(image, use_det=True, use_cls=False, use_rec=False).boxes
        return [] if found is None else found

    return boxes


def v4():
    from rapidocr_onnxruntime import RapidOCR

    engine = RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1)

    def boxes(image):
        found, _ = engine(image, use_det=True, use_cls=False, use_rec=False)
        return [] if found is None else found

    return boxes


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("out", type=pathlib.Path)
    parser.add_argument("folder", type=pathlib.Path)
    parser.add_argument("--peer", choices=["v6", "v4"], default="v6")
    arguments = parser.parse_args()
    cv2.setNumThreads(1)
    boxes = {"v6": v6, "v4": v4}[arguments.peer]()
    names = sorted(json.loads((arguments.folder / "truth.json").read_text()))
    results = {}
    for name in names[:1] + names:
        data = np.frombuffer((arguments.folder / name).read_bytes(), np.uint8)
        start = time.perf_counter()
        found = boxes(cv2.imdecode(data, cv2.IMREAD_COLOR))
        seconds = time.perf_counter() - start
        results[name] = {"lines": [np.float64(box).flatten().tolist() for box in found], "seconds": seconds}
    arguments.out.write_text(json.dumps(results) + "\n")


if __name__ == "__main__":
    main()
