#!/usr/bin/env python3
"""Builds a package that uses the plugin GenerateModelClasses from outside, and runs it.

    check-plugin.py [--folder DIR]

The package has a model that is a resource of its target, one that is not, a Core ML package in a folder of resources,
one with a custom layer, an ONNX file with metadata beside it, the ONNX file of a Core ML file, and two that are no
networks and stay plain resources. It calls the models by their generated classes as code for a Mac does. It is made in
DIR, which is kept, or in a temporary folder. The first build takes some minutes: everything that the models need is
built anew.
"""

import argparse
import pathlib
import struct
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent

MANIFEST = """\
// swift-tools-version: 6.0
import PackageDescription

let package = Package(
    name: "App",
    dependencies: [.package(name: "OpenVision", path: "%s")],
    targets: [
        .executableTarget(
            name: "App", dependencies: [.product(name: "Vision", package: "OpenVision")],
            resources: [.copy("Copied.mlmodel"), .copy("Foreign.onnx"), .copy("Models")],
            plugins: [.plugin(name: "GenerateModelClasses", package: "OpenVision")])
    ])
"""

MAIN = """\
import CoreML
import Vision

var buffer: CVPixelBuffer?
CVPixelBufferCreate(nil, 4, 2, kCVPixelFormatType_32BGRA, nil, &buffer)
let photo = buffer!
CVPixelBufferLockBaseAddress(photo, [])
let bytes = CVPixelBufferGetBaseAddress(photo)!.assumingMemoryBound(to: UInt8.self)
for row in 0..<2 {
    for column in 0..<4 { bytes[row * CVPixelBufferGetBytesPerRow(photo) + 4 * column + 1] = 200 }
}
CVPixelBufferUnlockBaseAddress(photo, [])

let model = try VNCoreMLModel(for: MobileNet().model)
let request = VNCoreMLRequest(model: model)
try VNImageRequestHandler(cvPixelBuffer: photo).perform([request])
print((request.results?.first as? VNClassificationObservation)?.identifier ?? "nothing")
print(try Copied(configuration: MLModelConfiguration()).prediction(image: photo).classLabel)
let adder = try await Adder.load()
print(try adder.prediction(x: [1, -2]).yShapedArray.scalars)

/// Found by its name in the module of the program.
final class Doubler: MLCustomLayer {
    init(parameters: [String: Any]) throws {}
    func setWeightData(_ weights: [Data]) throws {}
    func outputShapes(forInputShapes inputShapes: [[NSNumber]]) throws -> [[NSNumber]] { inputShapes }
    func evaluate(inputs: [MLMultiArray], outputs: [MLMultiArray]) throws {
        for index in 0..<inputs[0].count { outputs[0][index] = (inputs[0][index].floatValue * 2) as NSNumber }
    }
}
print(try Custom(configuration: MLModelConfiguration()).prediction(x: [3, 4]).yShapedArray.scalars)
let negative = try Negative(configuration: MLModelConfiguration())
print(try negative.prediction(x: [3, 4]).yShapedArray.scalars, negative.model.modelDescription.metadata[.author] ?? "")
"""

EXPECTED = ["green", "green", "[2.0, -4.0]", "[6.0, 8.0]", "[-3.0, -4.0] Ann"]


def field(number, value):
    """A field of Protocol Buffers: a number, text, bytes or a list of fields of a message."""
    if isinstance(value, float):
        return varint(number << 3 | 5) + struct.pack("<f", value)
    if isinstance(value, int):
        return varint(number << 3) + varint(value)
    if isinstance(value, str):
        value = value.encode()
    elif isinstance(value, list):
        value = b"".join(field(*part) for part in value)
    return varint(number << 3 | 2) + varint(len(value)) + value


def varint(value):
    result = b""
    while value > 127:
        result += bytes([value & 127 | 128])
        value >>= 7
    return result + bytes([value])


def message(*fields):
    return b"".join(field(*part) for part in fields)


def array(name, length):
    return [(1, name), (3, [(5, [(1, bytes([length])), (2, 65568)])])]


def layer(name, source, target, number, parameters):
    return (1, [(1, name), (2, source), (3, target), (number, parameters)])


def classifier():
    """The mean colour of an image as scores of three labels."""
    image = [(1, "image"), (3, [(4, [(1, 4), (2, 2), (3, 20)])])]
    outputs = [
        (10, [(1, "classLabelProbs"), (3, [(6, [(2, [])])])]), (10, [(1, "classLabel"), (3, [(3, [])])])]
    network = [
        layer("mean", "image", "m", 120, [(1, 1), (60, 1)]), layer("soft", "m", "p", 175, []),
        (2, [(1, "image"), (10, [(10, 0.1)])]), (100, [(1, "red"), (1, "green"), (1, "blue")])]
    return message((1, 4), (2, [(1, image), *outputs, (11, "classLabel"), (12, "classLabelProbs")]), (403, network))


def adder():
    """Twice its input."""
    network = [layer("double", "x", "y", 130, [(5, [(1, 2.0)])]), (5, 1)]
    return message((1, 4), (2, [(1, array("x", 2)), (10, array("y", 2))]), (500, network))


def custom():
    """The same by a class of the program."""
    network = [layer("double", "x", "y", 500, [(10, "Doubler")]), (5, 1)]
    return message((1, 4), (2, [(1, array("x", 2)), (10, array("y", 2))]), (500, network))


def negative():
    """An ONNX file: its input with the other sign."""

    def value(name):
        return [(1, name), (2, [(1, [(1, 1), (2, [(1, [(1, 2)])])])])]

    node = [(1, "x"), (2, "y"), (4, "Neg")]
    graph = [(1, node), (2, "negative"), (11, value("x")), (12, value("y"))]
    return message((1, 8), (7, graph), (8, [(2, 13)]))


def make(folder):
    sources = folder / "Sources" / "App"
    inner = sources / "Models" / "Adder.mlpackage" / "Data" / "com.apple.CoreML"
    inner.mkdir(parents=True, exist_ok=True)
    (folder / "Package.swift").write_text(MANIFEST % ROOT)
    (sources / "main.swift").write_text(MAIN)
    (sources / "MobileNet.mlmodel").write_bytes(classifier())
    (sources / "Copied.mlmodel").write_bytes(classifier())
    (sources / "Custom.mlmodel").write_bytes(custom())
    (sources / "Negative.onnx").write_bytes(negative())
    (sources / "Negative.json").write_text('{"author": "Ann"}')
    (sources / "MobileNet.onnx").write_bytes(negative())
    (sources / "Foreign.onnx").write_bytes(b"for another runtime")
    (sources / "Models" / "Foreign.onnx").write_bytes(b"for another runtime")
    (inner / "model.mlmodel").write_bytes(adder())
    (sources / "Models" / "Adder.mlpackage" / "Manifest.json").write_text(
        '{"itemInfoEntries": {"x": {"path": "com.apple.CoreML/model.mlmodel"}}, "rootModelIdentifier": "x"}')


def run(folder):
    make(folder)
    command = ["swift", "run", "--package-path", str(folder), "--jobs", "2", "-Xcc", "-O2", "App"]
    result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
    printed = result.stdout.splitlines()
    if result.returncode or printed != EXPECTED:
        print(f"plugin: exit code {result.returncode}, printed {printed}, not {EXPECTED}")
        return 1
    print("plugin: the classes of five models compile and predict")
    return 0


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--folder", type=pathlib.Path)
    options = parser.parse_args()
    if options.folder:
        return run(options.folder)
    with tempfile.TemporaryDirectory() as folder:
        return run(pathlib.Path(folder))


if __name__ == "__main__":
    sys.exit(main())
