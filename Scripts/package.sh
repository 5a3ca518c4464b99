#!/usr/bin/env bash
# Makes a Debian package and a tarball of a built tool, and prints what they weigh and need.
#
#   Scripts/package.sh BINARY FOLDER [MODELS]
#
# With MODELS, a folder of installed networks (`openvision models where`), also a package of those, for machines without
# a network. FOLDER gets openvision_VERSION_ARCHITECTURE.deb, openvision-VERSION-linux-MACHINE.tar.gz with a list of the
# packages that it needs, and openvision-models_VERSION_all.deb. The same input makes the same files.
set -euo pipefail
cd "$(dirname "$0")/.."

binary=$(realpath "${1:?the built tool}") folder=${2:?where the packages are written} models=${3:-}
mkdir -p "$folder"
folder=$(realpath "$folder")
version=$("$binary" --version) architecture=$(dpkg --print-architecture)
SOURCE_DATE_EPOCH=$(git log -1 --format=%ct 2>/dev/null || date +%s)
export SOURCE_DATE_EPOCH
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

joined() { sed ':a;N;$!ba;s/\n/, /g'; }
installed_size() { du -sk --apparent-size "$1" | cut -f1; }

control() { # FOLDER PACKAGE ARCHITECTURE SUMMARY DESCRIPTION [FIELD…]: writes DEBIAN/control
  local root=$1 package=$2 arch=$3 summary=$4 text=$5 && shift 5
  mkdir -p "$root/DEBIAN"
  {
    printf 'Package: %s\nVersion: %s\nArchitecture: %s\nSection: graphics\nPriority: optional\n' \
      "$package" "$version" "$arch"
    printf 'Maintainer: The OpenVision project <packages@openvision.invalid>\n'
    printf 'Installed-Size: %s\n' "$(installed_size "$root")"
    [ $# -eq 0 ] || printf '%s\n' "$@"
    printf 'Description: %s\n%s\n' "$summary" "$text"
  } >"$root/DEBIAN/control"
}

deb() { # FOLDER FILE
  find "$1" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
  dpkg-deb --root-owner-group -Zxz --build "$1" "$2" >/dev/null
}

# The tool
root=$work/tool
DESTDIR=$root Scripts/install.sh "$binary" /usr
# The one folder that Debian's zsh searches under another name.
mkdir -p "$root/usr/share/zsh/vendor-completions"
mv "$root/usr/share/zsh/site-functions/_openvision" "$root/usr/share/zsh/vendor-completions/"
rmdir "$root/usr/share/zsh/site-functions"
mv "$root/usr/share/doc/openvision/LICENSE" "$root/usr/share/doc/openvision/copyright"
# Typefaces are no libraries, so that no binary names them: that of labels, and one for what it lacks.
needs=$(Scripts/runtime-packages.sh "$root/usr/bin/openvision" && echo fonts-dejavu-core)
video=$(Scripts/runtime-packages.sh --video "$root/usr/bin/openvision")
control "$root" openvision "$architecture" "Apple's Vision on Linux: the command-line tool" \
  " Tracks objects in videos; finds faces, people, text and barcodes; classifies,
 ranks, crops and aligns images, on the CPU of this computer.
 .
 FFmpeg's libraries are needed for videos only." \
  "Depends: $(joined <<<"$needs")" "Recommends: $(joined <<<"$video"$'\n'fonts-droid-fallback)" \
  "Suggests: openvision-models, libcurl4 | libcurl3-gnutls, ca-certificates, libpq5, libavif16 | libavif15, \
libhunspell-1.7-0, hunspell-en-us"
deb "$root" "$folder/openvision_${version}_$architecture.deb"

# The tarball: the same below one folder, to be unpacked anywhere or copied to a prefix
name=openvision-$version-linux-$(uname -m)
DESTDIR=$work Scripts/install.sh "$binary" "/$name"
{
  echo "# Debian 12 packages that bin/openvision needs; computed from the binary."
  sed 's/ [(|].*//' <<<"$needs"
  echo "# For videos"
  cat <<<"$video"
  echo "# For drawings of Chinese and Japanese texts"
  echo fonts-droid-fallback
} >"$work/$name/runtime-packages.txt"
find "$work/$name" -exec touch -h -d "@$SOURCE_DATE_EPOCH" {} +
tar -C "$work" --sort=name --owner=0 --group=0 --numeric-owner -c "$name" | gzip -9n >"$folder/$name.tar.gz"

# The networks
if [ -n "$models" ]; then
  root=$work/models
  mkdir -p "$root/usr/share/openvision/models"
  # What is hidden belongs to this computer: locks, and what has been verified here.
  store=$root/usr/share/openvision/models
  (cd "$models" && find . -mindepth 2 -type f ! -path '*/.*' -exec cp --parents {} "$store" \;)
  OPENVISION_MODELS=$store "$binary" models verify >/dev/null
  find "$root" -name '.*' -type f -delete
  find "$root" -type d -exec chmod 755 {} + && find "$root" -type f -exec chmod 644 {} +
  control "$root" openvision-models all "Networks for openvision" \
    " The networks that the command 'openvision models install' fetches. Each folder
 has the licences of what it was made of." \
    "Enhances: openvision"
  deb "$root" "$folder/openvision-models_${version}_all.deb"
fi

echo "stripped: $(stat -c %s "$work/tool/usr/bin/openvision" | numfmt --to=iec)B;" \
  "libraries loaded at the start: $(ldd "$work/tool/usr/bin/openvision" | wc -l)"
(cd "$folder" && for file in openvision*"$version"*; do
  echo "$(stat -c %s "$file" | numfmt --to=iec)B  $file"
done)
