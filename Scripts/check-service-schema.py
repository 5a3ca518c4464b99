#!/usr/bin/env python3
"""Checks the service against its own OpenAPI document with schemathesis: requests that follow the document, and such
that do not. Statuses, media types and bodies of all answers must be described, valid requests accepted, others refused.

    check-service-schema.py SERVE [--tool OPENVISION] [--examples N]

SERVE: the program openvision-serve. It is started twice: with a model (and with OPENVISION, the tool, an index) for all
checks, and with a token for what those without it see. Schemathesis comes from PyPI into a virtual environment that
lives as long as the run.
"""

import argparse
import os
import struct
import subprocess
import sys
import tempfile
import venv
import zlib
from pathlib import Path

from service_process import Service

ROOT = Path(__file__).resolve().parent.parent
PARTS = ROOT / "Scripts" / "service_schema"
PHOTOS = ROOT / "Tests" / "GuideTests" / "Photos"
TOKEN = "0123456789abcdef-schema"


def png(width, height, channels=3, depth=8):
    """A PNG with a pattern: grey (1 channel), colours (3) or with alpha (4)."""
    def chunk(kind, data):
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))
    stride = width * channels * depth // 8
    rows = b"".join(b"\0" + bytes((x * 7 + y * y) % 256 for x in range(stride)) for y in range(height))
    header = struct.pack(">IIBBBBB", width, height, depth, {1: 0, 3: 2, 4: 6}[channels], 0, 0, 0)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", header) + chunk(b"IDAT", zlib.compress(rows)) + chunk(b"IEND", b""))


def images():
    """Files of images: good ones, and some that no decoder may read."""
    photo = (PHOTOS / "cat.jpg").read_bytes()
    return {
        "photo.jpg": photo, "face.jpg": (PHOTOS / "astronaut.jpg").read_bytes(), "colours.png": png(48, 32),
        "grey.png": png(40, 60, 1), "alpha.png": png(33, 31, 4), "deep.png": png(16, 20, 3, 16),
        "pixel.png": png(1, 1), "line.png": png(900, 1), "huge.png": png(8, 8)[:16] + struct.pack(">II", 60000, 60000)
        + png(8, 8)[24:], "cut.jpg": photo[:900], "noise.bin": bytes(range(256)),
    }


def model():
    """A classifier of the mean colour as an ONNX file."""
    def variable(value):
        data = b""
        while value >= 0x80:
            data, value = data + bytes([value & 0x7F | 0x80]), value >> 7
        return data + bytes([value])

    def number(field, value):
        return variable(field << 3) + variable(value)

    def message(field, data):
        data = data.encode() if isinstance(data, str) else data
        return variable(field << 3 | 2) + variable(len(data)) + data

    def port(name, shape):
        shape = b"".join(message(1, number(1, size)) for size in shape)
        return message(1, name) + message(2, message(1, number(1, 1) + message(2, shape)))

    node = (message(1, "image") + message(2, "scores") + message(4, "ReduceMean")
            + message(5, message(1, "axes") + number(8, 2) + number(8, 3) + number(20, 7))
            + message(5, message(1, "keepdims") + number(3, 0) + number(20, 2)))
    graph = (message(1, node) + message(2, "colours") + message(11, port("image", [1, 3, 8, 8]))
             + message(12, port("scores", [1, 3])))
    labels = message(1, "openvision") + message(2, '{"labels": ["red", "green", "blue"]}')
    return number(1, 8) + message(7, graph) + message(8, message(1, "") + number(2, 17)) + message(14, labels)


def schemathesis(environment, service, folder, *arguments):
    variables = {**os.environ, "SERVICE_IMAGES": str(folder / "images"), "SCHEMATHESIS_HOOKS": "hooks",
                 "PYTHONPATH": str(PARTS), "PYTHONDONTWRITEBYTECODE": "1"}
    return subprocess.run(
        [environment / "bin" / "schemathesis", "--config-file", PARTS / "schemathesis.toml", "run",
         f"{service.address}/openapi.json", *arguments], env=variables, cwd=folder).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("serve", type=Path)
    parser.add_argument("--tool", type=Path, help="the program openvision, for a service with an index")
    parser.add_argument("--examples", type=int, default=8, help="random requests for each operation and kind")
    parser.add_argument("--environment", type=Path, help="an environment with schemathesis that is there")
    options = parser.parse_args()
    serve = options.serve.resolve()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        environment = options.environment or folder / "environment"
        if not options.environment:
            venv.create(environment, with_pip=True)
            subprocess.run([environment / "bin" / "pip", "install", "--quiet", "--disable-pip-version-check",
                            "-r", PARTS / "requirements.txt"], check=True)
        (folder / "images").mkdir()
        (folder / "models").mkdir()
        for name, data in images().items():
            (folder / "images" / name).write_bytes(data)
        (folder / "models" / "colours.onnx").write_bytes(model())
        arguments = ["--models-folder", folder / "models"]
        if options.tool:
            subprocess.run([options.tool.resolve(), "index", PHOTOS, "--db", folder / "photos.db"], check=True,
                           stdout=subprocess.DEVNULL)
            arguments += ["--index", folder / "photos.db"]
        examples = ["--max-examples", str(options.examples)]
        with Service(serve, *arguments) as service:
            failed = schemathesis(environment, service, folder, "--checks", "all", *examples)
        failed |= service.status
        (folder / "token").write_text(TOKEN)
        with Service(serve, *arguments, "--token-file", folder / "token") as service:
            failed |= schemathesis(
                environment, service, folder, "--checks", "all", "--max-examples", "2", "--header",
                f"Authorization: Bearer {TOKEN}", "--phases", "coverage,fuzzing")
        failed |= service.status
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())
