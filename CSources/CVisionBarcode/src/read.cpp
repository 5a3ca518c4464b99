#include "binary_image.h"
#include "codes.h"

#include <algorithm>

namespace barcode {

namespace {

constexpr uint32_t matrix_formats = CVB_AZTEC | CVB_DATA_MATRIX | CVB_MAXICODE | CVB_PDF417 | CVB_QR | CVB_MICRO_QR;

/* A grey image at a third of its size: means of 3 × 3 pixels. */
std::vector<uint8_t> third(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes) {
  constexpr int side = 3;
  const int columns = width / side, rows = height / side;
  std::vector<uint8_t> small(static_cast<size_t>(columns) * rows);
  std::vector<uint16_t> sums(width);
  for (int y = 0; y < rows; ++y) {
    const uint8_t *const first = grey + side * y * row_bytes;
    for (int x = 0; x < width; ++x)
      sums[x] = static_cast<uint16_t>(first[x] + first[x + row_bytes] + first[x + 2 * row_bytes]);
    for (int x = 0; x < columns; ++x)
      small[static_cast<size_t>(y) * columns + x] = static_cast<uint8_t>(
          (sums[side * x] + sums[side * x + 1] + sums[side * x + 2] + side * side / 2) / (side * side));
  }
  return small;
}

/* Removes the last code where it is an earlier one again: the same bytes at the same position. */
void remove_repeated(cvb_codes &codes) {
  const size_t last = codes.codes.size() - 1;
  const int32_t *const corners = codes.codes[last].corners;
  for (size_t i = 0; i < last; ++i) {
    if (codes.codes[i].format != codes.codes[last].format) continue;
    if (codes.memory[i].bytes != codes.memory[last].bytes) continue;
    bool is_inside = true;
    for (int axis = 0; axis < 2; ++axis) {
      const int32_t *const other = codes.codes[i].corners + axis;
      const auto [low, high] = std::minmax({other[0], other[2], other[4], other[6]});
      const int middle = (corners[axis] + corners[axis + 2] + corners[axis + 4] + corners[axis + 6]) / 4;
      is_inside = is_inside && middle >= low && middle <= high;
    }
    if (!is_inside) continue;
    codes.codes.pop_back();
    codes.memory.pop_back();
    return;
  }
}

struct Window {
  int left, top, width, height;
  int64_t pixels() const { return static_cast<int64_t>(width) * height; }
  Window joined(const Window &other) const {
    const int x = std::min(left, other.left), y = std::min(top, other.top);
    return {x, y, std::max(left + width, other.left + other.width) - x,
            std::max(top + height, other.top + other.height) - y};
  }
};

/* Joins windows of which one around both has no more pixels than both: they overlap. */
void join(std::vector<Window> &windows) {
  for (size_t i = 0; i < windows.size(); ++i) {
    for (size_t other = i + 1; other < windows.size();) {
      const Window both = windows[i].joined(windows[other]);
      if (both.pixels() > windows[i].pixels() + windows[other].pixels()) {
        ++other;
        continue;
      }
      windows[i] = both;
      windows.erase(windows.begin() + static_cast<ptrdiff_t>(other));
      /* It may overlap those that it did not before. */
      other = i + 1;
    }
  }
}

/* Reads 2-D barcodes in black and white. QR codes are looked for only where there are finder patterns, PDF417 only
 * where there are start patterns. */
void read_binary(const BinaryImage &image, const cvb_options &options, int growth, cvb_codes &codes) {
  cvb_options rest = options;
  rest.threshold = CVB_THRESHOLD_FIXED;
  rest.try_downscale = false;
  const auto read = [&](const uint8_t *pixels, int width, int height, int left, int top) {
    ZXing::ImageView view(pixels, width, height, ZXing::ImageFormat::Lum, image.width, 1);
    for (const auto &result : ZXing::ReadBarcodes(view, reader_options(rest))) {
      if (!append(result, codes)) continue;
      int32_t *const corners = codes.codes.back().corners;
      for (int corner = 0; corner < 4; ++corner) {
        corners[2 * corner] = growth * (corners[2 * corner] + left);
        corners[2 * corner + 1] = growth * (corners[2 * corner + 1] + top);
      }
      if (growth > 1) remove_repeated(codes);
    }
  };
  constexpr uint32_t qr_formats = CVB_QR | CVB_MICRO_QR;
  if (rest.formats & qr_formats) {
    constexpr size_t least = 3;
    const size_t most = options.most_finder_patterns;
    const auto patterns = find_finder_patterns(image, most ? std::max(most, least) : least);
    const auto window = [&](const FinderPattern &pattern) {
      /* A Micro QR code has one pattern, and at most 17 modules. */
      const int reach = 4 * pattern.size + 8;
      const int left = std::max(0, pattern.x - reach), top = std::max(0, pattern.y - reach);
      return Window{left, top, std::min(image.width, pattern.x + reach) - left,
                    std::min(image.height, pattern.y + reach) - top};
    };
    std::vector<Window> windows;
    for (const auto &pattern : patterns) windows.push_back(window(pattern));
    int64_t pixels = 0;
    for (const Window &part : windows) pixels += part.pixels();
    if (most && patterns.size() >= std::max(most, least)) {
      /* Texture that is like them. */
      rest.formats &= ~qr_formats;
    } else if (patterns.size() < least || (most && pixels < static_cast<int64_t>(image.width) * image.height &&
                                           !has_finder_triple(patterns))) {
      /* No QR code: only the surroundings of the patterns are read. */
      rest.formats &= CVB_MICRO_QR;
      if (rest.formats != 0) join(windows);
      for (const Window &part : windows) {
        if (rest.formats == 0) break;
        read(image.row(part.top) + part.left, part.width, part.height, part.left, part.top);
      }
      rest.formats = options.formats & ~qr_formats;
    }
  }
  if ((rest.formats & CVB_PDF417) && !has_pdf417_start(image))
    rest.formats &= ~static_cast<uint32_t>(CVB_PDF417);
  if (rest.formats != 0) read(image.pixels.data(), image.width, image.height, 0, 0);
}

}  // namespace

}  // namespace barcode

extern "C" cvb_status cvb_read(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes,
                               const cvb_options *options, cvb_codes **codes) {
  *codes = nullptr;
  if (!barcode::is_readable(grey, width, height, row_bytes)) return CVB_INVALID_ARGUMENT;
  return barcode::guarded(codes, [&](cvb_codes &found) {
    /* No format at all means every format to the library. */
    if (options->formats == 0) return;
    const bool is_small = std::min(width, height) < barcode::smallest_local_side;
    if (options->threshold != CVB_THRESHOLD_LOCAL || is_small || (options->formats & ~barcode::matrix_formats)) {
      if (options->threshold == CVB_THRESHOLD_LOCAL && !(options->formats & barcode::matrix_formats) &&
          !options->try_downscale) {
        barcode::read_rows_together(grey, width, height, row_bytes, false, *options, found);
        if (options->try_rotate && (options->most_codes == 0 || found.codes.size() < options->most_codes))
          barcode::read_rows_together(grey, width, height, row_bytes, true, *options, found);
        return;
      }
      ZXing::ImageView view(grey, width, height, ZXing::ImageFormat::Lum, static_cast<int>(row_bytes), 1);
      for (const auto &result : ZXing::ReadBarcodes(view, barcode::reader_options(*options)))
        barcode::append(result, found);
      return;
    }
    barcode::BinaryImage image;
    barcode::threshold_locally(grey, width, height, row_bytes, image);
    barcode::read_binary(image, *options, 1, found);
    /* As the library does: smaller copies, down to this side. */
    constexpr int small_side = 500;
    std::vector<uint8_t> copy;
    int columns = width, rows = height;
    ptrdiff_t stride = row_bytes;
    while (options->try_downscale && std::min(columns, rows) > small_side &&
           (options->most_codes == 0 || found.codes.size() < options->most_codes)) {
      copy = barcode::third(copy.empty() ? grey : copy.data(), columns, rows, stride);
      stride = columns /= 3, rows /= 3;
      barcode::threshold_locally(copy.data(), columns, rows, stride, image);
      barcode::read_binary(image, *options, width / columns, found);
    }
  });
}
