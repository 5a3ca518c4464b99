#!/usr/bin/env bash
# Prints the Debian packages that a built tool needs at run time, computed from the binary, one a line with the versions
# that it needs: those of the libraries it is linked with, or, with --video, those of FFmpeg's libraries that it loads
# when a video is opened.
#
#   Scripts/runtime-packages.sh [--video] BINARY
set -euo pipefail

if [ "${1:-}" != --video ]; then
  binary=$(realpath "${1:?the built tool}")
  work=$(mktemp -d)
  trap 'rm -rf "$work"' EXIT
  # dpkg-shlibdeps works in the folder of a source package.
  mkdir "$work/debian"
  printf 'Source: openvision\n\nPackage: openvision\nArchitecture: any\n' >"$work/debian/control"
  (cd "$work" && dpkg-shlibdeps -O -e "$binary" 2>"$work/log") >"$work/depends" || { cat "$work/log" >&2 && exit 1; }
  # Of OpenBLAS the variant that starts no threads of its own, where it can be had.
  sed -e 's/^shlibs:Depends=//' -e 's/, /\n/g' "$work/depends" |
    sed 's/^libopenblas0\b.*/libopenblas0-serial | libopenblas0/'
  exit 0
fi

binary=${2:?the built tool}
for name in $(grep -aoE 'lib(avutil|avcodec|avformat|swscale)\.so\.[0-9]+' "$binary" | sort -u); do
  path=$(ldconfig -p | awk -v name="$name" '$1 == name && !found { print $NF; found = 1 }')
  [ -n "$path" ] || { echo "runtime-packages: $name is not installed" >&2 && exit 1; }
  # Packages list files as they were before /lib became a part of /usr, or after.
  { dpkg-query -S "$path" "/usr$path" 2>/dev/null || true; } | head -1 | cut -d: -f1 | grep . ||
    { echo "runtime-packages: no package has $path" >&2 && exit 1; }
done | sort -u
