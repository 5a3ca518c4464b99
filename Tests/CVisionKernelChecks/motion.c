/* Checks of the kernels that find what moves: all variants give the same bits as scalar. */
#include <string.h>

#include "check.h"

void cvk_check_cvk_u8_motion_median(cvk_check *check) {
  while (cvk_next_case(check)) {
    int pixels = cvk_size(check, 300), count = cvk_between(check, 1, CVK_MOTION_MOST);
    const uint8_t *src[CVK_MOTION_MOST];
    for (int i = 0; i < count; i++) src[i] = cvk_source(check, pixels, 1, 1).bytes;
    cvk_buffer wanted = cvk_result(check, pixels, 1, 1);
    cvk_u8_motion_median__scalar(wanted.bytes, src, count, pixels);
    int x = cvk_between(check, 0, pixels - 1), below = 0, equal = 0;
    for (int i = 0; i < count; i++) below += src[i][x] < wanted.bytes[x], equal += src[i][x] == wanted.bytes[x];
    cvk_expect(check, equal > 0 && below <= count / 2 && below + equal > count / 2, "a pixel is not the median");
    CVK_EACH_VARIANT(check, cvk_u8_motion_median, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      variant(got.bytes, src, count, pixels);
      cvk_expect_equal(check, wanted, got);
    }
  }
}

void cvk_check_cvk_u8_motion_difference(cvk_check *check) {
  while (cvk_next_case(check)) {
    int width = cvk_size(check, 150), height = cvk_size(check, 12);
    cvk_buffer src = cvk_source(check, width * height, 1, 1), background = cvk_source(check, width * height, 1, 1);
    cvk_buffer work = cvk_result(check, 2 * width + 4, 1, 1), wanted = cvk_result(check, width * height, 1, 1);
    cvk_u8_motion_difference__scalar(wanted.bytes, src.bytes, background.bytes, width, height, work.bytes);
    int x = cvk_between(check, 0, width - 1), y = cvk_between(check, 0, height - 1), low = 255, high = 0;
    for (int j = y - 1; j <= y + 1; j++)
      for (int i = x - 1; i <= x + 1; i++) {
        int row = j < 0 ? 0 : j >= height ? height - 1 : j, column = i < 0 ? 0 : i >= width ? width - 1 : i;
        int value = background.bytes[row * width + column];
        low = value < low ? value : low, high = value > high ? value : high;
      }
    int own = src.bytes[y * width + x];
    cvk_expect(check, wanted.bytes[y * width + x] == (own > high ? own - high : own < low ? low - own : 0),
               "a difference is not that from the range");
    CVK_EACH_VARIANT(check, cvk_u8_motion_difference, variant) {
      cvk_buffer got = cvk_result_like(check, wanted), own_work = cvk_result_like(check, work);
      variant(got.bytes, src.bytes, background.bytes, width, height, own_work.bytes);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
