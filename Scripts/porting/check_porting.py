"""Type-checks files of projects for Apple's systems against this package: see ../check-porting.sh."""

import argparse
import collections
import pathlib
import re
import subprocess
import sys
import tempfile

ROOT = pathlib.Path(__file__).resolve().parent.parent.parent
STUBS = pathlib.Path(__file__).resolve().parent / "Stubs.swift"

# Files are checked that import one of these.
OURS = {"Vision", "CoreML", "CreateML"}
# Modules that this package or the toolchain has.
PRESENT = OURS | {
    "Accelerate", "CoreGraphics", "CoreImage", "CoreMedia", "CoreServices", "CoreText", "CoreVideo", "Dispatch",
    "Foundation", "ImageIO", "MobileCoreServices", "UniformTypeIdentifiers", "VisionExtras", "VisionFilters",
    "VisionVideo", "simd"}
# What the frameworks of the user interface bring along.
BROUGHT = (
    "import CoreImage; import CoreMedia; import ImageIO; import MobileCoreServices; import UniformTypeIdentifiers; "
    "import simd")
# Prefixes of names of Vision, Core ML and their neighbours, and of the user interface, which is not counted. VisionKit,
# MLX and Custom Vision's service have some of them as well.
NEIGHBOUR = re.compile(
    r"(?!VNDocumentCamera|MLX|CVS[A-Z])(?:VN|ML|CI|CG|CV|CM|CF|kCI|kCG|kCV|kCM|kCF|kUT|UTType|vDSP|vForce|vImage|cblas|"
    r"BNNS|simd|matrix_|vector_|OSType|CIDetector|NSKeyedArchiver)[A-Za-z0-9_]*$|"
    r"(?:autoreleasepool|(?:float|double)[234](?:x[234])?|vv[a-z]+[0-9]?f?)$")
IMPORT = re.compile(
    r"^(\s*(?:@\w+(?:\([^)]*\))?\s+)*)import\s+(?:(?:class|struct|enum|func|protocol|let|var)\s+)?([\w.]+)")

CANNOT_FIND = re.compile(r"cannot find (?:type |operator )?'([^']+)' in scope")
NO_MEMBER = re.compile(
    r"(?:value of type|type|instance member of type) '([^']+)'(?: \([^)]*\))? has no member '([^']+)'")
UNAVAILABLE = re.compile(r"'([^']+)' is unavailable: OpenVision lacks ")
NO_TYPE = re.compile(r"'([^']+)' is not a member type of (?:enum|struct|class|protocol) '([^']+)'")
NO_MODULE = re.compile(r"no such module '([^']+)'")


def prepared(text):
    """The text with the imports that Linux lacks replaced, and their modules. Lines keep their numbers."""
    lines, modules = [], []
    for line in text.split("\n"):
        match = IMPORT.match(line)
        module = match.group(2).split(".")[0] if match else None
        if match and module not in PRESENT:
            modules.append(match.group(2))
            line = BROUGHT
        lines.append(line)
    return "\n".join(lines), modules


def flags(build):
    # Those of the targets, and those that SwiftPM wrote for targets without one.
    maps = sorted((ROOT / "CSources").rglob("module.modulemap")) + sorted(
        m for m in build.glob("C*.build/module.modulemap") if "-tool" not in str(m))
    return ["-I", str(build / "Modules"), *(f for m in maps for f in ("-Xcc", f"-fmodule-map-file={m}"))]


def names(output):
    """The names of the frameworks that the compiler did not find, with how often."""
    found = collections.Counter()
    for line in output.splitlines():
        if ": error:" not in line:
            continue
        for pattern in (CANNOT_FIND, UNAVAILABLE):
            for match in pattern.finditer(line):
                if NEIGHBOUR.match(match.group(1)) or pattern is UNAVAILABLE:
                    found[match.group(1)] += 1
        for match in NO_MEMBER.finditer(line):
            owner = match.group(1).removesuffix("?").removesuffix(".Type")
            if NEIGHBOUR.match(owner.split(".")[0].strip("[]()")):
                found[f"{owner}.{match.group(2)}"] += 1
        for match in NO_TYPE.finditer(line):
            owner = match.group(2).split(".")[-1]
            if NEIGHBOUR.match(owner):
                found[f"{owner}.{match.group(1)}"] += 1
        for match in NO_MODULE.finditer(line):
            found[f"import {match.group(1)}"] += 1
    return found


DECLARED = re.compile(
    r"\b(?:func|var|let|case|class(?!\s+(?:func|var|let)\b)|struct|enum|protocol|typealias|actor)\s+`?(\w+)")


def parsed(files):
    """The files without errors of syntax: with one of those, the compiler looks up no names in any file. A file with
    code at its top level, as scripts have it, gets its code into a function."""
    wrapped_files = set()
    while files:
        command = [
            "swiftc", "-parse", "-parse-as-library", "-swift-version", "5", "-suppress-warnings", *map(str, files)]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        errors = [line for line in result.stderr.splitlines() if ": error:" in line]
        bad = {line.split(":")[0] for line in errors}
        if not bad & {str(file) for file in files}:
            return files
        scripts = {line.split(":")[0] for line in errors if "not allowed at the top level" in line} - wrapped_files
        wrapped_files |= scripts
        for file in files:
            if str(file) in scripts:
                text = file.read_text(encoding="utf-8")
                file.write_text(wrapped(text, f"script{files.index(file)}"), encoding="utf-8")
        files = [file for file in files if str(file) not in bad - scripts]
    return files


def wrapped(text, name):
    """A script as a function behind its imports."""
    lines = text.split("\n")
    first = 1 + max((number for number, line in enumerate(lines) if IMPORT.match(line)), default=-1)
    head = [line for line in lines[:first] if not line.startswith("#!")]
    return "\n".join([*head, f"func {name}() throws {{", *lines[first:], "}"])


def check(project, build):
    """The number of files that were checked, the modules that are left out, and the missing names of a project."""
    files, modules, declared = [], collections.Counter(), set()
    with tempfile.TemporaryDirectory() as folder:
        for path in sorted(project.rglob("*.swift")):
            if not path.is_file() or path.name == "Package.swift":
                continue
            text = path.read_text(encoding="utf-8", errors="replace")
            imported = {m.group(2).split(".")[0] for m in map(IMPORT.match, text.split("\n")) if m}
            if not imported & OURS:
                declared.update(DECLARED.findall(text))
                continue
            text, left_out = prepared(text)
            modules.update(left_out)
            copy = pathlib.Path(folder) / f"{len(files)}_{re.sub(r'[^A-Za-z0-9]', '_', path.stem)}.swift"
            copy.write_text(text, encoding="utf-8")
            files.append(copy)
        files = parsed(files)
        if not files:
            return 0, modules, collections.Counter()
        command = [
            "swiftc", "-typecheck", "-wmo", "-parse-as-library", "-swift-version", "5", "-suppress-warnings",
            "-module-name", "Ported", *flags(build), str(STUBS), *map(str, files)]
        result = subprocess.run(command, capture_output=True, text=True, check=False, timeout=600)
        output = result.stderr + result.stdout
        broken = re.search(r"<unknown>:0: error: .*", output)
        if broken:
            sys.exit(f"{project.name}: the compiler does not start: {broken.group()}")
        # Members that the project's other files add to our types are there.
        missing = {name: count for name, count in names(output).items() if name.split(".")[-1] not in declared}
        return len(files), modules, collections.Counter(missing)


SAMPLE = """
import AVFoundation
import Accelerate
import UIKit
import Vision

class Camera: UIViewController, AVCaptureVideoDataOutputSampleBufferDelegate {
    let session = AVCaptureSession()
    override func viewDidLoad() {
        session.startRunning()
        let image = CIImage(image: UIImage(named: "a")!)!.oriented(.right).applyingFilter("CIColorInvert")
        _ = vDSP_biquad
        _ = image.autoAdjustmentFilters()
        _ = image.shrunk()
        _ = CIImage.loaded()
        _ = VNDetectAnimalBodyPoseRequest()
        Elsewhere.use(CIVector(x: 1), CFAbsoluteTimeGetCurrent())
    }
    func captureOutput(_ output: AVCaptureOutput, didOutput buffer: CMSampleBuffer, from: AVCaptureConnection) {
        guard let pixels = CMSampleBufferGetImageBuffer(buffer) else { return }
        try? VNImageRequestHandler(cvPixelBuffer: pixels, options: [:]).perform([VNDetectFaceRectanglesRequest()])
    }
}
"""
HELPERS = """
import UIKit

extension CIImage {
    func shrunk() -> CIImage { self }
    class func loaded() -> CIImage? { nil }
}
"""
SAMPLE_LACKS = {"vDSP_biquad", "CIImage.autoAdjustmentFilters", "VNDetectAnimalBodyPoseRequest"}


def self_test(build):
    """Whether the names that a small file lacks are found, and no others."""
    with tempfile.TemporaryDirectory() as folder:
        (pathlib.Path(folder) / "Camera.swift").write_text(SAMPLE)
        (pathlib.Path(folder) / "Helpers.swift").write_text(HELPERS)
        files, modules, missing = check(pathlib.Path(folder), build)
    right = files == 1 and set(modules) == {"AVFoundation", "UIKit"} and set(missing) == SAMPLE_LACKS
    print("self-test: the names that a file lacks are found" if right else f"self-test: found {dict(missing)}")
    return 0 if right else 1


def main():
    parser = argparse.ArgumentParser(description="Type-checks projects for Apple's systems against this package.")
    parser.add_argument("folder", nargs="?", type=pathlib.Path, help="a folder with a folder for each project")
    parser.add_argument("projects", nargs="*", help="only these projects")
    parser.add_argument("--build", type=pathlib.Path, default=ROOT / ".build" / "debug", help="the build folder")
    parser.add_argument("--self-test", action="store_true", help="check a file whose missing names are known")
    options = parser.parse_args()
    if not (options.build / "Modules" / "Vision.swiftmodule").exists():
        sys.exit(f"{options.build} has no modules: run `swift build` first")
    if options.self_test:
        return self_test(options.build)
    if not options.folder or not options.folder.is_dir():
        sys.exit(f"{options.folder} is no folder")
    checked, whole, lacking = 0, 0, collections.Counter()
    for project in sorted(p for p in options.folder.iterdir() if p.is_dir() and not p.name.startswith(".")):
        if options.projects and project.name not in options.projects:
            continue
        try:
            files, modules, missing = check(project, options.build)
        except subprocess.TimeoutExpired:
            print(f"{project.name}: not checked within ten minutes")
            continue
        if not files:
            print(f"{project.name}: no file imports {', '.join(sorted(OURS))}")
            continue
        checked += 1
        whole += not missing
        lacking.update(missing.keys())
        print(f"{project.name}: {files} files, modules left out: {', '.join(sorted(modules)) or 'none'}")
        print(f"    missing: {', '.join(f'{name} ({count})' for name, count in missing.most_common()) or 'nothing'}")
    print(f"{whole} of {checked} projects have every name of Vision, Core ML and their neighbours")
    if lacking:
        print("missing, by number of projects:")
        for name, count in lacking.most_common(40):
            print(f"  {count:3} {name}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
