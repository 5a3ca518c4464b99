#!/usr/bin/env bash
# Builds the committed sources in a fresh root file system with nothing but a Swift toolchain, as README.md says it, and
# uses the tool: the steps of the first stage of the Containerfile, without a builder of containers. Takes as long as a
# release build. Needs root and the package debootstrap.
#
#   Scripts/check-source.sh [SUITE [ROOT]]
#
# SUITE is Debian's: bookworm (12, without an argument) or trixie (13). ROOT is a folder with a fresh system of it (made
# with debootstrap when it does not exist, and kept); it is copied. The toolchain, SwiftPM's cache and the installed
# networks of this computer are used, so that only apt needs a network.
set -euo pipefail
cd "$(dirname "$0")/.."

suite=${1:-bookworm}
fresh=${2:-/var/cache/openvision-check/$suite}
[ "$(id -u)" -eq 0 ] || { echo "check-source: must run as root, for chroot." >&2 && exit 1; }
[ -d "$fresh/usr" ] || { mkdir -p "$fresh" && debootstrap --variant=minbase "$suite" "$fresh" >"$fresh.log" 2>&1; }
toolchain=$(dirname "$(dirname "$(readlink -f "$(command -v swift)")")")
models=${OPENVISION_MODELS:-${XDG_CACHE_HOME:-$HOME/.cache}/openvision/models}
packages=${XDG_CACHE_HOME:-$HOME/.cache}/org.swift.swiftpm

root=$(mktemp -d)
mounts=()
cleanup() {
  for mounted in ${mounts[@]+"${mounts[@]}"}; do
    umount "$mounted" || { echo "check-source: still mounted: $mounted" >&2 && exit 1; }
  done
  rm -rf --one-file-system "$root"
}
trap cleanup EXIT
mounted() { # SOURCE TARGET: shows a folder of this computer in the root, not to be written to
  mkdir -p "$root$2"
  mount --bind "$1" "$root$2"
  mounts=("$root$2" ${mounts[@]+"${mounts[@]}"})
  mount -o remount,bind,ro "$root$2"
}

cp -ax "$fresh/." "$root"
mount -t proc proc "$root/proc" && mounts=("$root/proc")
mount --bind /dev "$root/dev" && mounts=("$root/dev" "${mounts[@]}")
cp /etc/resolv.conf "$root/etc/"
mounted "$toolchain" /opt/swift/usr
mounted "$models" /usr/share/openvision/models
mkdir -p "$root/source" "$root/root/.cache"
[ ! -d "$packages" ] || cp -a "$packages" "$root/root/.cache/"
git archive HEAD | tar -x -C "$root/source"

step() { # TITLE COMMAND: in the root, in the folder of the sources
  local start=$SECONDS
  if ! chroot "$root" env HOME=/root PATH=/opt/swift/usr/bin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin \
    bash -c "cd /source && $2" >"$root/log" 2>&1; then
    tail -20 "$root/log" >&2
    echo "check-source: $1 failed" >&2
    exit 1
  fi
  echo "$1: $((SECONDS - start)) s"
}

step "Swift's own packages" "apt-get update -q && DEBIAN_FRONTEND=noninteractive apt-get install -y -q \
  --no-install-recommends ca-certificates git g++ libc6-dev libcurl4-openssl-dev libxml2-dev libedit2 libsqlite3-0 \
  libncurses6 tzdata make"
step "packages of the build" "Scripts/setup.sh"
step "build" "swift build -c release --static-swift-stdlib --product openvision"
step "a photo read" ".build/release/openvision text Scripts/demo/poster.jpg"
grep -q "Tickets 12.50 at the gate" "$root/log" || { cat "$root/log" >&2 && exit 1; }
step "install" "Scripts/install.sh .build/release/openvision /usr/local && openvision --version"
echo "the sources build and work in a fresh Debian ($suite)"
