#!/usr/bin/env bash
# Installs the Debian packages that the build needs, or those of another list. Does nothing when they are there.
#
#   Scripts/setup.sh [LIST]
set -euo pipefail
cd "$(dirname "$0")/.."
list=${1:-Scripts/debian-packages.txt}

if ! command -v swift >/dev/null; then
  echo "setup: no Swift found. Install Swift 6.1 or later from https://swift.org/install and put it on PATH." >&2
  exit 1
fi
if ! command -v dpkg-query >/dev/null; then
  echo "setup: not a Debian system. Install the packages of $list with your package manager." >&2
  exit 0
fi

# Packages by their name, or by one that another package provides: Debian 13 has libcurl4t64 for libcurl4.
installed=$(dpkg-query -W -f '${db:Status-Status} ${Package}, ${Provides}\n' | sed -n 's/^installed //p' |
  tr ',' '\n' | sed -e 's/(.*//' -e 's/[[:space:]]//g')
missing=()
while read -r package; do
  grep -qxF "$package" <<<"$installed" || missing+=("$package")
done < <(sed -e 's/#.*//' -e 's/[[:space:]]*$//' -e '/^$/d' "$list")
[ ${#missing[@]} -eq 0 ] && exit 0

sudo=()
if [ "$(id -u)" -ne 0 ]; then
  command -v sudo >/dev/null || { echo "setup: run as root, or install sudo." >&2; exit 1; }
  sudo=(sudo)
fi
log=$(mktemp --tmpdir openvision-setup.XXXXXX.log)
echo "setup: installing ${#missing[@]} packages (log: $log)"
install_missing() {
  "${sudo[@]}" apt-get update -q
  "${sudo[@]}" env DEBIAN_FRONTEND=noninteractive apt-get install -y -q --no-install-recommends "${missing[@]}"
}
if ! install_missing >"$log" 2>&1; then
  tail -n 5 "$log" >&2
  echo "setup: installing ${missing[*]} failed; all messages are in $log" >&2
  exit 1
fi
rm -f "$log"
