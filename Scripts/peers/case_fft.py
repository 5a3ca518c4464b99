"""The real two-dimensional Fourier transform: OpenCV's dft and FFTW's patient plan against ours."""

import cv2
import numpy as np
import pyfftw

from raw_files import write_raw
from rows import Row
from timing import alternating, repeat

NAMES = ["fft/256x256", "fft/480x640"]


def run(name, env):
    height, width = (int(v) for v in name.split("/")[1].split("x"))
    image = env.photos.grey(width, height, 3).astype(np.float32)
    file = write_raw(env.folder / f"fft-{width}.raw", "greyfloat", [image])
    packed = np.empty_like(image)
    plan, source = fftw_plan(image, env.cache)
    results = alternating(
        {
            "ours": env.ours.runner("fft", file),
            "OpenCV dft (CCS)": repeat(lambda: cv2.dft(image, dst=packed)),
            "FFTW patient": repeat(plan.execute),
        },
        env.rounds,
    )
    rows = [Row.timed(name, peer, results, 0.9) for peer in ("OpenCV dft (CCS)", "FFTW patient")]
    exact = np.fft.rfft2(image.astype(np.float64))
    ours = spectrum_of_ours(env, file, exact.shape)
    rows.append(Row.checked(name, "(our error / peak)", float(abs(ours - exact).max() / abs(exact).max()), 1e-5, ""))
    return rows


def fftw_plan(image, cache):
    """A plan found by FFTW's patient search, remembered for the next run. -> (plan, its input array)"""
    wisdom = cache / f"fftw-{image.shape[1]}.wisdom"
    if wisdom.exists():
        pyfftw.import_wisdom((b"", wisdom.read_bytes(), b""))
    source = pyfftw.empty_aligned(image.shape, "float32")
    result = pyfftw.empty_aligned((image.shape[0], image.shape[1] // 2 + 1), "complex64")
    plan = pyfftw.FFTW(source, result, axes=(0, 1), flags=("FFTW_PATIENT",), threads=1)
    wisdom.write_bytes(pyfftw.export_wisdom()[1])
    source[:] = image
    return plan, source


def spectrum_of_ours(env, file, shape):
    """Our transform in natural order: planes of real and imaginary parts, as the case writes them."""
    output = env.folder / "spectrum.raw"
    env.ours.ask("fft", file, 1, output=output)
    planes = np.fromfile(output, np.float32).reshape(2, *shape).astype(np.float64)
    return planes[0] + 1j * planes[1]
