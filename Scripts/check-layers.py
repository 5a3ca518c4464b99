#!/usr/bin/env python3
"""Checks that dependencies point one way: between the targets of Package.swift, and between the folders of the engine.

Targets: no cycle, and no import of a target that is not listed. Nothing but tests of theirs depends on the modules with
Apple's names, and no file asks whether it can import one: they lie where the compiler finds them once they are built.
Folders of Sources/VisionInference: a file uses only types, functions and members that are declared in its own folder or
in folders that `LAYERS` allows (of members: those of extensions of other folders' types). Uses are found by name, so a
name that two folders declare is not checked.

    check-layers.py              checks this package
    check-layers.py --self-test  checks that the script reports what is wrong with small packages that are made for it
"""

import re
import sys
import tempfile
from collections import defaultdict
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
ENGINE = ROOT / "Sources" / "VisionInference"

# Folder: the folders that it may use. The most deeply nested folder of the table that holds a file is the file's.
LAYERS = {
    "Graph": [],
    "Passes": ["Graph"],
    "CPU": ["Graph", "Passes"],
    "Importers/Files": ["Graph"],
    "Importers/Building": ["Graph"],
    "Importers/ONNX": ["Graph", "Importers/Files", "Importers/Building"],
    "Importers/TFLite": ["Graph", "Importers/Files", "Importers/Building"],
    "Importers/CoreML": ["Graph", "Importers/Files", "Importers/Building"],
    "Importers": [
        "Graph", "Importers/Files", "Importers/Building", "Importers/CoreML", "Importers/ONNX", "Importers/TFLite"],
    "Exporters/CoreML": ["Graph", "Passes", "CPU", "Importers/Files", "Importers/CoreML"],
    "Quantiser": ["Graph", "Passes", "CPU", "Importers/Files", "Importers/ONNX"],
}

FRAMEWORKS = "Sources/AppleFrameworks/"

# Copies and fills that a throwing function must not end in (HACKING.md, "A miscompilation of Swift 6.3.1").
UNSAFE_ENDS = re.compile(r"\.(copyMemory|initializeMemory)\b")
SAFE_FILE = "Graph/HostMemory.swift"

DECLARATION = re.compile(
    r"^(?:@\w+(?:\([^)]*\))?\s+)*(?:(?:public|package|internal|final|indirect|nonisolated)\s+)*"
    r"(struct|class|enum|protocol|actor|typealias|func)\s+(\w+)", re.M)
WORD = re.compile(r"\b[A-Za-z_]\w*\b")
MEMBER = re.compile(r"^ {4}(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+ )*?(?:func|var|let)\s+(\w+)", re.M)
EXTENSION = re.compile(r"^(?:package |fileprivate )?extension (\w+)[^\n]*\{\n(.*?)^\}", re.M | re.S)
NAMED = re.compile(r"\b(?:func|var|let)\s+(\w+)|\bcase ([^:\n]*)")


def without_comments_and_strings(text):
    """The text with comments and the letters of strings blanked out; what strings interpolate stays."""
    result, index, closers = [], 0, []
    in_string = None
    while index < len(text):
        if in_string is None:
            if text.startswith("//", index):
                index = text.find("\n", index) if "\n" in text[index:] else len(text)
            elif text.startswith("/*", index):
                index = text.find("*/", index) + 2
            elif text[index] == '"':
                in_string = '"""' if text.startswith('"""', index) else '"'
                index += len(in_string)
            else:
                if closers:
                    closers[-1][1] += {"(": 1, ")": -1}.get(text[index], 0)
                    if closers[-1][1] == 0:
                        in_string = closers.pop()[0]
                result.append(text[index])
                index += 1
        elif text.startswith(in_string, index):
            index += len(in_string)
            in_string = None
        elif text.startswith("\\(", index):
            closers.append([in_string, 1])
            in_string = None
            result.append(" ")
            index += 2
        else:
            if text[index] == "\n":
                result.append("\n")
            index += 2 if text[index] == "\\" else 1
    return "".join(result)


def folder_of(path):
    parts = path.relative_to(ENGINE).parts[:-1]
    for length in range(len(parts), 0, -1):
        if "/".join(parts[:length]) in LAYERS:
            return "/".join(parts[:length])
    return None


def check_folders():
    problems, declared, named, home_of_member = [], defaultdict(set), defaultdict(set), {}
    texts = {}
    for path in sorted(ENGINE.rglob("*.swift")):
        folder = folder_of(path)
        if folder is None:
            problems.append(f"{path.relative_to(ROOT)}: lies in no folder that LAYERS of this script lists")
            continue
        texts[path] = without_comments_and_strings(path.read_text())
        for _, name in DECLARATION.findall(texts[path]):
            declared[name].add(folder)
        for name, cases in NAMED.findall(texts[path]):
            for word in [name] if name else WORD.findall(cases):
                named[word].add(folder)
    for path, text in texts.items():
        for type_name, body in EXTENSION.findall(text):
            if folder_of(path) not in declared[type_name]:
                for name in MEMBER.findall(body):
                    if named[name] == {folder_of(path)}:
                        home_of_member[name] = folder_of(path)
    home = {name: next(iter(folders)) for name, folders in declared.items() if len(folders) == 1}
    uses = defaultdict(set)
    for path, text in texts.items():
        folder = folder_of(path)
        for number, line in enumerate(text.split("\n"), 1):
            for match in WORD.finditer(line):
                # A label or a binding of that name is another thing.
                before, after = line[: match.start()].rstrip(), line[match.end():].lstrip()
                is_member = before.endswith(".")
                other = (home_of_member if is_member else home).get(match.group())
                if other in (None, folder) or re.search(r"\b(let|var|func|case)$", before):
                    continue
                if not is_member and match.group()[0].islower() and not after.startswith("("):
                    continue
                uses[folder].add(other)
                if other not in LAYERS[folder]:
                    problems.append(
                        f"{path.relative_to(ROOT)}:{number}: {match.group()} is declared in {other}, which "
                        f"{folder} must not use")
            if UNSAFE_ENDS.search(line) and str(path.relative_to(ENGINE)) != SAFE_FILE:
                problems.append(f"{path.relative_to(ROOT)}:{number}: use copyBytes or clearBytes (HACKING.md)")
    return problems, uses, len(texts)


def cycles(graph):
    """Nodes that lie on a cycle."""
    found = set()
    for start in graph:
        seen, stack = set(), list(graph[start])
        while stack:
            node = stack.pop()
            if node == start:
                found.add(start)
                break
            if node not in seen:
                seen.add(node)
                stack += graph.get(node, ())
    return sorted(found)


def targets():
    """The targets of Package.swift: name, folder, dependencies."""
    text = (ROOT / "Package.swift").read_text()
    text = "\n".join(line for line in text.split("\n") if not line.strip().startswith("//"))
    body = text[text.index("    targets: ["):]
    result = {}
    declaration = r"(\.target|\.executableTarget|\.testTarget|library|framework|tests|example)\(\s*(?:name: )?\"(\w+)\""
    for match in re.finditer(declaration, body):
        depth, end = 1, match.end()
        while depth:
            depth += {"(": 1, ")": -1}.get(body[end], 0)
            end += 1
        call = body[match.end():end]
        listed = re.search(r"(?:dependencies|dependsOn|of):\s*\[(.*?)\]", call, re.S)
        names = re.findall(r"(?<!package: )(?<!name: )\"(\w+)\"", listed.group(1)) if listed else []
        folder = re.search(r"path: \"([^\"]+)\"", call)
        kind = match.group(1)
        parents = {"tests": "Tests/", "example": "Examples/", "framework": FRAMEWORKS}
        default = parents.get(kind, "Sources/") + match.group(2)
        result[match.group(2)] = (ROOT / (folder.group(1) if folder else default), names)
    return result


def check_targets():
    problems, found = [], targets()
    graph = {name: [other for other in names if other in found] for name, (_, names) in found.items()}
    for name in cycles(graph):
        problems.append(f"Package.swift: the target {name} depends on itself through others")
    frameworks = {name for name, (folder, _) in found.items() if folder.is_relative_to(ROOT / FRAMEWORKS)}
    for name, (folder, names) in found.items():
        if name not in frameworks | {"AppleFrameworksTests"} and frameworks & set(names):
            problems.append(f"Package.swift: {name} depends on a module with a name of Apple's")
        for path in folder.rglob("*.swift"):
            text = without_comments_and_strings(path.read_text())
            for other in re.findall(r"canImport\((\w+)", text):
                if other in frameworks:
                    problems.append(f"{path.relative_to(ROOT)}: asks for {other}, which may be built or not")
            for other in re.findall(r"^\s*(?:@\w+(?:\([^)]*\))?\s+)*(?:\w+ )?import (?:\w+ )?(\w+)", text, re.M):
                if other in found and other not in names and other != name:
                    problems.append(
                        f"{path.relative_to(ROOT)}: imports {other}, which Package.swift does not list for {name}")
    return problems, graph


def main():
    folder_problems, uses, files = check_folders()
    target_problems, graph = check_targets()
    problems = folder_problems + target_problems
    problems += [f"the folder {folder} of VisionInference uses itself through others" for folder in cycles(uses)]
    for problem in problems:
        print(problem)
    print(f"targets: {len(graph)}, on cycles: {len(cycles(graph))}")
    print(f"folders of VisionInference: {len(LAYERS)} with {files} files, on cycles: {len(cycles(uses))}")
    for folder in LAYERS:
        print(f"  {folder}: {', '.join(sorted(uses[folder])) or 'uses no other'}")
    sys.exit(1 if problems else 0)


def check_package(files, layers):
    """What the checks say of a package of these files."""
    global ROOT, ENGINE, LAYERS
    with tempfile.TemporaryDirectory() as folder:
        ROOT, LAYERS = Path(folder), layers
        ENGINE = ROOT / "Sources" / "VisionInference"
        for name, text in files.items():
            (ROOT / name).parent.mkdir(parents=True, exist_ok=True)
            (ROOT / name).write_text(text)
        folder_problems, uses, _ = check_folders()
        return folder_problems + check_targets()[0] + [f"{folder} is on a cycle" for folder in cycles(uses)]


def self_test():
    package = """let package = Package(
    targets: [
        library("VisionInference", dependsOn: []),
        library("Vision", dependsOn: ["VisionInference"]),
    ])
"""
    engine = "Sources/VisionInference/"
    sound = {
        "Package.swift": package,
        "Sources/Vision/Request.swift": "import VisionInference\n\nlet tensor = Tensor()\n",
        engine + "Graph/Tensor.swift": "package struct Tensor {}\n",
        engine + "CPU/Session.swift": "package struct Session {\n    var input: Tensor\n}\n",
    }
    layers = {"Graph": [], "CPU": ["Graph"]}
    upward = {engine + "Graph/Tensor.swift": "package struct Tensor {\n    var session: Session?\n}\n"}
    cases = [
        ("a sound package", {}, layers, None),
        (
            "a cycle of targets",
            {"Package.swift": package.replace("dependsOn: []", 'dependsOn: ["Vision"]')},
            layers, "the target Vision depends on itself"),
        (
            "an upward import",
            {engine + "Graph/Tensor.swift": "import Vision\n\npackage struct Tensor {}\n"},
            layers, "imports Vision, which Package.swift does not list"),
        (
            "a framework below the library",
            {
                "Package.swift": package.replace("dependsOn: []", 'dependsOn: ["CoreGraphics"]').replace(
                    "    ])", '        framework("CoreGraphics", dependsOn: []),\n    ])'),
            },
            layers, "depends on a module with a name of Apple's"),
        (
            "a question for a framework",
            {
                "Package.swift": package.replace("    ])", '        framework("simd", dependsOn: []),\n    ])'),
                "Sources/Vision/Ask.swift": "#if canImport(simd)\n#endif\n",
            },
            layers, "asks for simd"),
        ("an upward use of a type", upward, layers, "Session is declared in CPU, which Graph must not use"),
        ("a cycle of folders that the table allows", upward, {"Graph": ["CPU"], "CPU": ["Graph"]}, "is on a cycle"),
        (
            "an upward use of a member",
            {
                engine + "CPU/Pointers.swift": "extension Tensor {\n    var pointer: Int { 0 }\n}\n",
                engine + "Graph/Use.swift": "func use(_ tensor: Tensor) -> Int { tensor.pointer }\n",
            },
            layers, "pointer is declared in CPU"),
        ("a file outside of all layers", {engine + "Other/File.swift": "\n"}, layers, "lies in no folder"),
        (
            "a copy that may end a throwing function",
            {engine + "CPU/Copy.swift": "func copy() throws { to.copyMemory(from: from, byteCount: 4) }\n"},
            layers, "use copyBytes or clearBytes"),
    ]
    failures = 0
    for title, files, allowed, expected in cases:
        problems = check_package(sound | files, allowed)
        if any(expected in problem for problem in problems) if expected else not problems:
            continue
        failures += 1
        print(f"self-test: {title}: expected {expected or 'no problem'}, got {problems or 'none'}")
    print(f"self-test: {len(cases) - failures} of {len(cases)} packages judged as expected")
    sys.exit(1 if failures else 0)


if __name__ == "__main__":
    self_test() if "--self-test" in sys.argv[1:] else main()
