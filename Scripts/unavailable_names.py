"""Declares the names of Apple's classes that the package lacks as unavailable.

The compiler then says what is missing, not that it cannot find the name. Types, functions and properties are told apart
by their names; a value of an unavailable declaration never exists, so types of parameters do not matter.
"""

import re

HEADER = """\
// Written by Scripts/api-status.py (make api-status) from Documentation/AppleAPI.txt.

import Foundation

"""
MESSAGE = "OpenVision lacks this: see Documentation/APIStatus.md"
# Initialisers of existing classes have to call another one, and may be called without these arguments.
DELEGATES = {"VNImageRequestHandler": "self.init(data: Data())"}
DEFAULTS = {"options": "[VNImageOption: Any] = [:]", "processingOptions": "Any? = nil"}


def source(absent, present):
    """The Swift source for the absent entries; `present` holds the paths of those that exist. Empty without any."""
    ours = [e for e in absent if re.match(r"VN[A-Z]", e.container or e.name)]
    top = [e for e in ours if not e.container]
    types = {e.name for e in top}
    members = {}
    for entry in ours:
        if entry.container:
            members.setdefault(entry.container, []).append(entry)
    parts = []
    for entry in top:
        parts.append(declaration(entry, members.pop(entry.name, []), ""))
    for container, entries in members.items():
        if container in types or container not in present:
            continue
        inner = "\n\n".join(declaration(e, [], "    ", extends=container) for e in entries)
        parts.append(f"extension {container} {{\n{inner}\n}}")
    return HEADER + "\n\n".join(parts) + "\n" if parts else ""


def declaration(entry, members, indent, extends=""):
    lines = [
        f"{indent}/// Absent: the name is known from Apple's headers.",
        f'{indent}@available(*, unavailable, message: "{MESSAGE}")']
    if entry.parameters is not None:
        lines += function(entry, indent, extends)
    elif not entry.name[0].isupper() and not entry.name.startswith("VN"):
        accessors = [f"{indent}    get {{ nil }}", f"{indent}    set {{}}", indent + "}"]
        lines += [f"{indent}public var {entry.name}: Any? {{", *accessors]
    elif re.search(r"Revision\d+$", entry.name):
        lines.append(f"{indent}public let {entry.name}: Int = {re.search(r'[0-9]+$', entry.name).group()}")
    else:
        lines += type_of(entry, members, indent)
    return "\n".join(lines)


def type_of(entry, members, indent):
    if entry.name.endswith("Request"):
        head = f"final class {entry.name}: VNImageBasedRequest"
    elif entry.name.endswith("Observation"):
        head = f"final class {entry.name}: VNObservation, @unchecked Sendable"
    else:
        head = f"struct {entry.name}"
    if not members:
        return [f"{indent}public {head} {{}}"]
    inner = "\n\n".join(declaration(member, [], indent + "    ") for member in members)
    return [f"{indent}public {head} {{\n{inner}\n{indent}}}"]


def function(entry, indent, extends):
    generics, parameters = [], []
    for number, (label, _) in enumerate(entry.parameters):
        if label in DEFAULTS:
            parameters.append(f"{label}: {DEFAULTS[label]}")
            continue
        name = f"Value{number}"
        generics.append(name)
        parameters.append(f"{label} value{number}: {name}")
    clause = f"<{', '.join(generics)}>" if generics else ""
    if entry.name != "init":
        head, tail = f"public func {entry.name}{clause}", " -> Any? { nil }"
    elif extends:
        head, tail = f"public convenience init{clause}", f" {{ {DELEGATES[extends]} }}"
    else:
        head, tail = f"public init{clause}", " {}"
    line = f"{indent}{head}({', '.join(parameters)}){tail}"
    if len(line) <= 120:
        return [line]
    rows = []
    for number, parameter in enumerate(parameters):
        text = parameter + ("," if number < len(parameters) - 1 else "")
        if rows and len(indent) + 4 + len(rows[-1]) + 1 + len(text) <= 120:
            rows[-1] += " " + text
        else:
            rows.append(text)
    return [f"{indent}{head}(", *(f"{indent}    {row}" for row in rows), f"{indent}){tail}"]
