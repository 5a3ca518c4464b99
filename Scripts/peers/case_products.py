"""Products of float matrices: OpenBLAS's sgemm and ssyrk, of the library that OpenVision links, against our kernel."""

import ctypes

import numpy as np

from rows import Row
from timing import alternating, repeat

# Name: rows, columns, inner, whether the right matrix lies by columns.
SHAPES = {
    # Training a last layer on 1,280 features: scores of all samples, gradient of all weights; near duplicates.
    "training-scores-2000x20x1280": (2000, 20, 1280, False),
    "training-scores-8000x100x1280": (8000, 100, 1280, False),
    "training-gradient-1280x20x2000": (1280, 20, 2000, False),
    "training-gradient-1280x100x8000": (1280, 100, 8000, False),
    "near-duplicates-1024x1024x512": (1024, 1024, 512, True),
    # The dense layer behind a backbone, for one image and for sixteen.
    "dense-1x1000x1280": (1, 1000, 1280, False),
    "dense-16x1000x1280": (16, 1000, 1280, False),
    # Sixteen queries against prints in full precision.
    "prints-16x20000x512": (16, 20000, 512, True),
}
NAMES = [f"product/{shape}" for shape in SHAPES]
ROW_MAJOR, NOT_TRANSPOSED, TRANSPOSED, LOWER = 101, 111, 112, 122


def openblas():
    library = ctypes.CDLL("libopenblas.so.0")
    library.openblas_set_num_threads(1)
    return library


def run(name, env):
    rows, columns, inner, transposed = SHAPES[name.split("/")[1]]
    random = np.random.default_rng(5)
    left = random.standard_normal((rows, inner), np.float32)
    right = random.standard_normal((columns, inner) if transposed else (inner, columns), np.float32)
    if name.endswith("near-duplicates-1024x1024x512"):
        right = left
    file = env.folder / "product.raw"
    file.write_bytes(left.tobytes() + right.tobytes())
    result = np.empty((rows, columns), np.float32)
    library = openblas()
    address = lambda array: array.ctypes.data_as(ctypes.c_void_p)
    one, zero = ctypes.c_float(1), ctypes.c_float(0)
    a, b, c = address(left), address(right), address(result)

    def sgemm():
        library.cblas_sgemm(
            ROW_MAJOR, NOT_TRANSPOSED, TRANSPOSED if transposed else NOT_TRANSPOSED, rows, columns, inner, one, a,
            inner, b, inner if transposed else columns, zero, c, columns,
        )  # fmt: skip

    def ssyrk():
        library.cblas_ssyrk(ROW_MAJOR, LOWER, NOT_TRANSPOSED, rows, inner, one, a, inner, zero, c, columns)

    parameters = {"rows": rows, "columns": columns, "inner": inner, "transposed": int(transposed)}
    contestants = {"ours": env.ours.runner("product", file, **parameters), "OpenBLAS sgemm": repeat(sgemm)}
    if right is left:
        contestants["OpenBLAS ssyrk, one triangle"] = repeat(ssyrk)
    results = alternating(contestants, env.rounds)
    output = env.folder / "product-result.raw"
    env.ours.ask("product", file, 1, output=output, **parameters)
    ours = np.fromfile(output, np.float32).reshape(rows, columns)
    exact = left.astype(np.float64) @ (right.T if transposed else right).astype(np.float64)
    error = float(abs(ours - exact).max() / abs(exact).max())
    found = [Row.timed(name, peer, results) for peer in contestants if peer != "ours"]
    return found + [Row.checked(name, "(our error / largest)", error, 1e-5, "")]
