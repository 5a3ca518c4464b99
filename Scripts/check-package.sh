#!/usr/bin/env bash
# Installs the packages that `make package` made into a fresh root file system and uses them there as a user without
# rights: the tool, its manual and completions, videos without and with FFmpeg's libraries, the networks. These are the
# steps of the last stage of the Containerfile, without a builder of containers. Needs root and the package debootstrap.
#
#   Scripts/check-package.sh FOLDER [ROOT]
#
# ROOT is a folder with a fresh Debian 12 (made with debootstrap when it does not exist, and kept); it is copied.
set -euo pipefail
cd "$(dirname "$0")/.."

folder=$(realpath "${1:?the folder with the packages}") fresh=${2:-/var/cache/openvision-check/bookworm}
[ "$(id -u)" -eq 0 ] || { echo "check-package: must run as root, for chroot." >&2 && exit 1; }
[ -d "$fresh/usr" ] || { mkdir -p "$fresh" && debootstrap --variant=minbase bookworm "$fresh" >"$fresh.log" 2>&1; }

root=$(mktemp -d)
cleanup() { umount "$root/proc" 2>/dev/null || true; rm -rf "$root"; }
trap cleanup EXIT
cp -ax "$fresh/." "$root"
mount -t proc proc "$root/proc"
cp /etc/resolv.conf "$root/etc/"
mkdir "$root/packages" && cp "$folder"/*.deb "$root/packages/"
mkdir -p "$root/input/frames" && cp Scripts/demo/poster.jpg "$root/input"
for frame in 1 2 3; do cp Scripts/demo/poster.jpg "$root/input/frames/$frame.jpg"; done

log=$root/log
install_packages() {
  chroot "$root" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "$@" >>"$log" 2>&1 ||
    { tail -5 "$log" >&2 && exit 1; }
}
as_user() { chroot --userspec=65534:65534 "$root" env HOME=/nonexistent PATH=/usr/bin:/bin "$@"; }
expect() { # TEXT COMMAND…: the output of the command has the text
  local text=$1 output && shift
  output=$("$@" 2>&1) || true
  grep -qF -- "$text" <<<"$output" && return
  printf 'check-package: %s\nhas no “%s”:\n%s\n' "$*" "$text" "$output" >&2
  exit 1
}

chroot "$root" apt-get update -q >"$log" 2>&1
start=$SECONDS
install_packages "/packages/$(basename "$folder"/openvision_*.deb)"
echo "the tool: installed in $((SECONDS - start)) s"
tool=/usr/bin/openvision

expect "$(dpkg-deb -f "$folder"/openvision_*.deb Version)" as_user $tool --version
expect "Harbour Lights, 14 June, seat 27" as_user $tool barcodes /input/poster.jpg
expect "openvision models install" as_user $tool classify /input/poster.jpg
expect "videos need FFmpeg's libraries" as_user $tool stability /input/poster.jpg
libraries=$(as_user ldd $tool)
[ "$(wc -l <<<"$libraries")" -le 60 ] || { echo "check-package: more than 60 libraries" >&2 && exit 1; }
! grep "not found" <<<"$libraries" || { echo "check-package: a library is missing" >&2 && exit 1; }
chroot "$root" bash -c 'source /usr/share/bash-completion/completions/openvision && complete -p openvision' >/dev/null
for page in openvision openvision-track; do gzip -t "$root/usr/share/man/man1/$page.1.gz"; done

start=$SECONDS
install_packages "/packages/$(basename "$folder"/openvision-models_*.deb)"
expect "Seat 27" as_user $tool text /input/poster.jpg
echo "the networks: installed and used in $((SECONDS - start)) s"
as_user $tool models verify >/dev/null

# shellcheck disable=SC2046 # names of packages hold no spaces
install_packages $(dpkg-deb -f "$folder"/openvision_*.deb Recommends | tr -d ,)
as_user $tool track /input/frames --box 150,60,100,100 --render /tmp/clip.mp4 --quiet
expect "3 frames" as_user $tool stability /tmp/clip.mp4
echo "the packages work in a fresh Debian 12"
