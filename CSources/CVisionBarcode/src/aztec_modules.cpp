/* From modules to the bits of the message: the mode message, the layers, error correction (ISO/IEC 24778, 7.2, 7.3). */
#include "aztec.h"
#include "reed_solomon.h"

#include <algorithm>

namespace barcode {

namespace {

constexpr int compact_ring = 5, full_ring = 7;
/* Wrong modules of the twelve that mark the corners. Those of other orientations differ in four or more, so that two
 * may fit: the mode message decides. */
constexpr int most_mark_errors = 2;
/* Of a full code every sixteenth row and column from the middle is alternately dark and light. */
constexpr int reference_distance = 16;

const ReedSolomon &field(int bits) {
  static const ReedSolomon four(4, 0x13), six(6, 0x43), eight(8, 0x12D), ten(10, 0x409), twelve(12, 0x1069);
  switch (bits) {
    case 4: return four;
    case 6: return six;
    case 8: return eight;
    case 10: return ten;
    default: return twelve;
  }
}

/* The modules of the ring at a distance, clockwise from the corner at the top left. */
std::vector<bool> ring(const AztecModules &modules, int reach) {
  std::vector<bool> ring;
  for (int step = -reach; step < reach; ++step) ring.push_back(modules(step, -reach));
  for (int step = -reach; step < reach; ++step) ring.push_back(modules(reach, step));
  for (int step = -reach; step < reach; ++step) ring.push_back(modules(-step, reach));
  for (int step = -reach; step < reach; ++step) ring.push_back(modules(-reach, -step));
  return ring;
}

/* Three dark modules at the corner at the top left, then two, one and none. */
int mark_errors(const std::vector<bool> &ring) {
  constexpr bool marks[4][3] = {{true, true, true}, {false, true, true}, {true, false, false}, {false, false, false}};
  const size_t quarter = ring.size() / 4;
  int errors = 0;
  for (size_t corner = 0; corner < 4; ++corner)
    for (size_t i = 0; i < 3; ++i)
      errors += ring[(corner * quarter + ring.size() + i - 1) % ring.size()] != marks[corner][i];
  return errors;
}

std::optional<AztecMode> mode_in_ring(const std::vector<bool> &ring, bool is_compact) {
  const size_t quarter = ring.size() / 4;
  std::vector<int> words(is_compact ? 7 : 10);
  size_t bit = 0;
  for (size_t side = 0; side < 4; ++side)
    for (size_t i = 2; i + 1 < quarter; ++i) {
      /* The reference grid crosses the sides of a full code. */
      if (!is_compact && i == quarter / 2) continue;
      words[bit / 4] = 2 * words[bit / 4] + ring[side * quarter + i];
      ++bit;
    }
  const size_t data = is_compact ? 2 : 4;
  if (!field(4).correct(words, words.size() - data)) return {};
  int message = 0;
  for (size_t i = 0; i < data; ++i) message = 16 * message + words[i];
  AztecMode mode{};
  mode.is_compact = is_compact;
  const int count_bits = is_compact ? 6 : 11;
  mode.layers = (message >> count_bits) + 1;
  mode.words = (message & ((1 << count_bits) - 1)) + 1;
  const int capacity = mode.bits() / mode.word_bits();
  /* The highest bit, set beyond what the code can hold, says that the message is for the reader. */
  const int initialisation = 1 << (count_bits - 1);
  if (mode.words > capacity && mode.words > initialisation) {
    mode.is_reader_initialisation = true;
    mode.words -= initialisation;
  }
  if (mode.words >= capacity) return {};
  return mode;
}

}  // namespace

void AztecModules::place(int &x, int &y) const {
  if (is_mirrored) std::swap(x, y);
  for (int turn = 0; turn < turns; ++turn) {
    const int old = x;
    x = -y;
    y = old;
  }
}

bool AztecModules::operator()(int x, int y) const {
  place(x, y);
  return modules_[static_cast<size_t>(y + reach()) * side_ + x + reach()] == 0;
}

int AztecMode::side() const {
  if (is_compact) return 11 + 4 * layers;
  const int without_grid = 14 + 4 * layers;
  return without_grid + 1 + 2 * ((without_grid / 2 - 1) / (reference_distance - 1));
}

std::vector<AztecMode> aztec_modes(AztecModules modules) {
  std::vector<AztecMode> modes;
  for (const bool is_compact : {true, false}) {
    const int reach = is_compact ? compact_ring : full_ring;
    if (reach > modules.reach()) continue;
    for (int orientation = 0; orientation < 8; ++orientation) {
      modules.turns = orientation % 4;
      modules.is_mirrored = orientation >= 4;
      const auto modules_of_ring = ring(modules, reach);
      if (mark_errors(modules_of_ring) > most_mark_errors) continue;
      auto mode = mode_in_ring(modules_of_ring, is_compact);
      if (!mode) continue;
      mode->turns = modules.turns;
      mode->is_mirrored = modules.is_mirrored;
      modes.push_back(*mode);
    }
  }
  return modes;
}

std::optional<std::vector<bool>> aztec_bits(AztecModules modules, const AztecMode &mode) {
  if (mode.side() / 2 > modules.reach()) return {};
  modules.turns = mode.turns;
  modules.is_mirrored = mode.is_mirrored;
  /* Positions of rows and columns of data from the middle: the reference grid has none. */
  const int count = (mode.is_compact ? 11 : 14) + 4 * mode.layers;
  std::vector<int> positions(count);
  for (int i = 0; i < count; ++i) {
    if (mode.is_compact) {
      positions[i] = i - count / 2;
      continue;
    }
    const int distance = i < count / 2 ? count / 2 - 1 - i : i - count / 2;
    const int position = distance + 1 + distance / (reference_distance - 1);
    positions[i] = i < count / 2 ? -position : position;
  }
  /* Layers from the outermost inwards; four sides counterclockwise, each from the left one's top; two modules side by
   * side from the outside inwards. */
  std::vector<bool> raw;
  raw.reserve(mode.bits());
  for (int layer = 0; layer < mode.layers; ++layer) {
    const int length = count - 2 - 4 * layer;
    for (int side = 0; side < 4; ++side)
      for (int along = 0; along < length; ++along)
        for (int across = 0; across < 2; ++across) {
          int x = 2 * layer + across, y = 2 * layer + along;
          for (int turn = 0; turn < side; ++turn) {
            const int old = x;
            x = y;
            y = count - 1 - old;
          }
          raw.push_back(modules(positions[x], positions[y]));
        }
  }
  const int word_bits = mode.word_bits();
  std::vector<int> words(raw.size() / word_bits);
  size_t bit = raw.size() % word_bits;
  for (int &word : words)
    for (int i = 0; i < word_bits; ++i) word = 2 * word + raw[bit++];
  if (!field(word_bits).correct(words, words.size() - mode.words)) return {};
  /* A word whose bits but the last are equal has nothing but their complement there. */
  std::vector<bool> bits;
  const int all = (1 << word_bits) - 1;
  for (int i = 0; i < mode.words; ++i) {
    const int word = words[i];
    if (word == 0 || word == all) return {};
    const int used = word == 1 || word == all - 1 ? word_bits - 1 : word_bits;
    for (int k = word_bits - 1; k >= word_bits - used; --k) bits.push_back(word >> k & 1);
  }
  return bits;
}

}  // namespace barcode
