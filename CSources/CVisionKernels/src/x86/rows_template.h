/* Edges of rows: all changes of a vector of pixels are one mask, whose bits become positions without a branch for each.
 */
#include "row_threshold_template.h"
#include "run_patterns.h"

#if CVK_VECTOR_BITS == 512
enum { step = 64 };

static uint64_t changes(const uint8_t *src) {
  return _mm512_cmpneq_epi8_mask(_mm512_loadu_si512(src), _mm512_loadu_si512(src - 1));
}

/* Stores the positions of the bits of a mask, and returns where the next ones go. */
static int32_t *store_positions(int32_t *next, uint64_t mask, int x) {
  __m512i positions =
      _mm512_add_epi32(_mm512_set1_epi32(x), _mm512_set_epi32(15, 14, 13, 12, 11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0));
  for (; mask; mask >>= 16) {
    const __mmask16 part = (__mmask16)mask;
    /* Compressed in the register: compressing into memory is slow on some processors. */
    _mm512_storeu_si512(next, _mm512_maskz_compress_epi32(part, positions));
    next += __builtin_popcount(part);
    positions = _mm512_add_epi32(positions, _mm512_set1_epi32(16));
  }
  return next;
}
#else
enum { step = 32 };

static uint64_t changes(const uint8_t *src) {
  const __m256i same =
      _mm256_cmpeq_epi8(_mm256_loadu_si256((const __m256i *)src), _mm256_loadu_si256((const __m256i *)(src - 1)));
  return ~(uint32_t)_mm256_movemask_epi8(same);
}

static int32_t *store_positions(int32_t *next, uint64_t mask, int x) {
  for (; mask; mask >>= 8, x += 8) {
    /* The indices of the bits of a byte, packed: a byte with all bits for each bit, then the indices under it. */
    const uint64_t bytes = _pdep_u64(mask & 255, UINT64_C(0x0101010101010101)) * 255;
    const uint64_t packed = _pext_u64(UINT64_C(0x0706050403020100), bytes);
    const __m256i positions = _mm256_cvtepu8_epi32(_mm_cvtsi64_si128((int64_t)packed));
    _mm256_storeu_si256((__m256i *)next, _mm256_add_epi32(positions, _mm256_set1_epi32(x)));
    next += __builtin_popcount(mask & 255);
  }
  return next;
}
#endif

void VARIANT(cvk_u8_edges)(int32_t *edges, int32_t *count, const uint8_t *src, int width) {
  int32_t *next = edges;
  int x = 1;
  for (; x + step <= width; x += step) next = store_positions(next, changes(src + x), x);
  for (; x < width; x++)
    if (src[x] != src[x - 1]) *next++ = x;
  *count = (int32_t)(next - edges);
}

#if CVK_VECTOR_BITS == 512
enum { lanes = 16 };
typedef __m512i ints;
#define SPLAT(x) _mm512_set1_epi32(x)
#define LOAD(p) _mm512_loadu_si512(p)
#define MINUS(a, b) _mm512_sub_epi32(a, b)
#define PLUS(a, b) _mm512_add_epi32(a, b)
#define TIMES(a, b) _mm512_mullo_epi32(a, b)
#define MAGNITUDE(a) _mm512_abs_epi32(a)
/* Bits of the lanes where a <= b. */
#define NOT_ABOVE(a, b) _mm512_cmple_epi32_mask(a, b)
#else
enum { lanes = 8 };
typedef __m256i ints;
#define SPLAT(x) _mm256_set1_epi32(x)
#define LOAD(p) _mm256_loadu_si256((const __m256i *)(p))
#define MINUS(a, b) _mm256_sub_epi32(a, b)
#define PLUS(a, b) _mm256_add_epi32(a, b)
#define TIMES(a, b) _mm256_mullo_epi32(a, b)
#define MAGNITUDE(a) _mm256_abs_epi32(a)
#define NOT_ABOVE(a, b) (255 & ~_mm256_movemask_ps(_mm256_castsi256_ps(_mm256_cmpgt_epi32(a, b))))
#endif

/* The run that fits the fewest sequences comes first: the widest one. */
static int widest_run(const cvk_run_pattern *pattern) {
  int widest = 0;
  for (int run = 1; run < pattern->runs; run++)
    if (pattern->width[run] > pattern->width[widest]) widest = run;
  return widest;
}

void VARIANT(cvk_i32_runs_like)(int32_t *found, int32_t *count, const int32_t *edges, int edge_count,
                                const cvk_run_pattern *pattern) {
  const int runs = pattern->runs, first_run = widest_run(pattern);
  const ints modules = SPLAT(pattern->modules), unit = SPLAT(pattern->unit), least = SPLAT(pattern->least);
  int32_t *next = found;
  int i = 0;
  for (; i + runs + lanes <= edge_count; i += lanes) {
    const ints sum = MINUS(LOAD(edges + i + runs), LOAD(edges + i));
    unsigned mask = NOT_ABOVE(least, sum);
    for (int n = 0; n < runs && mask; n++) {
      const int run = (first_run + n) % runs;
      const ints length = MINUS(LOAD(edges + i + run + 1), LOAD(edges + i + run));
      const ints off = MAGNITUDE(MINUS(TIMES(modules, length), TIMES(SPLAT(pattern->width[run]), sum)));
      const ints limit = PLUS(TIMES(SPLAT(pattern->slope[run]), sum), SPLAT(pattern->offset[run]));
      mask &= (unsigned)NOT_ABOVE(TIMES(unit, off), limit);
    }
    for (; mask; mask &= mask - 1) *next++ = i + __builtin_ctz(mask);
  }
  for (; i + runs < edge_count; i++)
    if (fits_pattern(edges + i, pattern)) *next++ = i;
  *count = (int32_t)(next - found);
}
