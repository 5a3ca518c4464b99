#include "binary_image.h"

#include <algorithm>
#include <climits>
#include <cstdlib>

namespace barcode {

namespace {

constexpr int bars = 8, modules = 17;
/* The first run after the pattern in the other direction is the quiet zone. */
constexpr float quiet_modules = 2;

/* The eight runs, each up to half a module and half a pixel off, in thirty-fourths of a pixel; from right to left too.
 */
constexpr cvk_run_pattern ahead_runs = {
    bars, modules, 2, modules, {8, 1, 1, 1, 1, 1, 1, 3}, {1, 1, 1, 1, 1, 1, 1, 1}, {17, 17, 17, 17, 17, 17, 17, 17}};
constexpr cvk_run_pattern back_runs = {
    bars, modules, 2, modules, {3, 1, 1, 1, 1, 1, 1, 8}, {1, 1, 1, 1, 1, 1, 1, 1}, {17, 17, 17, 17, 17, 17, 17, 17}};

/* Whether there is room for the quiet zone beside a pattern. */
bool is_quiet(int quiet, int width) {
  return static_cast<float>(quiet) >= quiet_modules * static_cast<float>(width) / modules - 1;
}

/* A start pattern: its first edge in reading direction, which is to the right or to the left, and its length. */
struct Start {
  int position, width;
};

/* Finds the start patterns of a row in one direction, given the starts and ends of its dark runs. */
void find_starts(const Edges &ends, bool is_back, Matches &matches, std::vector<Start> &starts) {
  starts.clear();
  matches.find(ends, is_back ? back_runs : ahead_runs);
  for (const int32_t match : matches) {
    /* The first run in reading direction is dark: it begins at an even index, or ends at an odd one. */
    if ((match % 2 != 0) != is_back) continue;
    const size_t left = static_cast<size_t>(match), right = left + bars;
    const int width = ends[right] - ends[left];
    if (is_back) {
      const int quiet = right + 1 < ends.size() ? ends[right + 1] - ends[right] : INT_MAX;
      if (is_quiet(quiet, width)) starts.push_back({ends[right], width});
    } else {
      const int quiet = left > 0 ? ends[left] - ends[left - 1] : INT_MAX;
      if (is_quiet(quiet, width)) starts.push_back({ends[left], width});
    }
  }
}

/* The rows or the columns of an image. */
class Lines {
 public:
  Lines(const BinaryImage &image, bool is_columns)
      : count(is_columns ? image.width : image.height), image_(image), is_columns_(is_columns) {}

  /* Finds the dark runs of a line. */
  void find_runs(int line, Edges &ends) {
    if (!is_columns_) return ends.find_dark_runs(image_.row(line), image_.width);
    if (line < first_ || line >= first_ + tile) gather(line);
    ends.find_dark_runs(columns_.data() + static_cast<size_t>(line - first_) * image_.height, image_.height);
  }

  const int count;

 private:
  /* As many columns as a line of the cache has pixels are copied together. */
  static constexpr int tile = 64;
  const BinaryImage &image_;
  const bool is_columns_;
  std::vector<uint8_t> columns_;
  int first_ = -tile;

  void gather(int column) {
    first_ = column / tile * tile;
    const int columns = std::min(tile, image_.width - first_);
    columns_.resize(static_cast<size_t>(tile) * image_.height);
    cvk_b1_transpose(columns_.data(), image_.height, image_.row(0) + first_, image_.width, image_.height, columns);
  }
};

/* Whether lines near each other show the pattern in one direction. */
class StartSearch {
 public:
  explicit StartSearch(bool is_back) : is_back_(is_back) {}

  /* Looks at a line, whose dark runs are given. */
  bool add(const Edges &ends, int line, Lines &lines) {
    find_starts(ends, is_back_, matches_, starts_);
    for (const Start &start : starts_) {
      for (const auto &other : found_) {
        if (other.line == line || line - other.line > most_lines || !is_near(other.position, start)) continue;
        /* Each look between lines costs as much as several lines: what looks so like the pattern counts as it. */
        if (++looks_ > most_looks || is_continued(start, other.line, line, lines)) return true;
      }
      found_[next_++ % kept] = {start.position, line};
    }
    return false;
  }

 private:
  struct Found {
    int position = 0, line = -(1 << 20);
  };
  static constexpr int most_lines = 12, most_looks = 64;
  static constexpr size_t kept = 16;
  const bool is_back_;
  Found found_[kept];
  size_t next_ = 0;
  int looks_ = 0;
  std::vector<Start> starts_, between_;
  Edges ends_;
  Matches matches_;

  static bool is_near(int position, const Start &start) {
    return std::abs(position - start.position) <= start.width / 2;
  }

  /* Whether at least half of the lines between two have the pattern as well: texture that is like it seldom goes on. */
  bool is_continued(const Start &start, int first, int last, Lines &lines) {
    int count = 0;
    for (int line = first + 1; line < last; ++line) {
      lines.find_runs(line, ends_);
      find_starts(ends_, is_back_, matches_, between_);
      for (const Start &other : between_)
        if (is_near(other.position, start)) {
          ++count;
          break;
        }
    }
    return 2 * count >= last - first - 1;
  }
};

constexpr int step = 4;

bool has_start(Lines lines) {
  Edges ends;
  StartSearch ahead(false), back(true);
  for (int line = step / 2; line < lines.count; line += step) {
    lines.find_runs(line, ends);
    if (ahead.add(ends, line, lines) || back.add(ends, line, lines)) return true;
  }
  return false;
}

}  // namespace

bool has_pdf417_start(const BinaryImage &image) {
  return has_start(Lines(image, false)) || has_start(Lines(image, true));
}

}  // namespace barcode
