/* Aztec codes (ISO/IEC 24778) whose modules are known.
 *
 * Version 1.4 of the library takes the bits behind a message for characters where they look like a shift to binary, and
 * derives the position of every module from the few around the bull's-eye. */
#ifndef CVISIONBARCODE_AZTEC_H
#define CVISIONBARCODE_AZTEC_H

#include "codes.h"

#include <optional>
#include <vector>

namespace barcode {

/* The modules of an image around the middle of a code, in any quarter turn, perhaps mirrored. */
class AztecModules {
 public:
  AztecModules(const uint8_t *modules, int side) : modules_(modules), side_(side) {}

  int reach() const { return side_ / 2; }
  /* Whether the module at a distance from the middle is dark, in the code's own orientation. */
  bool operator()(int x, int y) const;
  /* Quarter turns clockwise of the code in the image, and whether it is mirrored about its diagonal before. */
  int turns = 0;
  bool is_mirrored = false;
  /* Moves a position of the code to the image. */
  void place(int &x, int &y) const;

 private:
  const uint8_t *modules_;
  int side_;
};

/* What the ring around the bull's-eye says. */
struct AztecMode {
  bool is_compact;
  int layers, words;
  int turns;
  bool is_mirrored;
  bool is_reader_initialisation;

  int word_bits() const { return layers <= 2 ? 6 : layers <= 8 ? 8 : layers <= 22 ? 10 : 12; }
  int bits() const { return ((is_compact ? 88 : 112) + 16 * layers) * layers; }
  /* Modules from one side to the other. */
  int side() const;
};

/* The mode messages that fit: of a compact code, of a full one. */
std::vector<AztecMode> aztec_modes(AztecModules modules);

/* The data of a code after error correction, bit by bit; none where more is wrong than can be corrected. */
std::optional<std::vector<bool>> aztec_bits(AztecModules modules, const AztecMode &mode);

/* The content of a message. */
struct AztecMessage {
  ZXing::Content content;
  /* Of a code that is one of several. */
  int sequence_index = -1, sequence_size = -1;
};
std::optional<AztecMessage> aztec_message(const std::vector<bool> &bits);

/* Sets what a code says. */
void set(const AztecMessage &message, cvb_code &code, Memory &memory);

}  // namespace barcode

#endif
