/* What differs between the versions of ZXing-C++ that the sources build with: 1.4 (Debian 12) and 2.3 (Debian 13). */
#ifndef CVISIONBARCODE_LIBRARY_H
#define CVISIONBARCODE_LIBRARY_H

/* The texts of results in UTF-8: the header asks for the choice. */
#define ZX_USE_UTF8

#include <ZXing/Content.h>
#include <ZXing/ReadBarcode.h>

#include <cstdint>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

namespace barcode {

#if __has_include(<ZXing/ReaderOptions.h>)
using ReaderOptions = ZXing::ReaderOptions;
#else
using ReaderOptions = ZXing::DecodeHints;
#endif

#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wdeprecated-declarations" /* nothing else gives the codewords */

template <typename Result, typename = void>
struct Codewords : std::false_type {
  static std::vector<uint8_t> of(const Result &, int32_t &) { return {}; }
};

template <typename Result>
struct Codewords<Result, std::void_t<decltype(std::declval<Result>().rawBytes())>> : std::true_type {
  static std::vector<uint8_t> of(const Result &result, int32_t &bit_count) {
    bit_count = result.numBits();
    return {result.rawBytes().begin(), result.rawBytes().end()};
  }
};

/* Whether results have their codewords; since 2.3 they do not. */
constexpr bool gives_codewords = Codewords<ZXing::Result>::value;

/* The codewords of a 2-D barcode after error correction and the number of their bits, where they are known. */
inline std::vector<uint8_t> codewords_of(const ZXing::Result &result, int32_t &bit_count) {
  return Codewords<ZXing::Result>::of(result, bit_count);
}

/* Sets what the versions have other defaults of. */
inline void set_as_in_first_version(ReaderOptions &options) {
  /* Later versions always give the start and stop characters. */
  options.setReturnCodabarStartEnd(true);
  /* The full ASCII of Code 39 is read from the text afterwards. */
  options.setTryCode39ExtendedMode(false);
#if __has_include(<ZXing/ReaderOptions.h>)
  /* As it is encoded: not "(01)…" and "<GS>", as people read it. */
  options.setTextMode(ZXing::TextMode::Plain);
  /* Light barcodes on dark are read from the inverted image. */
  options.setTryInvert(false);
#endif
}

#pragma clang diagnostic pop

/* Whether a text begins with "01", which says what the 14 digits behind it are: later versions write it for DataBar. */
inline bool begins_with_identifier(const ZXing::Result &result, const std::string &text) {
  return result.format() == ZXing::BarcodeFormat::DataBar && text.size() == 16 && text.compare(0, 2, "01") == 0;
}

/* Says that a content has the form of GS1. */
template <typename Content>
auto mark_as_gs1(Content &content) -> decltype(void(content.applicationIndicator)) {
  content.applicationIndicator = "GS1";
}
template <typename Content>
auto mark_as_gs1(Content &content) -> decltype(void(content.symbology.aiFlag)) {
  content.symbology.aiFlag = std::decay_t<decltype(content.symbology.aiFlag)>::GS1;
}

}  // namespace barcode

#endif
