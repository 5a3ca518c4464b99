#!/bin/sh
# Tracks people through a real film and registers its frames; leaves demo/tracked.mp4 and tables behind.
#
# usage: demo.sh [FOLDER]      FOLDER: where the results go; default demo
set -eu
cd "$(dirname "$0")/.."

folder=${1:-demo}
footage=$(Scripts/fetch-footage.sh)
film=$footage/vtest.avi

echo "Building …"
swift build -c release --product openvision
tool=$(swift build -c release --show-bin-path)/openvision
mkdir -p "$folder"
rm -f "$folder/tracked.mp4" "$folder"/people*.csv "$folder/stability.jsonl"

echo
echo "Tracking people who cross a car park"
# The boxes are the people's in the first frame of the range.
"$tool" track "$film" --start 40 --end 200 \
    --box 568,233,39,100 --box 602,232,31,93 --box 380,178,24,80 \
    --csv "$folder/people.csv" --render "$folder/tracked.mp4"

echo
echo "Is the camera still?"
"$tool" stability "$film"
"$tool" stability "$film" --json >"$folder/stability.jsonl"

echo
echo "The shift between two photographs"
"$tool" register "$footage/rubberwhale1.png" "$footage/rubberwhale2.png"

echo
echo "The film with the boxes drawn in: $folder/tracked.mp4"
