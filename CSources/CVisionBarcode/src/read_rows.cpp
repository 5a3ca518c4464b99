#include "binary_image.h"
#include "codes.h"
#include "databar_expanded.h"
#include "short_itf.h"

#include <algorithm>

namespace barcode {

namespace {

/* Thresholds a row; false where it has no room for a linear barcode. */
class RowThreshold {
 public:
  RowThreshold(int width, cvb_threshold threshold)
      : scale(threshold == CVB_THRESHOLD_EXTREMES ? extremes_scale : 1),
        pixels(static_cast<size_t>(scale) * width),
        width_(width),
        threshold_(threshold) {}

  bool operator()(const uint8_t *line) {
    edges.clear();
    if (threshold_ == CVB_THRESHOLD_FIXED) {
      for (int x = 0; x < width_; ++x) pixels[x] = line[x] <= 127 ? 0 : 255;
    } else if (threshold_ == CVB_THRESHOLD_EXTREMES) {
      if (!threshold_row_between_extremes(line, width_, pixels.data())) return false;
    } else if (!threshold_row(line, width_, pixels.data())) {
      return false;
    }
    edges.find(pixels.data(), width());
    return has_room_for_bars(edges);
  }

  /* Takes a row that was thresholded before. */
  void restore(const uint8_t *thresholded) {
    std::copy(thresholded, thresholded + pixels.size(), pixels.begin());
    edges.find(pixels.data(), width());
  }

  int width() const { return static_cast<int>(pixels.size()); }
  bool starts_dark() const { return pixels[0] == 0; }

  /* The pixels of the thresholded row for one of the image. */
  const int scale;
  std::vector<uint8_t> pixels;
  Edges edges;

 private:
  int width_;
  cvb_threshold threshold_;
};

/* What the library reads of a row. */
uint32_t formats_of_library(uint32_t formats) { return formats & ~static_cast<uint32_t>(CVB_DATABAR_EXPANDED); }

/* Reads what is not the library's to read along a row. */
void read_row_here(const RowThreshold &row, int number, uint32_t formats, cvb_codes &codes) {
  if (formats & CVB_DATABAR_EXPANDED)
    for (const auto &code :
         ExpandedReader::codes_in_row(row.edges, row.width(), row.starts_dark(), number))
      append(CVB_DATABAR_EXPANDED, code.text, "]e0", CVB_CONTENT_GS1, code.corners, 1, codes);
  if (formats & CVB_ITF) {
    int32_t ends[2];
    const std::string digits = read_short_itf(row.edges, row.starts_dark(), ends);
    if (!digits.empty())
      append(CVB_ITF, digits, "]I0", CVB_CONTENT_TEXT,
             {ends[0], number, ends[1], number, ends[1], number, ends[0], number}, 1, codes);
  }
}

/* The pixels of an image, or of its transpose. */
struct Rows {
  const uint8_t *grey;
  int width, height;
  ptrdiff_t row_bytes, pixel_bytes;
};

/* Reads linear barcodes along rows that have room for one, of those rows that the library would read. The library puts
 * the rows of stacked codes together. */
void read_together(const Rows &rows, bool is_transposed, const cvb_options &options, cvb_codes &codes) {
  constexpr int most_rows = 256;
  const int step = std::max(1, rows.height / most_rows);
  std::vector<uint8_t> line(rows.width), pixels;
  std::vector<int> numbers;
  ExpandedReader expanded;
  RowThreshold threshold(rows.width, options.threshold);
  constexpr uint32_t databars = CVB_DATABAR | CVB_DATABAR_EXPANDED;
  const bool is_databar_only = (options.formats & ~databars) == 0;
  for (int row = rows.height / 2 % step; row < rows.height; row += step) {
    const uint8_t *const first = rows.grey + row * rows.row_bytes;
    for (int x = 0; x < rows.width; ++x) line[x] = first[x * rows.pixel_bytes];
    /* DataBar is read row by row, from its finder patterns. */
    if (threshold(line.data()) && (!is_databar_only || has_databar_finder(threshold.edges))) {
      pixels.insert(pixels.end(), threshold.pixels.begin(), threshold.pixels.end());
      numbers.push_back(row);
    }
    /* The last row of a stacked code may be shorter than any code. */
    if (options.formats & CVB_DATABAR_EXPANDED)
      expanded.add_row(threshold.edges, rows.width, threshold.starts_dark(), row);
  }
  if (const auto code = expanded.code(); code && code->rows >= options.minimum_lines) {
    int32_t corners[8];
    for (int i = 0; i < 8; ++i) corners[i] = code->corners[is_transposed ? i ^ 1 : i];
    append(CVB_DATABAR_EXPANDED, code->text, "]e0", CVB_CONTENT_GS1, corners, code->rows, codes);
  }
  auto row_options = options;
  row_options.threshold = CVB_THRESHOLD_FIXED;
  row_options.formats = formats_of_library(options.formats);
  const bool is_full = options.most_codes && codes.codes.size() >= options.most_codes;
  if (numbers.empty() || row_options.formats == 0 || is_full) return;
  auto row_reader = reader_options(row_options);
  row_reader.setTryRotate(false).setTryDownscale(false);
  const int count = static_cast<int>(numbers.size());
  ZXing::ImageView view(pixels.data(), rows.width, count, ZXing::ImageFormat::Lum);
  for (const auto &result : ZXing::ReadBarcodes(view, row_reader)) {
    if (!append(result, codes)) continue;
    int32_t *const corners = codes.codes.back().corners;
    for (int corner = 0; corner < 4; ++corner) {
      int32_t &x = corners[2 * corner], &y = corners[2 * corner + 1];
      y = numbers[std::clamp(y, 0, count - 1)];
      if (is_transposed) std::swap(x, y);
    }
  }
}

}  // namespace

void read_rows_together(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes, bool along_columns,
                        const cvb_options &options, cvb_codes &codes) {
  if (along_columns)
    read_together({grey, height, width, 1, row_bytes}, true, options, codes);
  else
    read_together({grey, width, height, row_bytes, 1}, false, options, codes);
}

}  // namespace barcode

extern "C" cvb_status cvb_read_lines(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes,
                                     const cvb_options *options, cvb_codes **codes) {
  *codes = nullptr;
  if (!barcode::is_readable(grey, width, height, row_bytes)) return CVB_INVALID_ARGUMENT;
  return barcode::guarded(codes, [&](cvb_codes &found) {
    if (options->formats == 0) return;
    auto row_options = *options;
    row_options.threshold = CVB_THRESHOLD_FIXED;
    row_options.formats = barcode::formats_of_library(options->formats);
    auto row_reader = barcode::reader_options(row_options);
    row_reader.setMinLineCount(1).setTryRotate(false).setTryDownscale(false);
    barcode::RowThreshold threshold(width, options->threshold);
    std::vector<int> rows;
    std::vector<uint8_t> thresholded;
    for (int row = 0; row < height; ++row) {
      if (!threshold(grey + row * row_bytes)) continue;
      rows.push_back(row);
      thresholded.insert(thresholded.end(), threshold.pixels.begin(), threshold.pixels.end());
    }
    const auto read = [&](size_t index) {
      threshold.restore(thresholded.data() + index * threshold.pixels.size());
      const size_t first = found.codes.size();
      barcode::read_row_here(threshold, rows[index], options->formats, found);
      /* No format at all means every format to the library. */
      if (row_options.formats != 0) {
        ZXing::ImageView view(threshold.pixels.data(), threshold.width(), 1, ZXing::ImageFormat::Lum);
        for (const auto &result : ZXing::ReadBarcodes(view, row_reader)) barcode::append(result, found);
      }
      for (size_t code = first; code < found.codes.size(); ++code)
        for (int corner = 0; corner < 4; ++corner) {
          found.codes[code].corners[2 * corner] /= threshold.scale;
          found.codes[code].corners[2 * corner + 1] = rows[index];
        }
    };
    /* Where noise or fine texture leaves many rows, half of them have to show a code; where it leaves nearly all of a
     * large image, a quarter. */
    constexpr size_t many_rows = 64, many_pixels = 50000, busy_pixels = 200000;
    const size_t pixels = rows.size() * static_cast<size_t>(width);
    const size_t part = pixels > busy_pixels ? 4 : rows.size() >= many_rows && pixels > many_pixels ? 2 : 1;
    if (part > 1) {
      for (size_t index = part / 2; index < rows.size(); index += part) read(index);
      if (found.codes.empty()) return;
      found = {};
    }
    for (size_t index = 0; index < rows.size(); ++index) read(index);
  });
}
