#!/bin/sh
# Tracks people through a real video, registers, classifies and ranks photographs; writes demo/tracked.mp4,
# demo/similar.jpg and tables.
#
# usage: demo.sh [FOLDER]      FOLDER: where the results are written; default demo
set -eu
cd "$(dirname "$0")/.."

folder=${1:-demo}
footage=$(Scripts/fetch-footage.sh)
video=$footage/vtest.avi

echo "Building …"
swift build -c release --product openvision
tool=$(swift build -c release --show-bin-path)/openvision
mkdir -p "$folder"
rm -f "$folder/tracked.mp4" "$folder"/people*.csv "$folder/stability.jsonl" \
    "$folder/classes.jsonl" "$folder/similar.jpg" "$folder/search.jpg" "$folder/photos.db"

echo
echo "Tracking people who cross a car park"
# The boxes are the people's in the first frame of the range.
"$tool" track "$video" --start 40 --end 200 \
    --box 568,233,39,100 --box 602,232,31,93 --box 380,178,24,80 \
    --csv "$folder/people.csv" --render "$folder/tracked.mp4"

echo
echo "Is the camera still?"
"$tool" stability "$video"
"$tool" stability "$video" --json >"$folder/stability.jsonl"

echo
echo "The shift between two photographs"
"$tool" register "$footage/rubberwhale1.png" "$footage/rubberwhale2.png"

echo
echo "The contents of photographs"
"$tool" classify "$footage/squirrel_cls.jpg" "$footage/butterfly.jpg" "$footage/fruits.jpg" --top 8 --tree
"$tool" classify "$footage" --top 10 --json >"$folder/classes.jsonl"

echo
echo "The photographs most similar to the orange"
"$tool" similar "$footage/orange.jpg" "$footage" --top 8 --sheet "$folder/similar.jpg"

echo
echo "The same with an index: the photographs most similar to one view of a street"
"$tool" index "$footage" --db "$folder/photos.db"
"$tool" search "$footage/leuvenA.jpg" --db "$folder/photos.db" --top 8 --sheet "$folder/search.jpg"

echo
echo "The video with the boxes drawn in: $folder/tracked.mp4"
echo "The photographs in the order of their similarity: $folder/similar.jpg, $folder/search.jpg"
