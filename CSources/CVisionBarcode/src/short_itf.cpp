#include "short_itf.h"

#include <algorithm>
#include <vector>

namespace barcode {

namespace {

constexpr size_t pairs = 2, pair_elements = 10, start_elements = 4, stop_elements = 3;
constexpr size_t elements = start_elements + pairs * pair_elements + stop_elements;

/* Marks the wide ones of the bars (0) or spaces (1), whose number is known; false where they are not clearly wider. */
bool find_wide(const std::vector<int> &widths, size_t kind, size_t wide_count, std::vector<bool> &is_wide) {
  std::vector<int> sorted;
  for (size_t i = kind; i < widths.size(); i += 2) sorted.push_back(widths[i]);
  std::sort(sorted.begin(), sorted.end());
  const size_t narrow_count = sorted.size() - wide_count;
  const int narrow = sorted[narrow_count - 1], wide = sorted[narrow_count];
  /* Wide elements have two to three modules. */
  if (2 * wide < 3 * narrow || narrow > 2 * sorted[0] + 1 || sorted.back() > 2 * wide) return false;
  for (size_t i = kind; i < widths.size(); i += 2) is_wide[i] = widths[i] >= wide;
  return true;
}

/* The digit whose five elements, every second one from an index, are wide or not; -1 for none. */
int digit(const std::vector<bool> &is_wide, size_t first) {
  constexpr int weights[] = {1, 2, 4, 7, 0};
  int sum = 0, count = 0;
  for (size_t i = 0; i < 5; ++i)
    if (is_wide[first + 2 * i]) sum += weights[i], ++count;
  if (count != 2) return -1;
  return sum == 11 ? 0 : sum;
}

std::string read(const std::vector<int> &widths) {
  std::vector<bool> is_wide(elements);
  /* Two in each digit; the first bar of the stop pattern. */
  if (!find_wide(widths, 0, 2 * pairs + 1, is_wide) || !find_wide(widths, 1, 2 * pairs, is_wide)) return {};
  for (size_t i = 0; i < start_elements; ++i)
    if (is_wide[i]) return {};
  if (!is_wide[elements - 3] || is_wide[elements - 2] || is_wide[elements - 1]) return {};
  std::string digits;
  for (size_t pair = 0; pair < pairs; ++pair) {
    for (size_t kind = 0; kind < 2; ++kind) {
      const int value = digit(is_wide, start_elements + pair * pair_elements + kind);
      if (value < 0) return {};
      digits += static_cast<char>('0' + value);
    }
  }
  return digits;
}

}  // namespace

std::string read_short_itf(const Edges &edges, bool starts_dark, int32_t (&ends)[2]) {
  if (starts_dark || edges.size() != elements + 1) return {};
  std::vector<int> widths(elements);
  for (size_t i = 0; i < elements; ++i) widths[i] = edges[i + 1] - edges[i];
  ends[0] = edges[0];
  ends[1] = edges[elements] - 1;
  std::string digits = read(widths);
  if (digits.empty()) {
    std::reverse(widths.begin(), widths.end());
    std::swap(ends[0], ends[1]);
    digits = read(widths);
  }
  return digits;
}

}  // namespace barcode
