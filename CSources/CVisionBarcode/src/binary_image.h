/* Black and white images and rows, and what their runs of pixels show. */
#ifndef CVISIONBARCODE_BINARY_IMAGE_H
#define CVISIONBARCODE_BINARY_IMAGE_H

#include "CVisionKernels.h"

#include <cstddef>
#include <cstdint>
#include <vector>

namespace barcode {

/* Pixels without gaps between rows: 0 is dark, 255 is light. */
struct BinaryImage {
  int width = 0, height = 0;
  std::vector<uint8_t> pixels;

  const uint8_t *row(int y) const { return pixels.data() + static_cast<size_t>(y) * width; }
};

/* The shortest side of an image that `threshold_locally` takes. */
constexpr int smallest_local_side = 40;

/* Thresholds a grey image by the means of 5 × 5 blocks of 8 × 8 pixels. A block of little contrast counts as light,
 * unless its darkest pixel is below the threshold of the blocks before it. */
void threshold_locally(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes, BinaryImage &image);

/* Thresholds and sharpens a row by the valley of its histogram between dark and light. Returns false for a row without
 * contrast or of fewer than three pixels. */
bool threshold_row(const uint8_t *grey, int width, uint8_t *pixels);

/* How many pixels `threshold_row_between_extremes` writes for one. */
constexpr int extremes_scale = 4;

/* Thresholds a row halfway between each dark extreme and the light extremes beside it, to a quarter of a pixel: edges
 * keep their distances where the blur is as wide as the bars. Returns false for a row without contrast. */
bool threshold_row_between_extremes(const uint8_t *grey, int width, uint8_t *pixels);

/* Where the runs of a row end, in memory that is kept for the next row. */
class Edges {
 public:
  Edges() = default;
  Edges(const Edges &) = delete;
  Edges &operator=(const Edges &) = delete;

  /* Finds the positions at which the pixels of a row change between dark and light. */
  void find(const uint8_t *pixels, int width);

  /* Finds the first pixel of each dark run of a row and the one behind its last: even and odd indices. */
  void find_dark_runs(const uint8_t *pixels, int width);

  void clear() { size_ = 0; }
  size_t size() const { return size_; }
  const int32_t &operator[](size_t index) const { return first_[index]; }
  const int32_t *begin() const { return first_; }
  const int32_t *end() const { return first_ + size_; }

 private:
  std::vector<int32_t> memory_;
  int32_t *first_ = nullptr;
  size_t size_ = 0;
};

/* Where the runs of a row fit a pattern, in memory that is kept for the next row. */
class Matches {
 public:
  /* Finds the indices of the edges at which the pattern begins. */
  void find(const Edges &edges, const cvk_run_pattern &pattern);
  const int32_t *begin() const { return memory_.data(); }
  const int32_t *end() const { return memory_.data() + size_; }

 private:
  std::vector<int32_t> memory_;
  size_t size_ = 0;
};

/* Whether a row has as many runs beside each other, none far longer than their mean, as the shortest linear barcode. */
bool has_room_for_bars(const Edges &edges);

/* A candidate of a finder pattern of a QR code. */
struct FinderPattern {
  int x, y;
  /* The length of its seven modules along the row. */
  int size;
};

/* Finds candidates of finder patterns, which match along a row, a column and both diagonals, up to a limit. The rows
 * are those in which the library looks for them. */
std::vector<FinderPattern> find_finder_patterns(const BinaryImage &image, size_t limit);

/* Whether three of the patterns have sizes and positions of the corners of a QR code. */
bool has_finder_triple(const std::vector<FinderPattern> &patterns);

/* Whether several rows or columns near each other have the start pattern of a PDF417, read in either direction. */
bool has_pdf417_start(const BinaryImage &image);

}  // namespace barcode

#endif
