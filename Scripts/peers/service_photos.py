#!/usr/bin/env python3
"""Makes photographs of 1920 × 1080 pixels of others, which are enlarged and cropped to that, as JPEG files.

    service_photos.py PHOTOS FOLDER [COUNT]
"""

import pathlib
import sys

from PIL import Image, ImageOps


def main():
    source, folder = pathlib.Path(sys.argv[1]), pathlib.Path(sys.argv[2])
    count = int(sys.argv[3]) if len(sys.argv) > 3 else 40
    folder.mkdir(parents=True, exist_ok=True)
    files = [path for path in sorted(source.rglob("*")) if path.suffix.lower() in (".jpg", ".jpeg", ".png")]
    for index, path in enumerate(files[:count]):
        image = ImageOps.fit(Image.open(path).convert("RGB"), (1920, 1080), Image.BICUBIC)
        image.save(folder / f"{index:03}.jpg", quality=85)
    print(f"{min(count, len(files))} photographs of 1920 × 1080 in {folder}")


if __name__ == "__main__":
    main()
