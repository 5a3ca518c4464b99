/* What the readers share: the object that the caller gets, and the options in the library's terms. */
#ifndef CVISIONBARCODE_CODES_H
#define CVISIONBARCODE_CODES_H

#include "CVisionBarcode.h"
#include "library.h"

#include <cstring>
#include <memory>
#include <new>
#include <string>
#include <vector>

namespace barcode {

/* What a cvb_code points to. */
struct Memory {
  std::string text;
  std::vector<uint8_t> bytes, codewords;
};

}  // namespace barcode

struct cvb_codes {
  std::vector<barcode::Memory> memory;
  std::vector<cvb_code> codes;
};

namespace barcode {

cvb_content content_of(ZXing::ContentType type);

/* As much of a text as fits, ended by 0. */
template <size_t size>
void copy_text(char (&target)[size], const std::string &text) {
  const size_t count = text.size() < size - 1 ? text.size() : size - 1;
  std::memcpy(target, text.data(), count);
  target[count] = 0;
}

/* Adds a result of the library; false where it is no code. */
bool append(const ZXing::Result &result, cvb_codes &codes);

/* Adds a linear barcode that is read here. */
void append(cvb_format format, const std::string &text, const char *identifier, cvb_content content,
            const int32_t (&corners)[8], int rows, cvb_codes &codes);

/* Called once all strings have their final address. */
void point(cvb_codes &codes);

ReaderOptions reader_options(const cvb_options &options);

bool is_readable(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes);

/* Reads DataBar along the rows of an image, or along its columns. The library puts the rows of its stacked codes
 * together. */
void read_rows_together(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes, bool along_columns,
                        const cvb_options &options, cvb_codes &codes);

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

}  // namespace barcode

#endif
