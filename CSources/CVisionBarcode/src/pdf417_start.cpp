#include "binary_image.h"

#include <algorithm>
#include <climits>
#include <cmath>
#include <cstdlib>

namespace barcode {

namespace {

constexpr int bars = 8, modules = 17;
constexpr int pattern[bars] = {8, 1, 1, 1, 1, 1, 1, 3};
/* The first run after the pattern in the other direction is the quiet zone. */
constexpr float quiet_modules = 2;

/* Whether eight runs have the lengths of the pattern, up to half a module and half a pixel. */
bool is_start(const int *ends, int step, int quiet) {
  /* Most runs are not far longer than the next. */
  if (std::abs(ends[step] - ends[0]) < 3 * std::abs(ends[2 * step] - ends[step])) return false;
  const int width = std::abs(ends[bars * step] - ends[0]);
  if (width < modules) return false;
  const float module = static_cast<float>(width) / modules, most = module / 2 + 0.5f;
  if (static_cast<float>(quiet) < quiet_modules * module - 1) return false;
  for (int i = 0; i < bars; ++i) {
    const int run = std::abs(ends[(i + 1) * step] - ends[i * step]);
    if (std::abs(static_cast<float>(run) - static_cast<float>(pattern[i]) * module) > most) return false;
  }
  return true;
}

/* Positions of start patterns in the last rows. */
class Starts {
 public:
  /* Returns whether the pattern was found close by in another of the last rows. */
  bool add(int position, int row, int width) {
    for (const auto &other : found_)
      if (other.row != row && row - other.row <= most_rows && std::abs(other.position - position) <= width / 2)
        return true;
    found_[next_++ % kept] = {position, row};
    return false;
  }

 private:
  struct Found {
    int position = 0, row = -(1 << 20);
  };
  static constexpr int most_rows = 12;
  static constexpr size_t kept = 16;
  Found found_[kept];
  size_t next_ = 0;
};

/* Adds the patterns of a row, given the starts and ends of its dark runs. */
bool add_starts(const std::vector<int> &ends, int row, Starts &ahead, Starts &back) {
  const size_t count = ends.size();
  for (size_t first = 0; first + bars < count; first += 2) {
    const int quiet = first > 0 ? ends[first] - ends[first - 1] : INT_MAX;
    if (is_start(&ends[first], 1, quiet) && ahead.add(ends[first], row, ends[first + bars] - ends[first])) return true;
  }
  for (size_t last = bars + 1; last < count; last += 2) {
    const int quiet = last + 1 < count ? ends[last + 1] - ends[last] : INT_MAX;
    if (is_start(&ends[last], -1, quiet) && back.add(ends[last], row, ends[last] - ends[last - bars])) return true;
  }
  return false;
}

constexpr int step = 4;

}  // namespace

bool has_pdf417_start(const BinaryImage &image) {
  std::vector<int> ends;
  Starts starts[4];
  for (int y = step / 2; y < image.height; y += step) {
    find_dark_runs(image.row(y), image.width, ends);
    if (add_starts(ends, y, starts[0], starts[1])) return true;
  }
  /* Every few columns as rows. */
  const int count = (image.width - step / 2 + step - 1) / step;
  if (count < 1) return false;
  std::vector<uint8_t> columns(static_cast<size_t>(count) * image.height);
  constexpr int tile = 32;
  for (int top = 0; top < image.height; top += tile)
    for (int column = 0; column < count; ++column)
      for (int y = top; y < std::min(top + tile, image.height); ++y)
        columns[static_cast<size_t>(column) * image.height + y] = image.row(y)[step / 2 + column * step];
  for (int column = 0; column < count; ++column) {
    find_dark_runs(columns.data() + static_cast<size_t>(column) * image.height, image.height, ends);
    if (add_starts(ends, step * column, starts[2], starts[3])) return true;
  }
  return false;
}

}  // namespace barcode
