#!/usr/bin/env bash
# Builds the kernels and their checks with plain clang, runs them, and prints which variants ran.
#
#   Scripts/check-kernels.sh [--sanitize] [--qemu] [--filter TEXT] [--seed N] [--cases N]
#
#   --sanitize   with the address and undefined-behaviour sanitizers
#   --qemu       also on emulated machines: Haswell (AVX2), Nehalem (neither) and arm64, where qemu and a compiler are
set -euo pipefail
cd "$(dirname "$0")/.."

sanitize=0 qemu=0 pass=()
while [ $# -gt 0 ]; do
  case $1 in
    --sanitize) sanitize=1 ;;
    --qemu) qemu=1 ;;
    --filter | --seed | --cases) pass+=("$1" "${2:?$1 needs a value}") && shift ;;
    -h | --help) sed -n '2,8s/^# \{0,1\}//p' "$0" && exit 0 ;;
    *) echo "unknown option $1" >&2 && exit 2 ;;
  esac
  shift
done

out=${TMPDIR:-/tmp}/openvision-check-kernels.$$
mkdir -p "$out"
trap 'rm -rf "$out"' EXIT
failures=0
link=() # options for the linking step only
if command -v ld.lld >/dev/null; then link+=(-fuse-ld=lld); fi

# build NAME COMPILER-OPTION...: every source in parallel, then the program $out/NAME/checks
build() {
  local name=$1 && shift
  mkdir -p "$out/$name"
  find CSources/CVisionKernels/src Tests/CVisionKernelChecks -name '*.c' -print0 |
    xargs -0 -P "$(nproc)" -I{} sh -c 'file=$1 folder=$2; shift 2
      clang "$@" -std=c11 -Wall -Wextra -Werror -ICSources/CVisionKernels/include -ICSources/CVisionKernels/src \
        -ITests/CVisionKernelChecks/include -c "$file" -o "$folder/$(echo "$file" | tr / _).o"' \
      sh {} "$out/$name" "$@"
  clang "$@" "${link[@]}" "$out/$name"/*.o -lm -o "$out/$name/checks"
}

run() { # run TITLE COMMAND...
  echo "== $1" && shift
  "$@" ${pass[@]+"${pass[@]}"} || failures=$((failures + 1))
}

options=(-O2)
title="this machine"
if [ $sanitize = 1 ]; then
  options=(-O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer)
  title+=", address and undefined-behaviour sanitizers"
fi
build native "${options[@]}"
run "$title" "$out/native/checks"

if [ $qemu = 1 ]; then
  if [ "$(uname -m)" = x86_64 ] && command -v qemu-x86_64-static >/dev/null; then
    [ $sanitize = 0 ] && checks=$out/native/checks || { build plain -O2 && checks=$out/plain/checks; }
    # qemu 7.2 reads the masked-out elements of a masked load, so the ends of sources keep a distance from the guard
    # page.
    run "Haswell (emulated)" env OPENVISION_CHECK_SLACK=64 qemu-x86_64-static -cpu Haswell "$checks"
    run "Nehalem (emulated)" qemu-x86_64-static -cpu Nehalem "$checks"
  else
    echo "== x86 emulation: skipped, qemu-x86_64-static is not installed"
  fi
  if command -v qemu-aarch64-static >/dev/null && [ -d /usr/aarch64-linux-gnu ]; then
    link+=(-static)
    build arm64 -O2 --target=aarch64-linux-gnu
    run "arm64 (emulated)" qemu-aarch64-static "$out/arm64/checks"
  else
    echo "== arm64: skipped, qemu-aarch64-static or the cross compiler's libraries are not installed"
  fi
fi

[ $failures = 0 ] || { echo "$failures of the runs above failed" >&2 && exit 1; }
