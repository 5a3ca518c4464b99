/* Fuzzes the reader of barcodes: codes that the library draws, then scaled, slanted, inverted, blotted and covered with
 * noise as the input says; or the input's bytes as pixels. Every set of options that the package uses is tried. The
 * library has assertions of its own, which end the process: one that an image can reach is found here as well. Built
 * and run by Scripts/fuzz.sh. */
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <string>
#include <vector>

#include "../CSources/CVisionBarcode/src/aztec.h"
#include "CVisionBarcode.h"

namespace {

constexpr uint32_t matrix = CVB_AZTEC | CVB_DATA_MATRIX | CVB_MAXICODE | CVB_PDF417 | CVB_QR | CVB_MICRO_QR;
constexpr uint32_t data_bars = CVB_DATABAR | CVB_DATABAR_EXPANDED;
constexpr uint32_t linear = CVB_CODABAR | CVB_CODE39 | CVB_CODE93 | CVB_CODE128 | CVB_EAN8 | CVB_EAN13 | CVB_ITF |
                           CVB_UPCA | CVB_UPCE | data_bars;

void check(bool holds, const char *text) {
  if (holds) return;
  std::fprintf(stderr, "%s\n", text);
  std::abort();
}

/* Reads the bytes of the input one by one; zeros behind its end. */
struct Input {
  const uint8_t *next;
  size_t left;

  uint8_t byte() { return left ? --left, *next++ : 0; }
};

struct Image {
  int width, height;
  std::vector<uint8_t> pixels;
};

Image drawn(Input &input) {
  static const char *const formats[] = {"QRCode", "Aztec",   "DataMatrix", "PDF417",  "EAN-13", "EAN-8",
                                        "UPC-A",  "UPC-E",   "Code128",    "Code39",  "Code93", "ITF",
                                        "Codabar"};
  const char *format = formats[input.byte() % 13];
  std::string text;
  for (int count = input.byte() % 64; count >= 0; --count) {
    /* Mostly digits: half of the formats allow nothing else. */
    const uint8_t byte = input.byte();
    text.push_back(byte < 200 ? static_cast<char>('0' + byte % 10) : static_cast<char>(' ' + byte % 90));
  }
  std::vector<uint8_t> modules(1 << 16);
  int width = 0, height = 0;
  const size_t count =
      cvb_write(format, text.c_str(), false, input.byte() % 9, 4, modules.data(), modules.size(), &width, &height);
  if (count == 0 || count > modules.size()) return {0, 0, {}};
  const int scale = 1 + input.byte() % 4, rows = height == 1 ? 30 : height;
  const double slant = (input.byte() - 128) / 256.0, squeeze = 0.5 + input.byte() / 256.0;
  const bool inverted = input.byte() & 1;
  Image image{width * scale + 20, static_cast<int>(rows * scale * squeeze) + 20, {}};
  image.pixels.assign(static_cast<size_t>(image.width) * image.height, inverted ? 0 : 255);
  for (int y = 0; y < image.height; ++y)
    for (int x = 0; x < image.width; ++x) {
      const int u = static_cast<int>((x - 10 + slant * (y - image.height / 2)) / scale);
      const int v = height == 1 ? 0 : static_cast<int>((y - 10) / (scale * squeeze));
      if (x < 10 || y < 10 || u < 0 || u >= width || v >= height) continue;
      image.pixels[static_cast<size_t>(y) * image.width + x] = modules[v * width + u] ^ (inverted ? 255 : 0);
    }
  return image;
}

void damage(Image &image, Input &input) {
  const int reach = input.byte();
  uint32_t state = 1 + input.byte();
  for (auto &pixel : image.pixels) {
    state = state * 1664525 + 1013904223;
    const int value = pixel + (static_cast<int>(state >> 24) - 128) * reach / 256;
    pixel = static_cast<uint8_t>(value < 0 ? 0 : value > 255 ? 255 : value);
  }
  while (input.left >= 5) {
    const int x = input.byte() * image.width / 256, y = input.byte() * image.height / 256;
    const int width = 1 + input.byte() % 32, height = 1 + input.byte() % 32;
    const uint8_t value = input.byte();
    for (int row = y; row < y + height && row < image.height; ++row)
      for (int column = x; column < x + width && column < image.width; ++column)
        image.pixels[static_cast<size_t>(row) * image.width + column] = value;
  }
}

void read(const Image &image, const cvb_options &options, bool by_lines) {
  /* Memory of exactly the image's size, so that the sanitizer detects reads beyond it. */
  std::vector<uint8_t> pixels(image.pixels);
  pixels.shrink_to_fit();
  cvb_codes *codes = nullptr;
  const auto call = by_lines ? cvb_read_lines : cvb_read;
  const cvb_status status = call(pixels.data(), image.width, image.height, image.width, &options, &codes);
  check((status == CVB_OK) == (codes != nullptr), "codes and status contradict each other");
  if (codes == nullptr) return;
  const size_t count = cvb_codes_count(codes);
  check(cvb_codes_at(codes, count) == nullptr, "a code beyond the last");
  for (size_t i = 0; i < count; ++i) {
    const cvb_code *code = cvb_codes_at(codes, i);
    check(code->format & options.formats, "a format that was not asked for");
    check(std::memchr(code->error_correction, 0, sizeof code->error_correction), "a level that does not end");
    check(std::memchr(code->identifier, 0, sizeof code->identifier), "an identifier that does not end");
    volatile uint8_t last = 0;
    for (size_t k = 0; k < code->text_length; ++k) last ^= static_cast<uint8_t>(code->text[k]);
    for (size_t k = 0; k < code->byte_count; ++k) last ^= code->bytes[k];
    for (size_t k = 0; k < code->codeword_count; ++k) last ^= code->codewords[k];
  }
  cvb_codes_free(codes);
}

/* Modules of an Aztec code of which some are changed, or anything; and any bits as a message. */
void read_aztec(Input input) {
  std::vector<uint8_t> modules(1 << 16);
  int width = 0, height = 0;
  if (input.byte() & 1) {
    std::string text;
    for (int count = input.byte(); count >= 0; --count) text.push_back(static_cast<char>(1 + input.byte() % 127));
    const size_t count = cvb_write("Aztec", text.c_str(), true, -1, 0, modules.data(), modules.size(), &width, &height);
    if (count == 0 || count > modules.size()) return;
    for (int changes = input.byte() % 32; changes > 0; --changes)
      modules[(input.byte() << 8 | input.byte()) % count] ^= 255;
  } else {
    width = 1 + 2 * (input.byte() % 90);
    for (auto &module : modules) module = input.byte() & 1 ? 255 : 0;
  }
  modules.resize(static_cast<size_t>(width) * width);
  modules.shrink_to_fit();
  int sides[2];
  check(cvb_aztec_sides(modules.data(), width, sides) == CVB_OK, "sides of modules");
  cvb_codes *codes = nullptr;
  const cvb_status status = cvb_read_aztec(modules.data(), width, &codes);
  check((status == CVB_OK) == (codes != nullptr), "codes and status contradict each other");
  cvb_codes_free(codes);
  std::vector<bool> bits;
  while (input.left) {
    const uint8_t byte = input.byte();
    for (int bit = 7; bit >= 0; --bit) bits.push_back(byte >> bit & 1);
  }
  if (const auto message = barcode::aztec_message(bits)) {
    check(!message->content.bytes.empty() || message->sequence_index >= 0 || message->content.symbology.modifier != '0',
          "an empty message");
    check(message->content.utf8().size() <= 64 * bits.size() + 64, "a text longer than its bits");
  }
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size) {
  Input input{data, size};
  const uint8_t choice = input.byte();
  read_aztec(input);
  Image image;
  if (choice & 1) {
    image.width = 1 + input.byte();
    image.height = static_cast<int>(input.left / static_cast<size_t>(image.width));
    if (image.height < 1) return 0;
    image.pixels.assign(input.next, input.next + static_cast<size_t>(image.width) * image.height);
  } else {
    image = drawn(input);
    if (image.width == 0) return 0;
    damage(image, input);
  }
  cvb_options options{};
  options.try_harder = true;
  options.minimum_lines = 1;
  options.try_rotate = options.try_downscale = true;
  options.threshold = static_cast<cvb_threshold>((choice >> 1) % 4);
  options.most_finder_patterns = 120;
  options.formats = matrix;
  read(image, options, false);
  options.formats = linear;
  options.add_ons = choice & 8;
  read(image, options, true);
  options.formats = data_bars;
  options.add_ons = options.try_downscale = false;
  options.most_codes = 1;
  read(image, options, false);
  return 0;
}
