/* Checks of what measures the machine. */
#include "check.h"

void cvk_check_cvk_f32_peak(cvk_check *check) {
  while (cvk_next_case(check)) {
    int rounds = cvk_between(check, 0, 40);
    cvk_buffer wanted = cvk_result(check, 4, 1, 4);
    *(float *)(void *)wanted.bytes = 2;
    CVK_EACH_VARIANT(check, cvk_f32_peak, variant) {
      cvk_buffer got = cvk_result_like(check, wanted);
      *(float *)(void *)got.bytes = -1;
      variant((float *)(void *)got.bytes, rounds);
      cvk_expect_equal(check, wanted, got);
    }
  }
}
