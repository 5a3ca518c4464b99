#!/usr/bin/env python3
"""Builds packages that use the products of this one from outside.

    check-frameworks.py [--folder DIR]

A package that depends on Vision alone must fetch no more than this one does, nothing of the HTTP service's web server
above all, and must not see modules with the names of Apple's frameworks. One that depends on
AppleFrameworks as well compiles a file with the imports of a file for Apple's systems, and runs it. The packages are
made in DIR, which is kept, or in a temporary folder. The first build takes some minutes.
"""

import argparse
import json
import pathlib
import re
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
            name: "App",
            dependencies: [%s])
    ])
"""

ALONE = """\
import Vision

#if canImport(CoreGraphics) || canImport(CoreImage) || canImport(CoreMedia) || canImport(CoreVideo)
#error("A module of AppleFrameworks is visible.")
#endif
#if canImport(ImageIO) || canImport(UniformTypeIdentifiers) || canImport(simd) || canImport(Accelerate)
#error("A module of AppleFrameworks is visible.")
#endif
#if canImport(CoreText) || canImport(CoreServices) || canImport(MobileCoreServices)
#error("A module with the name of a framework is visible.")
#endif
print(VNDetectBarcodesRequest().revision)
"""

PORTED = """\
import Accelerate
import CoreGraphics
import CoreImage
import CoreImage.CIFilterBuiltins
import CoreMedia
import CoreML
import CoreVideo
import Foundation
import ImageIO
import UniformTypeIdentifiers
import Vision
import simd

let options = [kCVPixelBufferCGImageCompatibilityKey: kCFBooleanTrue!] as CFDictionary
var buffer: CVPixelBuffer?
CVPixelBufferCreate(kCFAllocatorDefault, 4, 2, kCVPixelFormatType_32BGRA, options, &buffer)
let image = CIImage(cvPixelBuffer: buffer!).oriented(.right)
let start = CFAbsoluteTimeGetCurrent()
let corner = CIVector(cgPoint: CGPoint(x: 1, y: 2))
let data = NSMutableData()
let destination = CGImageDestinationCreateWithData(data as CFMutableData, UTType.png.identifier as CFString, 1, nil)
CGImageDestinationAddImage(destination!, CIContext().createCGImage(image, from: image.extent)!, nil)
print(CGImageDestinationFinalize(destination!), image.extent.width, corner.y, vDSP.sum([Float(1), 2]))
"""

STEPS = [
    ("Vision alone", ["Vision"], ALONE, "4"),
    ("AppleFrameworks", ["Vision", "AppleFrameworks"], PORTED, "true 2.0 2.0 3.0"),
]


def fetched(folder):
    """The packages that a package has fetched, by the names of their repositories."""
    state = json.loads((folder / ".build" / "workspace-state.json").read_text())
    references = [dependency["packageRef"] for dependency in state["object"]["dependencies"]]
    return {reference["identity"] for reference in references if reference["kind"] == "remoteSourceControl"}


def own_dependencies():
    """The packages that this one names."""
    return {name.lower() for name in re.findall(r'url: "https://[^"]*/([^"/]+)"', (ROOT / "Package.swift").read_text())}


def run(folder):
    # In a folder that is kept, the modules of the last run would still be there.
    for module in (ROOT / "Sources" / "AppleFrameworks").iterdir():
        for built in (folder / ".build").glob(f"*/debug/Modules/{module.name}.*"):
            built.unlink()
    source = folder / "Sources" / "App" / "main.swift"
    source.parent.mkdir(parents=True, exist_ok=True)
    for title, products, text, expected in STEPS:
        listed = ", ".join(f'.product(name: "{product}", package: "OpenVision")' for product in products)
        (folder / "Package.swift").write_text(MANIFEST % (ROOT, listed))
        source.write_text(text)
        command = ["swift", "run", "--package-path", str(folder), "--jobs", "2", "-Xcc", "-O2", "App"]
        result = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=False)
        if result.returncode or result.stdout.strip() != expected:
            print(f"{title}: exit code {result.returncode}, printed {result.stdout.strip()!r}, not {expected!r}")
            return 1
        others = fetched(folder) - own_dependencies()
        if others:
            print(f"{title}: fetches {', '.join(sorted(others))}")
            return 1
    print("frameworks: hidden from a package that asks for Vision alone, and there for one that asks for them")
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
