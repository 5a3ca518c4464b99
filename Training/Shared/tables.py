"""Tables of numbers and text that are built into the library: named arrays in one file.

`Documentation/BuiltInFiles.md` describes the format; `BinaryTable.swift` reads it.
"""
import pathlib
import struct

import numpy as np

MAGIC = b"OVTABLE1"
KINDS = {"int8": 1, "uint8": 2, "int16": 3, "uint16": 4, "int32": 5, "float16": 6, "float32": 7}
TEXT = 8


def _bytes(values):
    """Returns the kind of an array, the number of its elements and its bytes. A list of strings becomes lines."""
    if isinstance(values, (list, tuple)):
        if any("\n" in line for line in values):
            raise ValueError("a line of a table must not contain a line break")
        data = "".join(line + "\n" for line in values).encode()
        return TEXT, len(data), data
    values = np.ascontiguousarray(values)
    kind = KINDS.get(values.dtype.name)
    if kind is None:
        raise ValueError(f"a table has no arrays of {values.dtype.name}, only of {', '.join(KINDS)}")
    return kind, values.size, values.astype(values.dtype.newbyteorder("<")).tobytes()


def write(path, **arrays):
    """Writes arrays of NumPy and lists of strings, in the order given."""
    header, body, entries = MAGIC + struct.pack("<I", len(arrays)), b"", []
    for name, values in arrays.items():
        kind, count, data = _bytes(values)
        entries.append((name.encode(), kind, count, data))
    size = len(header) + sum(12 + len(name) for name, *_ in entries)
    for name, kind, count, data in entries:
        offset = (size + len(body) + 7) // 8 * 8
        body += bytes(offset - size - len(body)) + data
        header += struct.pack("<BBHII", kind, len(name), 0, count, offset) + name
    pathlib.Path(path).write_bytes(header + body)


def read(path):
    """Returns the arrays by name; text as a list of lines."""
    data = pathlib.Path(path).read_bytes()
    if data[:8] != MAGIC:
        raise ValueError(f"{path} is not a table: it does not begin with {MAGIC.decode()}")
    (count,) = struct.unpack_from("<I", data, 8)
    arrays, at = {}, 12
    names = {number: name for name, number in KINDS.items()}
    for _ in range(count):
        kind, length, _, size, offset = struct.unpack_from("<BBHII", data, at)
        name = data[at + 12 : at + 12 + length].decode()
        at += 12 + length
        if kind == TEXT:
            arrays[name] = data[offset : offset + size].decode().split("\n")[:-1]
        else:
            arrays[name] = np.frombuffer(data, np.dtype(names[kind]).newbyteorder("<"), size, offset)
    return arrays
