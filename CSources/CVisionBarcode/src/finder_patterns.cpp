#include "binary_image.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

namespace barcode {

namespace {

/* Lengths of about 1, 1, 3, 1 and 1 along a row, as `is_finder` has them: with a limit of half a module and half
 * a pixel, one module in the middle, in fourteenths of a pixel. */
constexpr cvk_run_pattern finder_runs = {5, 7, 2, 7, {1, 1, 3, 1, 1}, {1, 1, 2, 1, 1}, {8, 8, 8, 8, 8}};

/* Lengths of about 1, 1, 3, 1 and 1: up to half a module and half a pixel off, or three quarters along a diagonal; one
 * module in the middle. */
bool is_finder(const int *runs, bool is_diagonal = false) {
  const int sum = runs[0] + runs[1] + runs[2] + runs[3] + runs[4];
  if (sum < 7) return false;
  for (int run = 0; run < 5; ++run) {
    const int wanted = run == 2 ? 3 : 1;
    /* In sevenths of a pixel. */
    const int most = run == 2 ? sum : is_diagonal ? sum * 3 / 4 : sum / 2;
    if (std::abs(7 * runs[run] - wanted * sum) > most + 4) return false;
  }
  return true;
}

struct Position {
  int x, y;
};

/* Whether the runs through a dark pixel match along a direction. Moves the position to the middle of its run. */
bool crosses(const BinaryImage &image, Position &middle, Position step, int size) {
  const auto is_inside = [&](Position p) { return p.x >= 0 && p.y >= 0 && p.x < image.width && p.y < image.height; };
  int ends[2][3];
  for (int side = 0; side < 2; ++side) {
    const int sign = side ? 1 : -1;
    Position p = middle;
    int length = 0;
    bool dark = true;
    for (int run = 0; run < 3; ++run) {
      while (is_inside(p) && (image.row(p.y)[p.x] == 0) == dark) {
        p = {p.x + sign * step.x, p.y + sign * step.y};
        if (++length > 3 * size) return false;
      }
      ends[side][run] = length;
      dark = !dark;
      if (!is_inside(p) && run < 2) return false;
    }
  }
  const int runs[5] = {ends[0][2] - ends[0][1], ends[0][1] - ends[0][0], ends[0][0] + ends[1][0] - 1,
                       ends[1][1] - ends[1][0], ends[1][2] - ends[1][1]};
  const int offset = (ends[1][0] - ends[0][0]) / 2;
  const bool is_diagonal = step.x != 0 && step.y != 0;
  if (!is_diagonal) middle = {middle.x + offset * step.x, middle.y + offset * step.y};
  return is_finder(runs, is_diagonal);
}

constexpr int bin = 8;

}  // namespace

std::vector<FinderPattern> find_finder_patterns(const BinaryImage &image, size_t limit) {
  std::vector<FinderPattern> found;
  Edges ends;
  Matches matches;
  /* The last row in which something was counted there: a pattern is crossed by several rows. */
  std::vector<int> last_rows(static_cast<size_t>(image.width) / bin + 3, -(1 << 20));
  constexpr int step = 3;
  for (int y = step - 1; y < image.height; y += step) {
    const uint8_t *const row = image.row(y);
    ends.find_dark_runs(row, image.width);
    matches.find(ends, finder_runs);
    for (const int32_t match : matches) {
      /* Dark runs begin at even indices. */
      if (match % 2 != 0) continue;
      const size_t first = static_cast<size_t>(match);
      const int size = ends[first + 5] - ends[first];
      const int middle = (ends[first + 2] + ends[first + 3]) / 2;
      Position position{middle, y};
      if (row[middle] != 0 || !crosses(image, position, {0, 1}, size) || !crosses(image, position, {1, 0}, size) ||
          !crosses(image, position, {1, 1}, size) || !crosses(image, position, {1, -1}, size))
        continue;
      int *last = &last_rows[static_cast<size_t>(middle) / bin];
      const bool is_new = y - std::max({last[0], last[1], last[2]}) > std::max(size / 2, step);
      last[1] = y;
      if (is_new) found.push_back({position.x, position.y, size});
      if (found.size() >= limit) return found;
    }
  }
  return found;
}

namespace {

/* Whether three patterns can be the corners of a QR code: those that the library tries, with a margin. */
bool is_triple(const FinderPattern *const (&patterns)[3]) {
  const auto [least, most] = std::minmax({patterns[0]->size, patterns[1]->size, patterns[2]->size});
  constexpr double size_ratio = 2.5;
  if (most > size_ratio * least) return false;
  double sides[3];
  for (int i = 0; i < 3; ++i) {
    const FinderPattern &a = *patterns[i], &b = *patterns[(i + 1) % 3];
    /* The side that is seen from farther away is shorter. */
    const double ratio = static_cast<double>(std::max(a.size, b.size)) / std::min(a.size, b.size);
    sides[i] = std::hypot(a.x - b.x, a.y - b.y) * ratio;
  }
  std::sort(sides, sides + 3);
  if (sides[0] <= 0) return false;
  const double module = (patterns[0]->size + patterns[1]->size + patterns[2]->size) / 21.0;
  const double modules = (sides[0] + sides[1]) / (2 * module) + 7;
  constexpr double fewest = 21 * 0.6, largest = 177 * 1.6;
  if (modules < fewest || modules > largest) return false;
  /* Between 30 and 150 degrees. */
  constexpr double most_cosine = 0.866;
  const double cosine =
      (sides[0] * sides[0] + sides[1] * sides[1] - sides[2] * sides[2]) / (2 * sides[0] * sides[1]);
  return std::abs(cosine) < most_cosine;
}

}  // namespace

bool has_finder_triple(const std::vector<FinderPattern> &patterns) {
  for (size_t i = 0; i < patterns.size(); ++i)
    for (size_t j = i + 1; j < patterns.size(); ++j)
      for (size_t k = j + 1; k < patterns.size(); ++k)
        if (is_triple({&patterns[i], &patterns[j], &patterns[k]})) return true;
  return false;
}

}  // namespace barcode
