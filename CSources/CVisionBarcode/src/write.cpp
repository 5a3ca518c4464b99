/* The texts of the library's types in UTF-8: the header asks for the choice. */
#define ZX_USE_UTF8

#include "CVisionBarcode.h"

#include <ZXing/BarcodeFormat.h>
#include <ZXing/BitMatrix.h>
#include <ZXing/CharacterSet.h>
#include <ZXing/MultiFormatWriter.h>

extern "C" size_t cvb_write(const char *format, const char *text, bool is_latin, int level, int margin,
                            uint8_t *modules, size_t capacity, int *width, int *height) {
  try {
    ZXing::MultiFormatWriter writer(ZXing::BarcodeFormatFromString(format));
    writer.setMargin(margin);
    writer.setEncoding(is_latin ? ZXing::CharacterSet::ISO8859_1 : ZXing::CharacterSet::UTF8);
    if (level >= 0) writer.setEccLevel(level);
    const auto matrix = writer.encode(std::string(text), 0, 0);
    *width = matrix.width();
    *height = matrix.height();
    size_t count = static_cast<size_t>(matrix.width()) * static_cast<size_t>(matrix.height());
    if (count > capacity) return count;
    for (int y = 0; y < matrix.height(); ++y)
      for (int x = 0; x < matrix.width(); ++x) *modules++ = matrix.get(x, y) ? 0 : 255;
    return count;
  } catch (...) {
    return 0;
  }
}
