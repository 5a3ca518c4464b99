/* Checks of the kernels for rows in which codes are looked for: all variants give the same bits as scalar. */
#include <string.h>

#include "check.h"

/* A row of black and white with runs of any length, or of any bytes. */
static cvk_buffer random_row(cvk_check *check, int width) {
  cvk_buffer src = cvk_source(check, width, 1, 1);
  const int longest = cvk_between(check, 0, 40);
  if (longest == 0) return src;
  uint8_t value = cvk_between(check, 0, 1) ? 255 : 0;
  for (int x = 0; x < width; value = (uint8_t)~value)
    for (int run = cvk_between(check, 1, longest); run > 0 && x < width; run--) src.bytes[x++] = value;
  return src;
}

void cvk_check_cvk_u8_edges(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = cvk_size(check, 400);
    cvk_buffer src = random_row(check, width);
    cvk_buffer wanted = cvk_result(check, (width + 16) * 4, 1, 4);
    int32_t count = -1;
    cvk_u8_edges__scalar((int32_t *)wanted.bytes, &count, src.bytes, width);
    int32_t edges = 0;
    for (int x = 1; x < width; x++)
      if (src.bytes[x] != src.bytes[x - 1]) {
        cvk_expect(check, edges < count && ((int32_t *)wanted.bytes)[edges] == x, "an edge is missing");
        edges++;
      }
    cvk_expect(check, edges == count, "the number of edges differs");
    CVK_EACH_VARIANT(check, cvk_u8_edges, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      int32_t own = -1;
      variant((int32_t *)got.bytes, &own, src.bytes, width);
      cvk_expect(check, own == count, "the number of edges differs");
      cvk_expect(check, memcmp(got.bytes, wanted.bytes, (size_t)count * 4) == 0, "an edge differs");
    }
  }
}

void cvk_check_cvk_u8_sharp_threshold(cvk_check *check) {
  while (cvk_next_case(check)) {
    const int width = 2 + cvk_size(check, 300), level = cvk_between(check, 0, 255);
    cvk_buffer src = cvk_source(check, width, 1, 1);
    cvk_buffer wanted = cvk_result(check, width, 1, 1);
    cvk_u8_sharp_threshold__scalar(wanted.bytes, src.bytes, width, level);
    for (int x = 0; x < width; x++) {
      const int is_end = x == 0 || x == width - 1;
      const int sharp = is_end ? 2 * src.bytes[x] : 4 * src.bytes[x] - src.bytes[x - 1] - src.bytes[x + 1];
      cvk_expect(check, wanted.bytes[x] == (sharp < 2 * level ? 0 : 255), "a pixel differs from the formula");
    }
    CVK_EACH_VARIANT(check, cvk_u8_sharp_threshold, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, src.bytes, width, level);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_i32_runs_like(cvk_check *check) {
  while (cvk_next_case(check)) {
    cvk_run_pattern pattern = {.runs = cvk_between(check, 1, cvk_most_runs), .unit = cvk_between(check, 1, 120)};
    for (int run = 0; run < pattern.runs; run++) {
      pattern.width[run] = cvk_between(check, 1, 4);
      pattern.modules += pattern.width[run];
      pattern.slope[run] = cvk_between(check, 0, pattern.unit);
      pattern.offset[run] = cvk_between(check, 0, 16 * pattern.unit);
    }
    pattern.least = cvk_between(check, 0, 2 * pattern.modules);
    /* Runs of any length, and the pattern now and then in any size. */
    const int edge_count = cvk_size(check, 300);
    cvk_buffer edges = cvk_source(check, edge_count * 4, 1, 4);
    int32_t *edge = (int32_t *)edges.bytes, position = 0;
    for (int i = 0; i < edge_count;) {
      const int is_like = cvk_between(check, 0, 3) == 0, scale = cvk_between(check, 1, 5);
      for (int run = 0; run < pattern.runs && i < edge_count; run++) {
        edge[i++] = position;
        position += is_like ? scale * pattern.width[run] : cvk_between(check, 1, 12);
      }
    }
    cvk_buffer wanted = cvk_result(check, edge_count * 4, 1, 4);
    int32_t count = -1;
    cvk_i32_runs_like__scalar((int32_t *)wanted.bytes, &count, edge, edge_count, &pattern);
    CVK_EACH_VARIANT(check, cvk_i32_runs_like, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      int32_t own = -1;
      variant((int32_t *)got.bytes, &own, edge, edge_count, &pattern);
      cvk_expect(check, own == count, "the number of sequences differs");
      cvk_expect(check, memcmp(got.bytes, wanted.bytes, (size_t)count * 4) == 0, "a sequence differs");
    }
  }
}
