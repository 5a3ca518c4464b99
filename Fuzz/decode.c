/* Fuzzes the decoders' entry: probe, then every layout at full and reduced size, into memory of exactly the promised
 * size so that the address sanitizer sees any write beyond it. The first byte of the input picks the layout and the
 * reduction. Built and run by Scripts/fuzz.sh. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CVisionDecode.h"

enum { PIXEL_LIMIT = 1 << 20 };

static void check(int holds, const char *text) {
  if (holds) return;
  fprintf(stderr, "%s\n", text);
  abort();
}

static void check_result(cvd_status status, const cvd_message *message) {
  check(memchr(message->text, 0, sizeof message->text) != NULL, "the message does not end");
  check(status == CVD_OK || message->text[0], "an error without a message");
}

int LLVMFuzzerTestOneInput(const uint8_t *input, size_t size) {
  if (size < 1) return 0;
  uint8_t choice = input[0];
  /* A copy of exactly the size of the data, so that the sanitizer detects reads beyond it. */
  size_t count = size - 1;
  uint8_t *data = malloc(count ? count : 1);
  if (!data) return 0;
  memcpy(data, input + 1, count);

  cvd_info info;
  cvd_message message;
  cvd_status status = cvd_probe(data, count, PIXEL_LIMIT, &info, &message);
  check_result(status, &message);
  if (status == CVD_OK) {
    check((uint64_t)info.width * info.height <= PIXEL_LIMIT, "a size beyond the limit");
    check(info.width > 0 && info.height > 0, "a size of 0");
    check(info.orientation >= 1 && info.orientation <= 8, "an orientation that does not exist");
    static const size_t bytes_per_pixel[] = {1, 3, 4, 4};
    cvd_layout layout = (cvd_layout)(choice & 3);
    uint32_t width = 0, height = 0, divisor = 1u << (choice >> 2 & 3);
    cvd_scaled_size(&info, divisor == 1 ? UINT32_MAX : info.width / divisor,
                    divisor == 1 ? UINT32_MAX : info.height / divisor, &width, &height);
    check(width > 0 && height > 0 && width <= info.width && height <= info.height, "a reduced size that is none");
    size_t row_bytes = width * bytes_per_pixel[layout] + (choice >> 4);
    size_t bytes = row_bytes * (height - 1) + width * bytes_per_pixel[layout];
    uint8_t *pixels = malloc(bytes);
    if (pixels)
      check_result(cvd_decode(data, count, &info, layout, pixels, row_bytes, width, height, &message), &message);
    free(pixels);
  }
  free(data);
  return 0;
}
