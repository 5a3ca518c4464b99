#include "CVisionBarcode.h"

#include <algorithm>
#include <cstdlib>
#include <new>
#include <vector>

namespace {

/* An image beside the mean of its neighbourhood: 3 × 3 blocks. */
class Field {
 public:
  Field(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes)
      : grey_(grey), width_(width), height_(height), row_bytes_(row_bytes), columns_((width + block - 1) / block),
        rows_((height + block - 1) / block) {
    std::vector<int> sums(static_cast<size_t>(columns_) * rows_), counts(sums.size());
    for (int y = 0; y < height; y += 3)
      for (int x = y % 2; x < width; x += 2) {
        const size_t at = static_cast<size_t>(y / block) * columns_ + x / block;
        sums[at] += grey[y * row_bytes + x];
        ++counts[at];
      }
    means_.resize(sums.size());
    for (int y = 0; y < rows_; ++y)
      for (int x = 0; x < columns_; ++x) {
        int sum = 0, count = 0;
        for (int v = std::max(0, y - 1); v <= std::min(rows_ - 1, y + 1); ++v)
          for (int u = std::max(0, x - 1); u <= std::min(columns_ - 1, x + 1); ++u) {
            sum += sums[static_cast<size_t>(v) * columns_ + u];
            count += counts[static_cast<size_t>(v) * columns_ + u];
          }
        means_[static_cast<size_t>(y) * columns_ + x] = static_cast<uint8_t>(count ? sum / count : 0);
      }
  }

  bool is_dark(int x, int y) const {
    return grey_[y * row_bytes_ + x] <= means_[static_cast<size_t>(y / block) * columns_ + x / block];
  }

  /* How far the run through a pixel reaches along its column, and the runs above and below it. */
  bool crosses_column(int x, int y, int size) const {
    int ends[2][3];
    for (int side = 0; side < 2; ++side) {
      const int step = side ? 1 : -1;
      bool dark = is_dark(x, y);
      int row = y;
      for (int run = 0; run < 3; ++run) {
        while (row >= 0 && row < height_ && is_dark(x, row) == dark) {
          row += step;
          if (std::abs(row - y) > 3 * size) return false;
        }
        ends[side][run] = std::abs(row - y);
        dark = !dark;
        if ((row < 0 || row >= height_) && run < 2) return false;
      }
    }
    const int runs[5] = {ends[0][2] - ends[0][1], ends[0][1] - ends[0][0], ends[0][0] + ends[1][0] - 1,
                         ends[1][1] - ends[1][0], ends[1][2] - ends[1][1]};
    return is_finder(runs);
  }

  /* Lengths of about 1, 1, 3, 1 and 1. */
  static bool is_finder(const int *runs) {
    const int sum = runs[0] + runs[1] + runs[2] + runs[3] + runs[4];
    if (sum < 7) return false;
    for (int run = 0; run < 5; ++run) {
      const int wanted = run == 2 ? 3 : 1;
      /* In sevenths of a pixel: half a module and half a pixel, the middle one module. */
      if (std::abs(7 * runs[run] - wanted * sum) > (run == 2 ? sum : sum / 2) + 4) return false;
    }
    return true;
  }

 private:
  static constexpr int block = 16;
  const uint8_t *grey_;
  int width_, height_;
  ptrdiff_t row_bytes_;
  int columns_, rows_;
  std::vector<uint8_t> means_;
};

constexpr int bin = 8;

}  // namespace

extern "C" cvb_status cvb_count_finder_patterns(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes,
                                                int limit, int *count) {
  *count = 0;
  if (!grey || width < 1 || height < 1 || width > CVB_LARGEST_SIDE || height > CVB_LARGEST_SIDE ||
      row_bytes < width)
    return CVB_INVALID_ARGUMENT;
  try {
    const Field field(grey, width, height, row_bytes);
    std::vector<int> edges;
    /* The last row in which something was counted there: a pattern is crossed by several rows. */
    std::vector<int> last_rows(static_cast<size_t>(width) / bin + 3, -(1 << 20));
    /* The rows that the library looks at. */
    const int step = std::max(3, height * 3 / (4 * 97));
    for (int y = step - 1; y < height; y += step) {
      edges.clear();
      bool dark = field.is_dark(0, y);
      for (int x = 1; x < width; ++x)
        if (field.is_dark(x, y) != dark) {
          dark = !dark;
          edges.push_back(x);
        }
      for (size_t first = 0; first + 5 < edges.size(); ++first) {
        int runs[5];
        for (int run = 0; run < 5; ++run) runs[run] = edges[first + run + 1] - edges[first + run];
        if (!Field::is_finder(runs)) continue;
        const int middle = (edges[first + 2] + edges[first + 3]) / 2, size = edges[first + 5] - edges[first];
        if (!field.is_dark(middle, y) || !field.crosses_column(middle, y, size)) continue;
        int *last = &last_rows[static_cast<size_t>(middle) / bin];
        const bool is_new = y - std::max({last[0], last[1], last[2]}) > std::max(size / 2, step);
        last[1] = y;
        if (is_new && ++*count >= limit) return CVB_OK;
      }
    }
    return CVB_OK;
  } catch (const std::bad_alloc &) {
    return CVB_NO_MEMORY;
  } catch (...) {
    return CVB_FAILED;
  }
}
