"""Whole networks, batch 1, with one thread and with two: OpenVINO, ONNX Runtime and LiteRT against ours.

Each call, on every side, gets its input from outside and leaves its outputs where the engine has put them. Every engine
runs in a process of its own: OpenVINO reads the set of available cores once in a process, and never uses more threads
than that.

    case_networks.py PEER FILE THREADS is such a process: a count of calls a line, their times in nanoseconds as an
    answer
"""

import contextlib
import functools
import json
import os
import pathlib
import subprocess
import sys

import numpy as np

from processors import wait_until_all_compute
from rows import Row
from timing import NotThere, Ours, alternating, repeat

THREADS = [1, 2]

# The ratio to OpenVINO to reach, by a part of the name; the first match counts.
TARGETS = [
    (("efficientnet-lite0", "int8"), 1.0),
    (("int8",), None),
    (("efficientnet-lite0",), 0.95),
    (("efficientnet-lite2",), 0.95),
    (("face-detection-short-range",), 0.9),
    (("pose-detection",), 0.95),
    (("yolox",), 0.95),
]

found = {}


def names(binary, folder):
    """Names of the cases. Our side knows where models are: the installed ones, and those of a folder."""
    command = [binary, "networks"] + (["--models", folder] if folder else [])
    told = subprocess.run(command, stdout=subprocess.PIPE, text=True)
    if told.returncode != 0:
        raise SystemExit(told.returncode)
    for model in json.loads(told.stdout):
        for threads in THREADS:
            clients = "1-thread" if threads == 1 else f"{threads}-threads"
            found[f"networks/{model['name']}/{clients}".lower()] = pathlib.Path(model["file"]), threads
    return list(found)


def target(name):
    name = name.replace("_", "-")
    return next((ratio for parts, ratio in TARGETS if all(part in name for part in parts)), None)


def run(name, env):
    path, threads = found[name]
    if threads > len(env.cores):
        raise NotThere(f"{threads} threads need as many cores, there are {len(env.cores)}")
    with on_cores(env.cores[:threads]), contextlib.ExitStack() as stack:
        ours = stack.enter_context(contextlib.closing(Ours(env.binary, threads)))
        contestants, missing = {"ours": ours.runner("network", path, threads=threads)}, {}
        for peer in PEERS[path.suffix]:
            process = stack.enter_context(contextlib.closing(Peer(peer, path, threads)))
            if process.error:
                missing[peer] = f"not run: {process.error}"
            else:
                contestants[peer] = process.run
        prepare = None
        if threads > 1:
            prepare = functools.partial(wait_until_all_compute, env.cores[:threads])
        results = alternating(contestants, env.rounds, prepare=prepare)
    rows = [
        Row.timed(name, peer, results, target(name) if peer == "OpenVINO" else None)
        for peer in contestants
        if peer != "ours"
    ]
    return rows + [Row(name, peer, None, results["ours"].median, None, note=told) for peer, told in missing.items()]


class Peer:
    """A process that runs one network in one engine; `error` says why it does not."""

    def __init__(self, peer, path, threads):
        # Messages of engines about their set-up are dropped; errors come as an answer.
        self.process = subprocess.Popen(
            [sys.executable, __file__, peer, str(path), str(threads)],
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True, bufsize=1,
        )  # fmt: skip
        self.error = self.answer().get("error")

    def answer(self):
        line = self.process.stdout.readline()
        return json.loads(line) if line else {"error": f"ended with status {self.process.wait()}"}

    def run(self, count):
        self.process.stdin.write(f"{count}\n")
        answer = self.answer()
        if "error" in answer:
            raise NotThere(f"a peer stopped: {answer['error']}")
        return answer["nanoseconds"]

    def close(self):
        self.process.stdin.close()
        self.process.wait()


def serve(peer, path, threads):
    # Engines may print to stdout; answers go to a copy of it.
    answers = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        run_calls = repeat(PEERS[path.suffix][peer](path, threads))
        answers.write("{}\n")
        for line in sys.stdin:
            answers.write(json.dumps({"nanoseconds": run_calls(int(line))}) + "\n")
    except Exception as error:  # noqa: BLE001 - whatever stops a peer is told beside the figures
        answers.write(json.dumps({"error": reason(error)}) + "\n")


@contextlib.contextmanager
def on_cores(cores):
    """Processes that are started inside run on these cores."""
    before = os.sched_getaffinity(0)
    os.sched_setaffinity(0, cores)
    try:
        yield
    finally:
        os.sched_setaffinity(0, before)


def reason(error):
    """The informative line of an engine's error."""
    lines = [line.strip() for line in str(error).splitlines() if line.strip()]
    telling = [line for line in lines if not line.startswith(("Exception from", "Check '", "FrontEnd API"))]
    return (telling or lines or [type(error).__name__])[0][:100]


def values(shape, kind):
    """As ours: noise of 0 to 1, or bytes; zeros for other types. An unknown batch size is 1, an unknown image size 640
    × 480."""
    sizes = [1 if axis == 0 and not isinstance(size, int) else size for axis, size in enumerate(shape)]
    if len(sizes) == 4 and sizes[1] == 3 and not any(isinstance(size, int) for size in sizes[2:]):
        sizes[2:] = [480, 640]
    if not all(isinstance(size, int) for size in sizes):
        raise ValueError(f"the model leaves the shape {shape} of an input open")
    rng = np.random.default_rng(5)
    if np.dtype(kind) == np.float32:
        return rng.uniform(0, 1, sizes).astype(np.float32)
    return rng.integers(0, 256, sizes).astype(np.uint8) if np.dtype(kind) == np.uint8 else np.zeros(sizes, kind)


def openvino(path, threads):
    import openvino as ov

    core = ov.Core()
    model = core.read_model(path)
    shapes = {}
    for index, given in enumerate(model.inputs):
        sizes = [axis.get_length() if axis.is_static else None for axis in given.partial_shape]
        shapes[index] = values(sizes, given.element_type.to_dtype())
    if model.is_dynamic():
        model.reshape({index: list(array.shape) for index, array in shapes.items()})
    settings = {
        "PERFORMANCE_HINT": "LATENCY",
        "INFERENCE_NUM_THREADS": threads,
        # Sixteen-bit arithmetic, where a processor has it, would be another network.
        "INFERENCE_PRECISION_HINT": "f32",
    }
    request = core.compile_model(model, "CPU", settings).create_infer_request()
    inputs = [(request.get_input_tensor(index).data, array) for index, array in shapes.items()]

    def call():
        for tensor, array in inputs:
            np.copyto(tensor, array)
        request.infer()

    return call


def onnx_runtime(path, threads):
    import onnxruntime

    options = onnxruntime.SessionOptions()
    options.log_severity_level = 3
    options.intra_op_num_threads = threads
    options.inter_op_num_threads = 1
    session = onnxruntime.InferenceSession(str(path), options, providers=["CPUExecutionProvider"])
    kinds = {"tensor(float)": np.float32, "tensor(double)": np.float64, "tensor(float16)": np.float16}
    kinds |= {f"tensor({name})": np.dtype(name) for name in ("uint8", "int8", "int32", "int64", "bool")}
    inputs = {given.name: values(given.shape, kinds[given.type]) for given in session.get_inputs()}
    return lambda: session.run(None, inputs)


def litert(path, threads):
    from ai_edge_litert.interpreter import Interpreter

    interpreter = Interpreter(model_path=str(path), num_threads=threads)
    interpreter.allocate_tensors()
    inputs = [
        (given["index"], values([int(size) for size in given["shape"]], given["dtype"]))
        for given in interpreter.get_input_details()
    ]

    def call():
        for index, array in inputs:
            interpreter.set_tensor(index, array)
        interpreter.invoke()

    return call


PEERS = {
    ".onnx": {"OpenVINO": openvino, "ONNX Runtime": onnx_runtime},
    ".tflite": {"OpenVINO": openvino, "LiteRT": litert},
}

if __name__ == "__main__":
    serve(sys.argv[1], pathlib.Path(sys.argv[2]), int(sys.argv[3]))
