#!/usr/bin/env python3
"""Reads labelled photographs of barcodes with ZBar (Debian: libzbar0), for comparison with `Benchmarks accuracy
barcodes`.

    Scripts/peers/barcodes_zbar.py FOLDER

FOLDER holds folders of images with labels beside them (NAME.txt); images without one have no code that has to be found.
A UPC-A counts with a 0 in front, as the labels have it. Needs Pillow and numpy.
"""

import ctypes
import sys
from ctypes import c_int, c_uint, c_ulong, c_void_p
from pathlib import Path

import numpy as np
from PIL import Image, ImageOps

zbar = ctypes.CDLL("libzbar.so.0")
for name, result, arguments in [
    ("zbar_image_scanner_create", c_void_p, []),
    ("zbar_image_scanner_set_config", c_int, [c_void_p, c_int, c_int, c_int]),
    ("zbar_image_create", c_void_p, []),
    ("zbar_image_set_format", None, [c_void_p, c_ulong]),
    ("zbar_image_set_size", None, [c_void_p, c_uint, c_uint]),
    ("zbar_image_set_data", None, [c_void_p, c_void_p, c_ulong, c_void_p]),
    ("zbar_scan_image", c_int, [c_void_p, c_void_p]),
    ("zbar_image_first_symbol", c_void_p, [c_void_p]),
    ("zbar_symbol_next", c_void_p, [c_void_p]),
    ("zbar_symbol_get_type", c_int, [c_void_p]),
    ("zbar_symbol_get_data", c_void_p, [c_void_p]),
    ("zbar_symbol_get_data_length", c_uint, [c_void_p]),
    ("zbar_image_destroy", None, [c_void_p]),
]:
    function = getattr(zbar, name)
    function.restype, function.argtypes = result, arguments

GREY = int.from_bytes(b"Y800", "little")
UPC_A, ENABLE = 12, 0


def scanner():
    made = zbar.zbar_image_scanner_create()
    zbar.zbar_image_scanner_set_config(made, 0, ENABLE, 1)
    return made


def read(made, grey):
    image = zbar.zbar_image_create()
    zbar.zbar_image_set_format(image, GREY)
    zbar.zbar_image_set_size(image, grey.shape[1], grey.shape[0])
    zbar.zbar_image_set_data(image, grey.ctypes.data, grey.size, None)
    zbar.zbar_scan_image(made, image)
    found, symbol = [], zbar.zbar_image_first_symbol(image)
    while symbol:
        data = ctypes.string_at(zbar.zbar_symbol_get_data(symbol), zbar.zbar_symbol_get_data_length(symbol))
        kind = zbar.zbar_symbol_get_type(symbol) & 0xFF
        found.append(b"0" + data if kind == UPC_A else data)
        symbol = zbar.zbar_symbol_next(symbol)
    zbar.zbar_image_destroy(image)
    return found


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    made, total = scanner(), [0, 0, 0]
    print(f"{'folder':24}{'images':>7}{'ZBar':>7}{'without a code':>16}")
    for folder in sorted(p for p in Path(sys.argv[1]).iterdir() if p.is_dir()):
        row = [0, 0, 0]
        for file in sorted(folder.iterdir()):
            if file.suffix not in (".png", ".jpg", ".webp"):
                continue
            photo = ImageOps.exif_transpose(Image.open(file)).convert("L")
            found = read(made, np.ascontiguousarray(photo))
            label = file.with_name(file.stem + ".txt")
            if not label.exists():
                row[2] += len(found)
                continue
            wanted = label.read_bytes()
            row[0] += 1
            row[1] += wanted in found
        print(f"{folder.name:24}{row[0]:7}{row[1]:7}{row[2]:16}")
        total = [a + b for a, b in zip(total, row)]
    print(f"{'all':24}{total[0]:7}{total[1]:7}{total[2]:16}")


main()
