#!/usr/bin/env bash
# Builds the documentation as static HTML: every public symbol with its comment, the landing pages and the guides of the
# catalogs (Sources/*/*.docc). Uses the compiler's own tools, so that no package depends on a plugin.
#
#   Scripts/docs.sh FOLDER [BASE]     BASE: the path of the site on its server, such as /OpenVision; default /
#
# PRODUCTS=folder uses the modules of that folder and builds nothing. Warnings about the catalogs are failures; those
# about comments are counted.
set -euo pipefail
cd "$(dirname "$0")/.."

output=${1:?where the site is written} base=${2:-/}
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

products=${PRODUCTS:-}
if [ -z "$products" ]; then
  echo "Building …"
  swift build -c release --product openvision >"$work/build.log" 2>&1 || { tail -20 "$work/build.log" >&2 && exit 1; }
  products=$(swift build -c release --show-bin-path)
fi
target=$(swift -print-target-info | sed -n 's/.*"unversionedTriple": "\(.*\)".*/\1/p')

# The modules of C that those of Swift are built on
maps=()
for map in CSources/{System/*,*/include}/module.modulemap "$products"/*.build/module.modulemap; do
  case $map in *-tool.build/*) ;; *) [ ! -f "$map" ] || maps+=(-Xcc "-fmodule-map-file=$map") ;; esac
done

# From the bottom up, so that links find what other modules have
modules=(VisionImage CoreML Vision VisionExtras CreateML)
archives=() warnings=0
for module in "${modules[@]}"; do
  graphs=$work/$module catalog=Sources/$module/$module.docc
  mkdir "$graphs"
  swift symbolgraph-extract -module-name "$module" -I "$products/Modules" -target "$target" \
    -minimum-access-level public -skip-inherited-docs -output-dir "$graphs" "${maps[@]}"
  arguments=()
  [ ! -d "$catalog" ] || arguments+=("$catalog")
  for archive in ${archives[@]+"${archives[@]}"}; do arguments+=(--dependency "$archive"); done
  archive=$work/$module.doccarchive
  docc convert ${arguments[@]+"${arguments[@]}"} --additional-symbol-graph-dir "$graphs" --output-path "$archive" \
    --fallback-display-name "$module" --fallback-bundle-identifier "org.openvision.$module" \
    --transform-for-static-hosting --hosting-base-path "$base" --enable-experimental-external-link-support \
    >"$work/$module.log" 2>&1 || { tail -20 "$work/$module.log" >&2 && exit 1; }
  archives+=("$archive")
  # A warning is followed by the file that it is about.
  if grep -A1 '^warning' "$work/$module.log" | grep -q '\.docc/'; then
    grep -A12 '^warning' "$work/$module.log" | grep -B1 -A10 '\.docc/' >&2
    echo "docs: the catalog of $module has warnings" >&2
    exit 1
  fi
  warnings=$((warnings + $(grep -c '^warning' "$work/$module.log" || true)))
done

rm -rf "$output"
docc merge "${archives[@]}" --synthesized-landing-page-name OpenVision \
  --synthesized-landing-page-kind "Package" --output-path "$output"
# The landing page is the start of the site.
cat >"$output/index.html" <<HTML
<!DOCTYPE html><html lang="en"><head><meta charset="utf-8"><title>OpenVision</title>
<meta http-equiv="refresh" content="0; url=${base%/}/documentation/"></head>
<body><a href="${base%/}/documentation/">OpenVision</a></body></html>
HTML
echo "$(find "$output" -name '*.html' | wc -l) pages in $output; $warnings warnings about comments"
