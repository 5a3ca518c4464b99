#include "databar_expanded.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <iterator>

namespace barcode {

namespace {

using Pair = ExpandedReader::Pair;
using Character = ExpandedReader::Character;

constexpr size_t character_runs = 8, finder_runs = 5;
constexpr size_t half_pair_runs = character_runs + finder_runs, pair_runs = half_pair_runs + character_runs;
constexpr int character_modules = 17, finder_modules = 15;
constexpr int modulus = 211;

/* The order of finder patterns by the number of pairs, from two on: A to F are 1 to 6, from right to left negative. */
const std::vector<int> finder_sequences[] = {
    {1, -1},
    {1, -2, 2},
    {1, -3, 2, -4},
    {1, -5, 2, -4, 3},
    {1, -5, 2, -4, 4, -6},
    {1, -5, 2, -4, 5, -6, 6},
    {1, -1, 2, -2, 3, -3, 4, -4},
    {1, -1, 2, -2, 3, -3, 4, -5, 5},
    {1, -1, 2, -2, 3, -3, 4, -5, 6, -6},
    {1, -1, 2, -2, 3, -4, 4, -5, 5, -6, 6},
};
constexpr int fewest_pairs = 2;

/* Noise and hostile rows have any number of pairs. Those of a finder pattern that are kept, and of these, first in the
 * order of how often they were found, the beginnings of symbols that are tried. */
constexpr size_t most_pairs = 256, most_beginnings = 8;

/* The number of ways to split modules into elements of one to `widest` modules. */
constexpr int splits(int modules, int elements, int widest) {
  if (elements == 0) return modules == 0;
  int count = 0;
  for (int width = 1; width <= widest && width <= modules; ++width)
    count += splits(modules - width, elements - 1, widest);
  return count;
}

/* As `splits`, with an element of one module. */
constexpr int narrow_splits(int modules, int elements, int widest) {
  return splits(modules, elements, widest) - splits(modules - elements, elements, widest - 1);
}

/* The characters by the modules of their odd elements: 12, 10, 8, 6, 4. */
struct Group {
  int odd_modules, odd_widest, first_value;
  int even_modules() const { return character_modules - odd_modules; }
  int even_widest() const { return 9 - odd_widest; }
};
constexpr Group groups[] = {{12, 7, 0}, {10, 5, 348}, {8, 4, 1388}, {6, 3, 2948}, {4, 1, 3988}};

/* The position of four widths among all of the same sum in the order of the standard. */
int position(const int *widths, int widest, bool has_narrow) {
  int rest = 0, count = 0;
  for (int i = 0; i < 4; ++i) rest += widths[i];
  bool found_narrow = !has_narrow;
  for (int i = 0; i < 3; ++i) {
    for (int width = 1; width < widths[i]; ++width)
      count += found_narrow || width == 1 ? splits(rest - width, 3 - i, widest)
                                          : narrow_splits(rest - width, 3 - i, widest);
    found_narrow = found_narrow || widths[i] == 1;
    rest -= widths[i];
  }
  return count;
}

/* The modules of the eight elements of a character: odd ones at even indices. */
bool is_character(const std::array<int, character_runs> &modules) {
  int sums[2] = {}, widest[2] = {}, narrowest = character_modules;
  for (size_t i = 0; i < character_runs; ++i) {
    if (modules[i] < 1) return false;
    sums[i % 2] += modules[i];
    widest[i % 2] = std::max(widest[i % 2], modules[i]);
    if (i % 2 == 0) narrowest = std::min(narrowest, modules[i]);
  }
  if (sums[0] + sums[1] != character_modules || narrowest != 1) return false;
  for (const Group &group : groups)
    if (group.odd_modules == sums[0]) return widest[0] <= group.odd_widest && widest[1] <= group.even_widest();
  return false;
}

/* The modules by the distances between edges of the same kind, which ink that spreads does not change: the reference
 * algorithm of the standard. */
bool modules_by_edges(const std::array<double, character_runs> &widths, std::array<int, character_runs> &modules) {
  std::array<int, character_runs - 1> sums;
  for (size_t i = 0; i + 1 < character_runs; ++i) sums[i] = static_cast<int>(widths[i] + widths[i + 1] + 0.5);
  for (int first = 1; first <= 8; ++first) {
    modules[0] = first;
    for (size_t i = 1; i < character_runs; ++i) modules[i] = sums[i - 1] - modules[i - 1];
    if (!is_character(modules)) continue;
    for (size_t i = 0; i < character_runs; ++i)
      if (std::abs(widths[i] - modules[i]) > 0.8) return false;
    return true;
  }
  return false;
}

/* Reads a character from eight runs, those behind a finder pattern from their end. */
Character read_character(const int *runs, int finder, bool is_second) {
  int sum = 0;
  for (size_t i = 0; i < character_runs; ++i) sum += runs[i];
  if (sum <= 0) return {};
  std::array<double, character_runs> widths;
  std::array<int, character_runs> modules;
  for (size_t i = 0; i < character_runs; ++i) {
    widths[i] = static_cast<double>(runs[is_second ? character_runs - 1 - i : i]) * character_modules / sum;
    modules[i] = static_cast<int>(widths[i] + 0.5);
  }
  if (!is_character(modules) && !modules_by_edges(widths, modules)) return {};
  int elements[2][4];
  for (size_t i = 0; i < character_runs; ++i) elements[i % 2][i / 2] = modules[i];
  int odd_modules = 0;
  for (int width : elements[0]) odd_modules += width;
  const Group &group = groups[(12 - odd_modules) / 2];
  Character character;
  character.value = group.first_value +
                    position(elements[0], group.odd_widest, true) *
                        splits(group.even_modules(), 4, group.even_widest()) +
                    position(elements[1], group.even_widest(), false);
  if (character.value >= 1 << 12) return {};
  /* Powers of 3, eight for each character; the check character, left of finder A, has none. */
  const int row = 4 * (std::abs(finder) - 1) + (finder < 0 ? 2 : 0) + is_second;
  if (row > 0) {
    int power = 1;
    for (int i = 0; i < 8 * (row - 1); ++i) power = power * 3 % modulus;
    for (int width : modules) {
      character.weight += width * power;
      power = power * 3 % modulus;
    }
  }
  return character;
}

/* Whether the second and third run have 10 to 12 modules, and the last two one each: in DataBar Expanded the third has
 * at least four. */
bool is_like_finder(const int (&runs)[finder_runs]) {
  const int wide = 2 * (runs[1] + runs[2]), narrow = runs[3] + runs[4];
  return wide + 5 > 9 * narrow && wide - 5 < 13 * narrow;
}

/* The number of the pattern, from 1, that five runs are nearest to; 0 for none. */
int find_finder(const int *runs, bool is_right_to_left) {
  int r[finder_runs], sum = 0;
  for (size_t i = 0; i < finder_runs; ++i) {
    r[i] = runs[is_right_to_left ? finder_runs - 1 - i : i];
    sum += r[i];
  }
  if (!is_like_finder(r) || 2 * r[2] <= 5 * r[4]) return 0;
  /* Distances between edges of the same kind. */
  constexpr double patterns[6][3] = {{9, 12, 5}, {9, 10, 5}, {7, 10, 7}, {5, 10, 9}, {8, 11, 6}, {4, 11, 10}};
  int best = 0;
  double least = 1.5;
  for (int i = 0; i < 6; ++i) {
    double distance = 0;
    for (int k = 0; k < 3; ++k) {
      const double difference = static_cast<double>(r[k] + r[k + 1]) * finder_modules / sum - patterns[i][k];
      distance += difference * difference;
    }
    if (distance < least) {
      least = distance;
      best = i + 1;
    }
  }
  return best;
}

/* Whether the length of a character has the modules of the finder pattern beside it. */
bool fits(int sum, double module) {
  return std::abs(sum - character_modules * module) < 0.1 * character_modules * module;
}

/* The module of the finder pattern of a pair, by the beginnings of its runs. */
double finder_module(const int *starts) {
  return static_cast<double>(starts[half_pair_runs] - starts[character_runs]) / finder_modules;
}

/* Whether the first character of a pair has the length that its finder pattern asks for: most pairs have not. */
bool can_be_pair(const int *starts) { return fits(starts[character_runs] - starts[0], finder_module(starts)); }

bool is_guard(int width, int module) { return width > module * 3 / 4 - 2 && width < module * 5 / 4 + 2; }

int character_count(const Pair &first) { return first.first.value / modulus + 4; }

/* The sequence that the check character of the first pair asks for; none where there is none. */
const std::vector<int> *sequence(const Pair &first) {
  const int pairs = (character_count(first) + 1) / 2 - fewest_pairs;
  return pairs >= 0 && pairs < static_cast<int>(std::size(finder_sequences)) ? &finder_sequences[pairs] : nullptr;
}

/* Reads the pair whose first run has an index. */
std::optional<Pair> read_pair(const RunsOfRow &row, size_t index, int number) {
  const std::vector<int> &widths = row.widths;
  if (index + half_pair_runs >= widths.size() || !can_be_pair(&row.starts[index])) return {};
  const bool is_right_to_left = index % 2 == 1;
  const int *const runs = &widths[index], *const finder = runs + character_runs;
  const int *const starts = &row.starts[index];
  const double module = finder_module(starts);
  Pair pair;
  pair.finder = find_finder(finder, is_right_to_left);
  if (pair.finder == 0) return {};
  if (is_right_to_left) pair.finder = -pair.finder;
  pair.first = read_character(runs, pair.finder, false);
  if (pair.first.value < 0) return {};
  const int narrow = finder[is_right_to_left ? 1 : 3];
  if (pair.finder == 1 && (index == 0 || !is_guard(widths[index - 1], narrow) || !sequence(pair))) return {};
  if (index + pair_runs < widths.size() && fits(starts[pair_runs] - starts[half_pair_runs], module))
    pair.second = read_character(finder + finder_runs, pair.finder, true);
  const bool is_half = pair.second.value < 0;
  if (is_half && !is_guard(widths[index + half_pair_runs], narrow)) return {};
  pair.start = row.pixel(index, false);
  pair.end = row.pixel(index + (is_half ? half_pair_runs : pair_runs), true);
  pair.top = pair.bottom = number;
  pair.is_reversed = row.is_reversed;
  return pair;
}

/* Reads pairs beside each other, from the first one that is found; `index` moves behind them. */
std::vector<Pair> read_pairs(const RunsOfRow &row, int number, bool from_first_finder, size_t &index) {
  std::vector<Pair> pairs;
  for (; index + half_pair_runs < row.widths.size(); ++index) {
    if (!can_be_pair(&row.starts[index])) continue;
    auto pair = read_pair(row, index, number);
    if (!pair || (from_first_finder && pair->finder != 1)) continue;
    while (pair) {
      pairs.push_back(*pair);
      const bool is_half = pair->second.value < 0;
      index += is_half ? half_pair_runs : pair_runs;
      if (is_half) break;
      pair = read_pair(row, index, number);
    }
    break;
  }
  return pairs;
}

/* The code of all pairs of a symbol in their order; none where the check fails or the data is not valid. */
std::optional<ExpandedCode> code_of(const std::vector<const Pair *> &pairs) {
  const Pair &first = *pairs.front(), &last = *pairs.back();
  int sum = 0;
  std::vector<int> characters;
  ExpandedCode code;
  code.rows = first.count;
  int left = first.start, right = first.start, top = first.top, bottom = first.bottom;
  for (const Pair *pair : pairs) {
    sum += pair->first.weight + pair->second.weight;
    if (pair != &first) characters.push_back(pair->first.value);
    if (pair->second.value >= 0) characters.push_back(pair->second.value);
    if (pair->second.value < 0 && pair != &last) return {};
    code.rows = std::min(code.rows, pair->count);
    left = std::min({left, pair->start, pair->end});
    right = std::max({right, pair->start, pair->end});
    top = std::min(top, pair->top);
    bottom = std::max(bottom, pair->bottom);
  }
  const int count = static_cast<int>(characters.size()) + 1;
  if (first.first.value != modulus * (count - 4) + sum % modulus) return {};
  auto text = expanded_text(characters);
  if (!text) return {};
  code.text = std::move(*text);
  if (first.is_reversed) {
    std::swap(left, right);
    std::swap(top, bottom);
  }
  const int32_t corners[8] = {left, top, right, top, right, bottom, left, bottom};
  std::copy(std::begin(corners), std::end(corners), code.corners);
  return code;
}

}  // namespace

bool has_databar_finder(const Edges &edges) {
  for (size_t i = 0; i + finder_runs < edges.size(); ++i) {
    int runs[finder_runs];
    for (size_t k = 0; k < finder_runs; ++k) runs[k] = edges[i + k + 1] - edges[i + k];
    if (is_like_finder(runs) || is_like_finder({runs[4], runs[3], runs[2], runs[1], runs[0]})) return true;
  }
  return false;
}

RunsOfRow::RunsOfRow(const Edges &edges, int width, bool starts_dark, bool is_reversed)
    : is_reversed(is_reversed) {
  std::vector<int> bounds;
  bounds.reserve(edges.size() + 3);
  bounds.push_back(0);
  if (starts_dark && !is_reversed) bounds.push_back(0);
  bounds.insert(bounds.end(), edges.begin(), edges.end());
  bounds.push_back(width);
  if (is_reversed) {
    for (int &bound : bounds) bound = width - bound;
    std::reverse(bounds.begin(), bounds.end());
    const bool ends_dark = starts_dark != (edges.size() % 2 == 1);
    if (ends_dark) bounds.insert(bounds.begin(), 0);
  }
  widths.reserve(bounds.size());
  for (size_t i = 0; i + 1 < bounds.size(); ++i) widths.push_back(bounds[i + 1] - bounds[i]);
  starts = std::move(bounds);
}

int RunsOfRow::pixel(size_t run, bool end) const {
  const int position = end ? std::max(0, starts[run] - 1) : starts[run];
  return is_reversed ? starts.back() - 1 - position : position;
}

std::vector<ExpandedCode> ExpandedReader::codes_in_row(const Edges &edges, int width, bool starts_dark,
                                                       int row) {
  std::vector<ExpandedCode> codes;
  if (!has_databar_finder(edges)) return codes;
  for (bool is_reversed : {false, true}) {
    const RunsOfRow runs(edges, width, starts_dark, is_reversed);
    size_t index = 0;
    while (index + half_pair_runs < runs.widths.size()) {
      const auto pairs = read_pairs(runs, row, true, index);
      if (pairs.empty()) break;
      const std::vector<int> *const finders = sequence(pairs.front());
      if (!finders || finders->size() != pairs.size()) continue;
      std::vector<const Pair *> chosen;
      for (const Pair &pair : pairs)
        if (pair.finder == (*finders)[chosen.size()]) chosen.push_back(&pair);
      if (chosen.size() != pairs.size()) continue;
      if (auto code = code_of(chosen)) codes.push_back(std::move(*code));
    }
  }
  return codes;
}

void ExpandedReader::add_row(const Edges &edges, int width, bool starts_dark, int row) {
  if (!has_databar_finder(edges)) return;
  for (bool is_reversed : {false, true}) {
    const RunsOfRow runs(edges, width, starts_dark, is_reversed);
    size_t index = 0;
    while (index + half_pair_runs < runs.widths.size()) {
      for (const Pair &pair : read_pairs(runs, row, false, index)) {
        auto &known = pairs_[pair.finder];
        auto same = std::find_if(known.begin(), known.end(), [&](const Pair &it) { return it.is_same(pair); });
        if (same == known.end()) {
          if (known.size() < most_pairs) known.push_back(pair);
        } else {
          ++same->count;
          same->bottom = row;
          /* Those found most often come first. */
          for (; same != known.begin() && same->count > std::prev(same)->count; --same)
            std::iter_swap(same, std::prev(same));
        }
      }
    }
  }
}

std::optional<ExpandedCode> ExpandedReader::code() const {
  const auto firsts = pairs_.find(1);
  if (firsts == pairs_.end()) return {};
  for (size_t i = 0; i < std::min(most_beginnings, firsts->second.size()); ++i) {
    const Pair &first = firsts->second[i];
    const std::vector<int> *const finders = sequence(first);
    if (!finders || pairs_.size() < finders->size()) continue;
    std::vector<const Pair *> chosen{&first};
    if (complete(*finders, chosen)) return code_of(chosen);
  }
  return {};
}

bool ExpandedReader::complete(const std::vector<int> &sequence, std::vector<const Pair *> &chosen) const {
  if (chosen.size() == sequence.size()) return code_of(chosen).has_value();
  const auto found = pairs_.find(sequence[chosen.size()]);
  if (found == pairs_.end()) return false;
  /* Misread pairs are rare: only those are tried that were found most often, at most 2^10 combinations for
   * a beginning. */
  constexpr size_t most = 2;
  for (size_t i = 0; i < std::min(most, found->second.size()); ++i) {
    chosen.push_back(&found->second[i]);
    if (complete(sequence, chosen)) return true;
    chosen.pop_back();
  }
  return false;
}

}  // namespace barcode
