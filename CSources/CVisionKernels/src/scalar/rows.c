/* Rows in which codes are looked for. */
#include "../internal.h"

#include <string.h>

#include "../run_patterns.h"

#define VARIANT(name) name##__scalar
#include "../row_threshold_template.h"

void cvk_u8_edges__scalar(int32_t *edges, int32_t *count, const uint8_t *src, int width) {
  int32_t *next = edges;
  int x = 1;
#if __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  for (; x + 8 <= width; x += 8) {
    uint64_t here, before;
    memcpy(&here, src + x, 8);
    memcpy(&before, src + x - 1, 8);
    for (uint64_t change = here ^ before; change;) {
      const int byte = __builtin_ctzll(change) / 8;
      *next++ = x + byte;
      change &= ~(UINT64_C(255) << 8 * byte);
    }
  }
#endif
  for (; x < width; x++)
    if (src[x] != src[x - 1]) *next++ = x;
  *count = (int32_t)(next - edges);
}

void cvk_i32_runs_like__scalar(int32_t *found, int32_t *count, const int32_t *edges, int edge_count,
                               const cvk_run_pattern *pattern) {
  int32_t *next = found;
  for (int i = 0; i + pattern->runs < edge_count; i++)
    if (fits_pattern(edges + i, pattern)) *next++ = i;
  *count = (int32_t)(next - found);
}
