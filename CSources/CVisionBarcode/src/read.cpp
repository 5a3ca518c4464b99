/* The texts of results in UTF-8: the header asks for the choice. */
#define ZX_USE_UTF8

#include "CVisionBarcode.h"
#include "binary_image.h"

#include <ZXing/ReadBarcode.h>

#include <algorithm>
#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace {

using ZXing::BarcodeFormat;

/* The library's values are an implementation detail of it, so they are named one by one. */
struct FormatPair {
  cvb_format ours;
  BarcodeFormat theirs;
};

constexpr FormatPair formats[] = {
    {CVB_AZTEC, BarcodeFormat::Aztec},
    {CVB_CODABAR, BarcodeFormat::Codabar},
    {CVB_CODE39, BarcodeFormat::Code39},
    {CVB_CODE93, BarcodeFormat::Code93},
    {CVB_CODE128, BarcodeFormat::Code128},
    {CVB_DATABAR, BarcodeFormat::DataBar},
    {CVB_DATABAR_EXPANDED, BarcodeFormat::DataBarExpanded},
    {CVB_DATA_MATRIX, BarcodeFormat::DataMatrix},
    {CVB_EAN8, BarcodeFormat::EAN8},
    {CVB_EAN13, BarcodeFormat::EAN13},
    {CVB_ITF, BarcodeFormat::ITF},
    {CVB_MAXICODE, BarcodeFormat::MaxiCode},
    {CVB_PDF417, BarcodeFormat::PDF417},
    {CVB_QR, BarcodeFormat::QRCode},
    {CVB_UPCA, BarcodeFormat::UPCA},
    {CVB_UPCE, BarcodeFormat::UPCE},
    {CVB_MICRO_QR, BarcodeFormat::MicroQRCode},
};

cvb_content content(ZXing::ContentType type) {
  switch (type) {
    case ZXing::ContentType::Text: return CVB_CONTENT_TEXT;
    case ZXing::ContentType::Binary: return CVB_CONTENT_BINARY;
    case ZXing::ContentType::Mixed: return CVB_CONTENT_MIXED;
    case ZXing::ContentType::GS1: return CVB_CONTENT_GS1;
    case ZXing::ContentType::ISO15434: return CVB_CONTENT_ISO15434;
    case ZXing::ContentType::UnknownECI: break;
  }
  return CVB_CONTENT_UNKNOWN_ECI;
}

template <size_t size>
void copy(char (&target)[size], const std::string &text) {
  size_t count = text.size() < size - 1 ? text.size() : size - 1;
  std::memcpy(target, text.data(), count);
  target[count] = 0;
}

/* What a cvb_code points to. */
struct Memory {
  std::string text;
  std::vector<uint8_t> bytes, codewords;
};

}  // namespace

struct cvb_codes {
  std::vector<Memory> memory;
  std::vector<cvb_code> codes;
};

namespace {

bool append(const ZXing::Result &result, cvb_codes &codes) {
  if (!result.isValid()) return false;
  cvb_code code{};
  bool known = false;
  for (const auto &pair : formats) {
    if (pair.theirs != result.format()) continue;
    code.format = pair.ours;
    known = true;
  }
  if (!known) return false;
  Memory memory;
  memory.text = result.text();
  memory.bytes.assign(result.bytes().begin(), result.bytes().end());
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations" /* nothing else gives the codewords */
  memory.codewords.assign(result.rawBytes().begin(), result.rawBytes().end());
  code.bit_count = result.numBits();
#pragma clang diagnostic pop
  for (size_t corner = 0; corner < 4; ++corner) {
    code.corners[2 * corner] = result.position()[corner].x;
    code.corners[2 * corner + 1] = result.position()[corner].y;
  }
  copy(code.error_correction, result.ecLevel());
  copy(code.identifier, result.symbologyIdentifier());
  code.content = content(result.contentType());
  code.is_mirrored = result.isMirrored();
  code.is_reader_initialisation = result.readerInit();
  code.line_count = result.lineCount();
  code.sequence_index = result.sequenceIndex();
  code.sequence_size = result.sequenceSize();
  codes.memory.push_back(std::move(memory));
  codes.codes.push_back(code);
  return true;
}

/* Called once all strings have their final address. */
void point(cvb_codes &codes) {
  static const uint8_t none = 0;
  for (size_t i = 0; i < codes.codes.size(); ++i) {
    const Memory &memory = codes.memory[i];
    cvb_code &code = codes.codes[i];
    code.text = memory.text.c_str();
    code.text_length = memory.text.size();
    code.bytes = memory.bytes.empty() ? &none : memory.bytes.data();
    code.byte_count = memory.bytes.size();
    code.codewords = memory.codewords.empty() ? &none : memory.codewords.data();
    code.codeword_count = memory.codewords.size();
  }
}

ZXing::DecodeHints hints(const cvb_options &options) {
  ZXing::BarcodeFormats wanted;
  for (const auto &pair : formats)
    if (options.formats & pair.ours) wanted |= pair.theirs;
  ZXing::DecodeHints hints;
  hints.setFormats(wanted)
      .setBinarizer(options.threshold == CVB_THRESHOLD_HISTOGRAM ? ZXing::Binarizer::GlobalHistogram
                    : options.threshold == CVB_THRESHOLD_FIXED   ? ZXing::Binarizer::FixedThreshold
                                                                 : ZXing::Binarizer::LocalAverage)
      .setTryHarder(options.try_harder)
      .setTryRotate(options.try_rotate)
      .setTryDownscale(options.try_downscale)
      .setEanAddOnSymbol(options.add_ons ? ZXing::EanAddOnSymbol::Read : ZXing::EanAddOnSymbol::Ignore)
      .setMinLineCount(options.minimum_lines < 1 ? 1 : options.minimum_lines)
      .setMaxNumberOfSymbols(options.most_codes < 1 ? 0xff : options.most_codes)
      .setReturnCodabarStartEnd(true);
  return hints;
}

/* Runs `read`, which fills the object that the caller gets, and lets no exception out. */
template <typename Read>
cvb_status guarded(cvb_codes **codes, Read read) {
  *codes = nullptr;
  try {
    auto found = std::make_unique<cvb_codes>();
    read(*found);
    point(*found);
    *codes = found.release();
    return CVB_OK;
  } catch (const std::bad_alloc &) {
    return CVB_NO_MEMORY;
  } catch (...) {
    return CVB_FAILED;
  }
}

/* The library counts in 16 and 32 bits. */
bool is_readable(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes) {
  return grey && width >= 1 && height >= 1 && width <= CVB_LARGEST_SIDE && height <= CVB_LARGEST_SIDE &&
         row_bytes >= width && row_bytes <= INT32_MAX / height;
}

}  // namespace

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

/* Thresholds a row; false where it has no room for a linear barcode. */
class RowThreshold {
 public:
  RowThreshold(int width, cvb_threshold threshold) : pixels(width), is_fixed_(threshold == CVB_THRESHOLD_FIXED) {}

  bool operator()(const uint8_t *line) {
    const int width = static_cast<int>(pixels.size());
    if (is_fixed_)
      for (int x = 0; x < width; ++x) pixels[x] = line[x] <= 127 ? 0 : 255;
    else if (!barcode::threshold_row(line, width, pixels.data()))
      return false;
    barcode::find_edges(pixels.data(), width, edges_);
    return barcode::has_room_for_bars(edges_);
  }

  std::vector<uint8_t> pixels;

 private:
  bool is_fixed_;
  std::vector<int> edges_;
};

/* The pixels of an image, or of its transpose. */
struct Rows {
  const uint8_t *grey;
  int width, height;
  ptrdiff_t row_bytes, pixel_bytes;
};

/* Reads linear barcodes along rows that have room for one, of those rows that the library would read. The library puts
 * the rows of stacked codes together. */
void read_rows_together(const Rows &rows, bool is_transposed, const cvb_options &options, cvb_codes &codes) {
  constexpr int most_rows = 256;
  const int step = std::max(1, rows.height / most_rows);
  std::vector<uint8_t> line(rows.width), pixels;
  std::vector<int> numbers;
  RowThreshold threshold(rows.width, options.threshold);
  for (int row = rows.height / 2 % step; row < rows.height; row += step) {
    const uint8_t *const first = rows.grey + row * rows.row_bytes;
    for (int x = 0; x < rows.width; ++x) line[x] = first[x * rows.pixel_bytes];
    if (!threshold(line.data())) continue;
    pixels.insert(pixels.end(), threshold.pixels.begin(), threshold.pixels.end());
    numbers.push_back(row);
  }
  if (numbers.empty()) return;
  auto row_options = options;
  row_options.threshold = CVB_THRESHOLD_FIXED;
  auto row_hints = hints(row_options);
  row_hints.setTryRotate(false).setTryDownscale(false);
  const int count = static_cast<int>(numbers.size());
  ZXing::ImageView view(pixels.data(), rows.width, count, ZXing::ImageFormat::Lum);
  for (const auto &result : ZXing::ReadBarcodes(view, row_hints)) {
    if (!append(result, codes)) continue;
    int32_t *const corners = codes.codes.back().corners;
    for (int corner = 0; corner < 4; ++corner) {
      int32_t &x = corners[2 * corner], &y = corners[2 * corner + 1];
      y = numbers[std::clamp(y, 0, count - 1)];
      if (is_transposed) std::swap(x, y);
    }
  }
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

/* Reads 2-D barcodes in black and white. QR codes are looked for only where there are finder patterns, PDF417 only
 * where there are start patterns. */
void read_binary(const barcode::BinaryImage &image, const cvb_options &options, int growth, cvb_codes &codes) {
  cvb_options rest = options;
  rest.threshold = CVB_THRESHOLD_FIXED;
  rest.try_downscale = false;
  const auto read = [&](const uint8_t *pixels, int width, int height, int left, int top) {
    ZXing::ImageView view(pixels, width, height, ZXing::ImageFormat::Lum, image.width, 1);
    for (const auto &result : ZXing::ReadBarcodes(view, hints(rest))) {
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
    const auto patterns = barcode::find_finder_patterns(image, most ? std::max(most, least) : least);
    if (patterns.size() < least) {
      /* Too few for a QR code: a Micro QR code has one, and at most 17 modules. */
      rest.formats &= CVB_MICRO_QR;
      for (const auto &pattern : patterns) {
        if (rest.formats == 0) break;
        const int reach = 4 * pattern.size + 8;
        const int left = std::max(0, pattern.x - reach), top = std::max(0, pattern.y - reach);
        const int right = std::min(image.width, pattern.x + reach), bottom = std::min(image.height, pattern.y + reach);
        read(image.row(top) + left, right - left, bottom - top, left, top);
      }
      rest.formats = options.formats & ~qr_formats;
    } else if (most && patterns.size() >= most) {
      rest.formats &= ~static_cast<uint32_t>(CVB_QR);
    }
  }
  if ((rest.formats & CVB_PDF417) && !barcode::has_pdf417_start(image))
    rest.formats &= ~static_cast<uint32_t>(CVB_PDF417);
  if (rest.formats != 0) read(image.pixels.data(), image.width, image.height, 0, 0);
}

}  // namespace

extern "C" cvb_status cvb_read(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes,
                               const cvb_options *options, cvb_codes **codes) {
  *codes = nullptr;
  if (!is_readable(grey, width, height, row_bytes)) return CVB_INVALID_ARGUMENT;
  return guarded(codes, [&](cvb_codes &found) {
    /* No format at all means every format to the library. */
    if (options->formats == 0) return;
    const bool is_small = std::min(width, height) < barcode::smallest_local_side;
    if (options->threshold != CVB_THRESHOLD_LOCAL || is_small || (options->formats & ~matrix_formats)) {
      if (options->threshold == CVB_THRESHOLD_LOCAL && !(options->formats & matrix_formats) &&
          !options->try_downscale) {
        read_rows_together({grey, width, height, row_bytes, 1}, false, *options, found);
        if (options->try_rotate && (options->most_codes == 0 || found.codes.size() < options->most_codes))
          read_rows_together({grey, height, width, 1, row_bytes}, true, *options, found);
        return;
      }
      ZXing::ImageView view(grey, width, height, ZXing::ImageFormat::Lum, static_cast<int>(row_bytes), 1);
      for (const auto &result : ZXing::ReadBarcodes(view, hints(*options))) append(result, found);
      return;
    }
    barcode::BinaryImage image;
    barcode::threshold_locally(grey, width, height, row_bytes, image);
    read_binary(image, *options, 1, found);
    /* As the library does: smaller copies, down to this side. */
    constexpr int small_side = 500;
    std::vector<uint8_t> copy;
    int columns = width, rows = height;
    ptrdiff_t stride = row_bytes;
    while (options->try_downscale && std::min(columns, rows) > small_side &&
           (options->most_codes == 0 || found.codes.size() < options->most_codes)) {
      copy = third(copy.empty() ? grey : copy.data(), columns, rows, stride);
      stride = columns /= 3, rows /= 3;
      barcode::threshold_locally(copy.data(), columns, rows, stride, image);
      read_binary(image, *options, width / columns, found);
    }
  });
}

extern "C" cvb_status cvb_read_lines(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes,
                                     const cvb_options *options, cvb_codes **codes) {
  *codes = nullptr;
  if (!is_readable(grey, width, height, row_bytes)) return CVB_INVALID_ARGUMENT;
  return guarded(codes, [&](cvb_codes &found) {
    if (options->formats == 0) return;
    auto row_options = *options;
    row_options.threshold = CVB_THRESHOLD_FIXED;
    auto row_hints = hints(row_options);
    row_hints.setMinLineCount(1).setTryRotate(false).setTryDownscale(false);
    RowThreshold threshold(width, options->threshold);
    std::vector<int> rows;
    for (int row = 0; row < height; ++row)
      if (threshold(grey + row * row_bytes)) rows.push_back(row);
    const auto read = [&](size_t index) {
      threshold(grey + rows[index] * row_bytes);
      ZXing::ImageView view(threshold.pixels.data(), width, 1, ZXing::ImageFormat::Lum);
      for (const auto &result : ZXing::ReadBarcodes(view, row_hints))
        if (append(result, found))
          for (int corner = 0; corner < 4; ++corner) found.codes.back().corners[2 * corner + 1] = rows[index];
    };
    /* Where noise or fine texture leaves nearly all of a large image, a quarter of its rows has to show a code. */
    constexpr size_t busy_pixels = 200000, part = 4;
    if (rows.size() * static_cast<size_t>(width) > busy_pixels) {
      for (size_t index = part / 2; index < rows.size(); index += part) read(index);
      if (found.codes.empty()) return;
      found = {};
    }
    for (size_t index = 0; index < rows.size(); ++index) read(index);
  });
}

extern "C" size_t cvb_codes_count(const cvb_codes *codes) { return codes->codes.size(); }

extern "C" const cvb_code *cvb_codes_at(const cvb_codes *codes, size_t index) {
  return index < codes->codes.size() ? &codes->codes[index] : nullptr;
}

extern "C" void cvb_codes_free(cvb_codes *codes) { delete codes; }
