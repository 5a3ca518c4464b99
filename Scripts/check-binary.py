#!/usr/bin/env python3
"""Searches binaries for a miscompilation of Swift 6.3.1 (x86-64).

    check-binary.py BINARY…
    check-binary.py --self-test

A Swift function that throws returns its error in r12. Where its last action is to copy or fill memory, the optimiser
may tail-call memcpy, memmove or memset after it has used r12 for something else: the caller sees an error that was
never thrown, and crashes. Such a function writes r12, never saves it, and ends in such a jump. Their names are printed,
demangled where swift is installed; the exit status is 1 when there are any.

--self-test compiles a function that is known to be miscompiled and reports whether this script finds it. When it does
not, either the compiler is fixed or its code has another form: check it before trusting the script.
"""

import pathlib
import re
import shutil
import subprocess
import sys
import tempfile

SAMPLE = """
public struct Missing: Error {}
public struct View {
    public var base: UnsafeMutableRawPointer
    public var shape: [Int]
    @inlinable public var byteCount: Int { shape.reduce(1, &*) }
}
public func copy(_ from: [View?], _ to: [View]) throws {
    guard let first = from.first, let view = first else { throw Missing() }
    precondition(view.byteCount == to[0].byteCount)
    to[0].base.copyMemory(from: view.base, byteCount: view.byteCount)
}
"""

FUNCTION = re.compile(r"^[0-9a-f]+ <(.*)>:$")
LEAVES = re.compile(r"\bjmp\s+[0-9a-f]+ <(_*(?:mem(?:cpy|move|set)|bzero)(?:_chk)?)(?:@[^>]*)?>")
WRITES = re.compile(r"(?:,|\b(?:inc|dec|neg|not|pop)[bwlq]?\s+)%r12[bwd]?$")


def suspects(binary):
    """Returns (function, jump target) of each, the number of functions and the number that end in such a jump."""
    command = ["objdump", "--disassemble", "--no-show-raw-insn", str(binary)]
    found, functions, leaving = [], 0, 0
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, errors="replace") as process:
        name, saved, written, target = "", False, False, None
        for line in process.stdout:
            line = line.rstrip()
            start = FUNCTION.match(line)
            if start:
                functions += 1
                name, saved, written, target = start.group(1), False, False, None
            elif line.endswith("%r12") and re.search(r"\bpush[q]?\s", line):
                saved = True
            elif WRITES.search(line) and not re.search(r"\b(?:cmp|test)[bwlq]?\s", line):
                written = True
            jump = LEAVES.search(line)
            if jump and target is None:
                target = jump.group(1)
                leaving += 1
            # The write may come after the jump in the file: count each function once, when both are known.
            if target and written and not saved and (name, target) not in found[-1:]:
                found.append((name, target))
    if process.returncode != 0:
        sys.exit(f"check-binary: objdump could not read {binary}")
    return found, functions, leaving


def demangled(name):
    if not shutil.which("swift"):
        return name
    result = subprocess.run(["swift", "demangle", "--compact", name], capture_output=True, text=True, check=False)
    return result.stdout.strip() or name


def self_test():
    with tempfile.TemporaryDirectory() as folder:
        source, library = pathlib.Path(folder) / "sample.swift", pathlib.Path(folder) / "libsample.so"
        source.write_text(SAMPLE)
        subprocess.run(
            ["swiftc", "-O", "-parse-as-library", "-emit-library", "-o", library, source], check=True, cwd=folder
        )
        found, _, leaving = suspects(library)
        if found:
            print("check-binary: finds the sample that this compiler miscompiles")
            return 0
        print(f"check-binary: does not find the sample; functions that tail-call a copy or fill: {leaving}")
        return 1


def main(arguments):
    if not shutil.which("objdump"):
        sys.exit("check-binary: objdump is missing; on Debian: apt-get install binutils")
    if arguments == ["--self-test"]:
        return self_test()
    if not arguments:
        sys.exit("check-binary: name a binary (make check-binary BINARY=file)")
    total = 0
    for binary in arguments:
        if not pathlib.Path(binary).is_file():
            sys.exit(f"check-binary: {binary} does not exist")
        with open(binary, "rb") as file:
            header = file.read(20)
        if header[:4] != b"\x7fELF" or header[18] != 62:
            sys.exit(f"check-binary: {binary} is not an x86-64 program")
        found, functions, leaving = suspects(binary)
        print(f"{binary}: {functions} functions, {leaving} tail-call a copy or fill, {len(found)} lose the error")
        for name, target in found:
            print(f"  {demangled(name)} → {target}")
        total += len(found)
    return 1 if total else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
