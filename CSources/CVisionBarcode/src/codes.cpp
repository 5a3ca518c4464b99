#include "aztec.h"
#include "codes.h"

#include <algorithm>
#include <cstring>

namespace barcode {

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

/* Reads the message of an Aztec code again: the library takes the bits behind it for a shift to binary, and its text of
 * some messages is read beyond their end. False where it is malformed. */
bool read_again(cvb_code &code, Memory &memory) {
  const size_t count = static_cast<size_t>(std::max(0, code.bit_count));
  if (count > 8 * memory.codewords.size()) return false;
  std::vector<bool> bits(count);
  for (size_t i = 0; i < count; ++i) bits[i] = memory.codewords[i / 8] >> (7 - i % 8) & 1;
  const auto message = aztec_message(bits);
  if (message) set(*message, code, memory);
  return message.has_value();
}

}  // namespace

cvb_content content_of(ZXing::ContentType type) {
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
  memory.codewords = codewords_of(result, code.bit_count);
  for (size_t corner = 0; corner < 4; ++corner) {
    code.corners[2 * corner] = result.position()[corner].x;
    code.corners[2 * corner + 1] = result.position()[corner].y;
  }
  copy_text(code.error_correction, result.ecLevel());
  code.is_mirrored = result.isMirrored();
  code.is_reader_initialisation = result.readerInit();
  code.line_count = result.lineCount();
  if (code.format == CVB_AZTEC && gives_codewords) {
    if (!read_again(code, memory)) return false;
  } else {
    memory.text = result.text();
    memory.bytes.assign(result.bytes().begin(), result.bytes().end());
    if (begins_with_identifier(result, memory.text) && memory.bytes.size() >= 2) {
      memory.text.erase(0, 2);
      memory.bytes.erase(memory.bytes.begin(), memory.bytes.begin() + 2);
    }
    copy_text(code.identifier, result.symbologyIdentifier());
    code.content = content_of(result.contentType());
    code.sequence_index = result.sequenceIndex();
    code.sequence_size = result.sequenceSize();
  }
  codes.memory.push_back(std::move(memory));
  codes.codes.push_back(code);
  return true;
}

void append(cvb_format format, const std::string &text, const char *identifier, cvb_content content,
            const int32_t (&corners)[8], int rows, cvb_codes &codes) {
  cvb_code code{};
  code.format = format;
  code.content = content;
  code.line_count = rows;
  code.sequence_index = code.sequence_size = -1;
  std::copy(std::begin(corners), std::end(corners), code.corners);
  copy_text(code.identifier, identifier);
  Memory memory;
  memory.text = text;
  memory.bytes.assign(text.begin(), text.end());
  codes.memory.push_back(std::move(memory));
  codes.codes.push_back(code);
}

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

ReaderOptions reader_options(const cvb_options &options) {
  ZXing::BarcodeFormats wanted;
  for (const auto &pair : formats)
    if (options.formats & pair.ours) wanted |= pair.theirs;
  ReaderOptions result;
  result.setFormats(wanted)
      .setBinarizer(options.threshold == CVB_THRESHOLD_HISTOGRAM ? ZXing::Binarizer::GlobalHistogram
                    : options.threshold == CVB_THRESHOLD_FIXED   ? ZXing::Binarizer::FixedThreshold
                                                                 : ZXing::Binarizer::LocalAverage)
      .setTryHarder(options.try_harder)
      .setTryRotate(options.try_rotate)
      .setTryDownscale(options.try_downscale)
      .setEanAddOnSymbol(options.add_ons ? ZXing::EanAddOnSymbol::Read : ZXing::EanAddOnSymbol::Ignore)
      .setMinLineCount(options.minimum_lines < 1 ? 1 : options.minimum_lines)
      .setMaxNumberOfSymbols(options.most_codes < 1 ? 0xff : options.most_codes);
  set_as_in_first_version(result);
  return result;
}

/* The library counts in 16 and 32 bits. */
bool is_readable(const uint8_t *grey, int width, int height, ptrdiff_t row_bytes) {
  return grey && width >= 1 && height >= 1 && width <= CVB_LARGEST_SIDE && height <= CVB_LARGEST_SIDE &&
         row_bytes >= width && row_bytes <= INT32_MAX / height;
}

}  // namespace barcode

extern "C" bool cvb_gives_codewords(void) { return barcode::gives_codewords; }

extern "C" size_t cvb_codes_count(const cvb_codes *codes) { return codes->codes.size(); }

extern "C" const cvb_code *cvb_codes_at(const cvb_codes *codes, size_t index) {
  return index < codes->codes.size() ? &codes->codes[index] : nullptr;
}

extern "C" void cvb_codes_free(cvb_codes *codes) { delete codes; }
