#include "binary_image.h"

#include <algorithm>
#include <cstring>

namespace barcode {

namespace {

constexpr int block = 8;
/* The range of brightness up to which a block shows only noise. */
constexpr int noise = 24;
/* How many blocks on either side the threshold is averaged over. */
constexpr int reach = 2;

/* The sums and extremes of the columns of a row of blocks. The loops are plain so that compilers make vectors of them.
 */
struct Columns {
  std::vector<uint16_t> sums;
  std::vector<uint8_t> least, most;

  explicit Columns(int width) : sums(width), least(width), most(width) {}

  void measure(const uint8_t *grey, ptrdiff_t row_bytes) {
    const size_t width = sums.size();
    uint16_t *const sum = sums.data();
    uint8_t *const low = least.data(), *const high = most.data();
    for (size_t x = 0; x < width; ++x) sum[x] = low[x] = high[x] = grey[x];
    for (int y = 1; y < block; ++y) {
      const uint8_t *const row = grey + y * row_bytes;
      for (size_t x = 0; x < width; ++x) sum[x] = static_cast<uint16_t>(sum[x] + row[x]);
      for (size_t x = 0; x < width; ++x) low[x] = std::min(low[x], row[x]);
      for (size_t x = 0; x < width; ++x) high[x] = std::max(high[x], row[x]);
    }
  }
};

/* Darkness that separates dark from light, one for each block. */
std::vector<uint8_t> block_levels(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes, int columns,
                                  int rows) {
  std::vector<uint8_t> levels(static_cast<size_t>(columns) * rows);
  Columns sums(width);
  for (int y = 0; y < rows; ++y) {
    sums.measure(grey + std::min(y * block, height - block) * row_bytes, row_bytes);
    uint8_t *const row = levels.data() + static_cast<size_t>(y) * columns;
    for (int x = 0; x < columns; ++x) {
      const int first = std::min(x * block, width - block);
      int sum = 0, low = 255, high = 0;
      for (int i = first; i < first + block; ++i) {
        sum += sums.sums[i];
        low = std::min<int>(low, sums.least[i]);
        high = std::max<int>(high, sums.most[i]);
      }
      int level = sum / (block * block);
      if (high - low <= noise) {
        level = low / 2;
        if (x > 0 && y > 0) {
          const int before = ((row - columns)[x] + 2 * row[x - 1] + (row - columns)[x - 1]) / 4;
          if (low < before) level = before;
        }
      }
      row[x] = static_cast<uint8_t>(level);
    }
  }
  return levels;
}

}  // namespace

void threshold_locally(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes, BinaryImage &image) {
  const int columns = (width + block - 1) / block, rows = (height + block - 1) / block;
  const auto levels = block_levels(grey, width, height, row_bytes, columns, rows);
  image.width = width;
  image.height = height;
  image.pixels.resize(static_cast<size_t>(width) * height);
  constexpr int count = 2 * reach + 1;
  std::vector<int> sums(columns);
  std::vector<uint8_t> thresholds(width);
  for (int y = 0; y < rows; ++y) {
    const int top = std::clamp(y, reach, rows - reach - 1) - reach;
    std::fill(sums.begin(), sums.end(), 0);
    for (int row = top; row < top + count; ++row)
      for (int x = 0; x < columns; ++x) sums[x] += levels[static_cast<size_t>(row) * columns + x];
    for (int x = 0; x < columns; ++x) {
      const int left = std::clamp(x, reach, columns - reach - 1) - reach;
      int sum = 0;
      for (int i = left; i < left + count; ++i) sum += sums[i];
      std::memset(&thresholds[std::min(x * block, width - block)], sum / (count * count), block);
    }
    const int first = std::min(y * block, height - block);
    for (int row = first; row < first + block; ++row) {
      const uint8_t *const in = grey + row * row_bytes, *const limit = thresholds.data();
      uint8_t *const out = image.pixels.data() + static_cast<size_t>(row) * width;
      for (int x = 0; x < width; ++x) out[x] = in[x] > limit[x] ? 255 : 0;
    }
  }
}

namespace {

constexpr int bins = 32;

/* The brightness in the valley between the two peaks of a histogram, 0 where there is only one. */
int valley(const int *histogram) {
  const int tallest = static_cast<int>(std::max_element(histogram, histogram + bins) - histogram);
  const int most = histogram[tallest];
  int64_t best = 0;
  int other = 0;
  for (int bin = 0; bin < bins; ++bin) {
    /* Peaks that are far away count more. */
    const int64_t distance = bin - tallest, score = histogram[bin] * distance * distance;
    if (score > best) best = score, other = bin;
  }
  const int dark = std::min(tallest, other), light = std::max(tallest, other);
  if (light - dark <= bins / 16) return 0;
  /* Low, and closer to the light peak. */
  int found = light - 1;
  best = -1;
  for (int bin = light - 1; bin > dark; --bin) {
    const int64_t distance = bin - dark, score = distance * distance * (light - bin) * (most - histogram[bin]);
    if (score > best) best = score, found = bin;
  }
  return found * (256 / bins);
}

}  // namespace

bool threshold_row(const uint8_t *grey, int width, uint8_t *pixels) {
  if (width < 3) return false;
  /* Several histograms, so that equal neighbours need not wait for each other; eight pixels are loaded at once. */
  int part[8][bins] = {};
  int x = 0;
  for (; x + 8 <= width; x += 8) {
    uint64_t pixel;
    std::memcpy(&pixel, grey + x, 8);
    for (int i = 0; i < 8; ++i) ++part[i][(pixel >> 8 * i & 255) / (256 / bins)];
  }
  for (; x < width; ++x) ++part[0][grey[x] / (256 / bins)];
  for (int i = 1; i < 8; ++i)
    for (int bin = 0; bin < bins; ++bin) part[0][bin] += part[i][bin];
  const int level = valley(part[0]);
  if (level <= 0) return false;
  cvk_u8_sharp_threshold(pixels, grey, width, level);
  return true;
}

void Edges::find(const uint8_t *pixels, int width) {
  /* One in front, for a dark run at the beginning. */
  constexpr size_t in_front = 1, behind = 16;
  const size_t room = in_front + static_cast<size_t>(width) + behind;
  if (memory_.size() < room) memory_.resize(room);
  first_ = memory_.data() + in_front;
  int32_t count = 0;
  cvk_u8_edges(first_, &count, pixels, width);
  size_ = static_cast<size_t>(count);
}

void Edges::find_dark_runs(const uint8_t *pixels, int width) {
  find(pixels, width);
  if (pixels[0] == 0) {
    *--first_ = 0;
    ++size_;
  }
  if (pixels[width - 1] == 0) first_[size_++] = width;
}

void Matches::find(const Edges &edges, const cvk_run_pattern &pattern) {
  if (memory_.size() < edges.size()) memory_.resize(edges.size());
  int32_t count = 0;
  cvk_i32_runs_like(memory_.data(), &count, edges.begin(), static_cast<int>(edges.size()), &pattern);
  size_ = static_cast<size_t>(count);
}

bool has_room_for_bars(const Edges &edges) {
  /* Every linear barcode has at least 23 bars and spaces. The widest element of a symbology is 9 modules (DataBar), and
   * the mean is about 2. */
  constexpr size_t runs = 22;
  constexpr int widest = 9, mean = 2;
  for (size_t end = runs; end < edges.size(); ++end) {
    const int limit = (edges[end] - edges[end - runs]) * widest;
    size_t run = end;
    while (run > end - runs && (edges[run] - edges[run - 1]) * static_cast<int>(runs) * mean <= limit) --run;
    if (run == end - runs) return true;
  }
  return false;
}

}  // namespace barcode
