#include "aztec.h"

#include <algorithm>

namespace barcode {

namespace {

bool read(AztecModules modules, const AztecMode &mode, cvb_codes &codes) {
  const auto bits = aztec_bits(modules, mode);
  if (!bits) return false;
  const auto message = aztec_message(*bits);
  if (!message) return false;
  cvb_code code{};
  Memory memory;
  set(*message, code, memory);
  code.format = CVB_AZTEC;
  code.is_mirrored = mode.is_mirrored;
  code.is_reader_initialisation = mode.is_reader_initialisation;
  code.bit_count = static_cast<int32_t>(bits->size());
  const int words = mode.bits() / mode.word_bits();
  copy_text(code.error_correction, std::to_string(100 * (words - mode.words) / words) + "%");
  modules.turns = mode.turns;
  modules.is_mirrored = mode.is_mirrored;
  /* Outer corners: the distance from the middle is half a module more than that of the outermost module, so it is
   * counted in halves. */
  constexpr int signs[4][2] = {{-1, -1}, {1, -1}, {1, 1}, {-1, 1}};
  for (int corner = 0; corner < 4; ++corner) {
    int x = signs[corner][0] * mode.side(), y = signs[corner][1] * mode.side();
    modules.place(x, y);
    code.corners[2 * corner] = (x + 2 * modules.reach() + 1) / 2;
    code.corners[2 * corner + 1] = (y + 2 * modules.reach() + 1) / 2;
  }
  memory.codewords.assign((bits->size() + 7) / 8, 0);
  for (size_t i = 0; i < bits->size(); ++i)
    memory.codewords[i / 8] = static_cast<uint8_t>(memory.codewords[i / 8] | (*bits)[i] << (7 - i % 8));
  codes.memory.push_back(std::move(memory));
  codes.codes.push_back(code);
  return true;
}

bool is_square(const uint8_t *modules, int side) {
  return modules && side >= 1 && side % 2 == 1 && side <= CVB_LARGEST_SIDE;
}

}  // namespace

void set(const AztecMessage &message, cvb_code &code, Memory &memory) {
  const auto &content = message.content;
  code.content = content_of(content.type());
  code.sequence_index = message.sequence_index;
  code.sequence_size = message.sequence_size;
  copy_text(code.identifier, content.symbology.toString(content.hasECI));
  memory.text = content.utf8();
  memory.bytes.assign(content.bytes.begin(), content.bytes.end());
}

}  // namespace barcode

extern "C" cvb_status cvb_aztec_sides(const uint8_t *modules, int side, int sides[2]) {
  sides[0] = sides[1] = 0;
  if (!barcode::is_square(modules, side)) return CVB_INVALID_ARGUMENT;
  try {
    int count = 0;
    for (const auto &mode : barcode::aztec_modes({modules, side}))
      if (count < 2 && (count == 0 || sides[0] != mode.side())) sides[count++] = mode.side();
    return CVB_OK;
  } catch (const std::bad_alloc &) {
    return CVB_NO_MEMORY;
  } catch (...) {
    return CVB_FAILED;
  }
}

extern "C" cvb_status cvb_read_aztec(const uint8_t *modules, int side, cvb_codes **codes) {
  *codes = nullptr;
  if (!barcode::is_square(modules, side)) return CVB_INVALID_ARGUMENT;
  return barcode::guarded(codes, [&](cvb_codes &found) {
    for (const auto &mode : barcode::aztec_modes({modules, side}))
      if (barcode::read(barcode::AztecModules(modules, side), mode, found)) return;
  });
}
