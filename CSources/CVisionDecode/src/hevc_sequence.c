/* The sequence parameters of HEVC images (ITU-T H.265, 7.3.2.2): the coded size, which the sizes in a HEIF file's boxes
 * need not agree with and which decides how much memory the decoder takes, and whether they contradict one another. */
#include <string.h>

#include "hevc_sequence.h"

typedef struct bits {
  const uint8_t *data;
  size_t size, position; /* position in bits */
  bool ran_out;
} bits;

static uint32_t take(bits *b, unsigned count) {
  uint32_t value = 0;
  for (unsigned i = 0; i < count; i++, b->position++) {
    if (b->position / 8 >= b->size) {
      b->ran_out = true;
      return 0;
    }
    value = value << 1 | (b->data[b->position / 8] >> (7 - b->position % 8) & 1u);
  }
  return value;
}

static void skip(bits *b, size_t count) { b->position += count; }

/* ue(v): an Exp-Golomb code. */
static uint32_t take_golomb(bits *b) {
  unsigned zeros = 0;
  while (zeros < 32 && !b->ran_out && take(b, 1) == 0) zeros++;
  if (zeros >= 32) b->ran_out = true;
  return b->ran_out ? 0 : (1u << zeros) - 1 + take(b, zeros);
}

enum { PROFILE_BITS = 88, LEVEL_BITS = 8, LARGEST_HEAD = 256 };

/* Steps over profile_tier_level. */
static void skip_profile(bits *b, unsigned layers) {
  skip(b, PROFILE_BITS + LEVEL_BITS);
  uint32_t flags = take(b, layers > 0 ? 16 : 0); /* two for each of eight layers, from the top */
  for (unsigned i = 0; i < layers; i++) {
    if (flags >> (15 - 2 * i) & 1) skip(b, PROFILE_BITS);
    if (flags >> (14 - 2 * i) & 1) skip(b, LEVEL_BITS);
  }
}

/* Whether bit depths and block sizes fit each other and the image. libde265 finds that out as well, but it prints it to
 * the standard error. What cannot be read to its end counts as valid here: libde265 refuses it without a word. */
static bool are_blocks_valid(bits *b, uint32_t width, uint32_t height, unsigned first_layer, unsigned last_layer) {
  uint64_t luma_bits = 8 + (uint64_t)take_golomb(b), chroma_bits = 8 + (uint64_t)take_golomb(b);
  take_golomb(b); /* the length of frame counters */
  if (take(b, 1)) first_layer = 0;
  for (unsigned i = first_layer; i <= last_layer; i++)
    for (int k = 0; k < 3; k++) take_golomb(b); /* buffering, reordering, latency */
  /* Base-2 logarithms of the sides of coding and transform blocks. */
  uint64_t smallest_block = 3 + (uint64_t)take_golomb(b);
  uint64_t largest_block = smallest_block + take_golomb(b);
  uint64_t smallest_transform = 2 + (uint64_t)take_golomb(b);
  uint64_t largest_transform = smallest_transform + take_golomb(b);
  if (b->ran_out) return true;
  if (luma_bits > 16 || chroma_bits > 16 || largest_block > 6) return false;
  uint32_t mask = (1u << smallest_block) - 1;
  return !(width & mask) && !(height & mask) && smallest_transform <= smallest_block &&
         largest_transform <= (largest_block < 5 ? largest_block : 5);
}

/* Reads one sequence parameter set; *result keeps the larger size. */
static void read_parameter_set(const uint8_t *unit, size_t size, cvd_hevc_sequence *result) {
  /* The head of the set without the bytes that keep start codes out. */
  uint8_t head[LARGEST_HEAD];
  size_t count = 0;
  unsigned zeros = 0;
  for (size_t i = 2; i < size && count < sizeof head; i++) {
    bool is_escape = zeros >= 2 && unit[i] == 3;
    zeros = unit[i] == 0 ? zeros + 1 : 0;
    if (!is_escape) head[count++] = unit[i];
  }
  bits b = {head, count, 0, false};
  skip(&b, 4);
  unsigned layers = take(&b, 3);
  skip(&b, 1);
  skip_profile(&b, layers);
  take_golomb(&b);                       /* the set's number */
  if (take_golomb(&b) == 3) skip(&b, 1); /* chroma format 4:4:4 says whether its planes are apart */
  uint32_t width = take_golomb(&b), height = take_golomb(&b);
  if (b.ran_out) return;
  if ((uint64_t)width * height > (uint64_t)result->width * result->height) {
    result->width = width;
    result->height = height;
  }
  if (take(&b, 1))
    for (int side = 0; side < 4; side++) take_golomb(&b); /* what is cropped */
  if (!are_blocks_valid(&b, width, height, layers, layers)) result->is_contradictory = true;
}

static size_t two_bytes(const uint8_t *bytes) { return (size_t)bytes[0] << 8 | bytes[1]; }

/* The parameter sets in one decoder configuration (ISO/IEC 14496-15, 8.3.3.1). */
static void read_configuration(const uint8_t *data, size_t size, cvd_hevc_sequence *result) {
  enum { SEQUENCE_PARAMETERS = 33, FIXED_PART = 23 };
  if (size < FIXED_PART) return;
  unsigned arrays = data[FIXED_PART - 1];
  size_t at = FIXED_PART;
  for (unsigned i = 0; i < arrays && size - at >= 3; i++) {
    unsigned type = data[at] & 0x3f;
    size_t units = two_bytes(data + at + 1);
    at += 3;
    for (size_t k = 0; k < units && size - at >= 2; k++) {
      size_t length = two_bytes(data + at);
      at += 2;
      if (length > size - at) return;
      if (type == SEQUENCE_PARAMETERS) read_parameter_set(data + at, length, result);
      at += length;
    }
  }
}

cvd_hevc_sequence cvd_hevc_sequence_of(const uint8_t *meta, size_t size) {
  cvd_hevc_sequence result = {0};
  for (size_t i = 0; i + 4 <= size; i++)
    if (memcmp(meta + i, "hvcC", 4) == 0) read_configuration(meta + i + 4, size - i - 4, &result);
  return result;
}
