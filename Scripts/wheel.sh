#!/usr/bin/env bash
# Builds the Python wheel, with the library and what it needs of the system inside.
#
#   Scripts/wheel.sh [FOLDER]    the wheel goes to the folder; .build-wheel/dist by default
set -euo pipefail
cd "$(dirname "$0")/.."

scratch=.build-wheel
out=${1:-$scratch/dist}
mkdir -p "$out"
swift build -c release --static-swift-stdlib --product OpenVisionC --scratch-path "$scratch" \
  -Xlinker -L"$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")/lib/swift_static/linux"
products=$(swift build -c release --static-swift-stdlib --scratch-path "$scratch" --show-bin-path)
# Linked again: the package manager gives libraries the shared Swift runtime, which users of Python do not have. Only
# the C interface is exported, so that other libraries of the process do not meet ours.
library=$scratch/libOpenVisionC.so
system=(ZXing openblas jpeg png webpdemux webp tiff heif gif exif z crypto stdc++)
swiftc -emit-library -static-stdlib -module-name OpenVisionC -o "$library" \
  @"$products/OpenVisionC.product/Objects.LinkFileList" -Xlinker --as-needed "${system[@]/#/-l}" \
  -Xlinker --version-script="$PWD/CSources/COpenVision/exports.map" -Xlinker --gc-sections -Xlinker -s

[ -x "$scratch/venv/bin/python" ] || python3 -m venv "$scratch/venv"
"$scratch/venv/bin/pip" install --quiet --disable-pip-version-check -r Scripts/python-wheel.txt
rm -rf "$scratch/python" "$scratch/raw"
cp -r Python "$scratch/python"
cp LICENSE "$scratch/python/"
cp "$library" "$scratch/python/openvision/"
"$scratch/venv/bin/pip" wheel --quiet --no-deps --no-build-isolation --disable-pip-version-check \
  -w "$scratch/raw" "$scratch/python"
# The libraries of the system that no manylinux platform has go into the wheel.
PATH=$PWD/$scratch/venv/bin:$PATH "$scratch/venv/bin/auditwheel" repair -w "$out" "$scratch"/raw/openvision-*.whl
ls -l "$out"/openvision-*.whl
