/* Guarded memory for the checks, and the comparisons. */
#define _DEFAULT_SOURCE /* MAP_ANONYMOUS under -std=c11 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "check_internal.h"

enum { PAGE = 65536 /* a multiple of every page size in use */, GUARD = 192 };

void cvk_free_buffers(cvk_check *check) { check->slots_used = 0; }

void cvk_unmap_buffers(cvk_check *check) {
  for (int i = 0; i < CVK_SLOTS; i++)
    if (check->slot[i].bytes) munmap(check->slot[i].bytes - PAGE, check->slot[i].size + 2 * PAGE);
  memset(check->slot, 0, sizeof check->slot);
}

/* Allocates `bytes` bytes that end, or start, at a page without access. */
static uint8_t *take(cvk_check *check, size_t bytes, int at_end) {
  if (check->slots_used == CVK_SLOTS) {
    fprintf(stderr, "%s: a case uses more than %d buffers\n", check->kernel->name, CVK_SLOTS);
    abort();
  }
  int i = check->slots_used++;
  /* Some emulators of masked loads read masked-out bytes: there buffers keep a distance from the page. */
  const char *wanted = getenv("OPENVISION_CHECK_SLACK");
  const size_t slack = wanted ? (size_t)atoi(wanted) / 64 * 64 % PAGE : 0;
  if (check->slot[i].size < bytes + slack) {
    if (check->slot[i].bytes) munmap(check->slot[i].bytes - PAGE, check->slot[i].size + 2 * PAGE);
    size_t size = (bytes + slack + PAGE - 1) / PAGE * PAGE;
    uint8_t *base = mmap(0, size + 2 * PAGE, PROT_NONE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (base == MAP_FAILED || mprotect(base + PAGE, size, PROT_READ | PROT_WRITE)) {
      fprintf(stderr, "%s: no memory for a buffer of %zu bytes\n", check->kernel->name, bytes);
      abort();
    }
    check->slot[i].bytes = base + PAGE;
    check->slot[i].size = size;
  }
  return check->slot[i].bytes + (at_end ? check->slot[i].size - bytes - slack : 0);
}

static void fill_random(cvk_check *check, uint8_t *bytes, size_t count) {
  for (size_t i = 0; i < count; i += 8) {
    uint64_t r = cvk_random(check);
    memcpy(bytes + i, &r, count - i < 8 ? count - i : 8);
  }
}

static ptrdiff_t random_stride(cvk_check *check, int row_bytes, int alignment) {
  int row = (row_bytes + alignment - 1) / alignment * alignment;
  return row + (cvk_between(check, 0, 2) ? cvk_between(check, 0, 70 / alignment + 1) * alignment : 0);
}

static size_t bytes_of(const cvk_buffer *buffer) {
  return (size_t)(buffer->rows - 1) * (size_t)buffer->stride + (size_t)buffer->row_bytes;
}

cvk_buffer cvk_source(cvk_check *check, int row_bytes, int rows, int alignment) {
  cvk_buffer buffer = {.row_bytes = row_bytes, .rows = rows, .stride = random_stride(check, row_bytes, alignment)};
  /* Rows that end at the page keep their alignment only if their length is a multiple of it. */
  int at_end = row_bytes % alignment == 0 && cvk_between(check, 0, 3) > 0;
  buffer.whole_bytes = bytes_of(&buffer);
  buffer.whole = buffer.bytes = take(check, buffer.whole_bytes, at_end);
  int kind = cvk_between(check, 0, 9);
  fill_random(check, buffer.whole, buffer.whole_bytes);
  if (kind < 2) memset(buffer.whole, kind ? 255 : 0, buffer.whole_bytes);
  for (size_t i = 0; kind == 2 && i < buffer.whole_bytes; i++) buffer.whole[i] = buffer.whole[i] & 1 ? 255 : 0;
  return buffer;
}

cvk_buffer cvk_float_source(cvk_check *check, int floats_per_row, int rows, float low, float high) {
  cvk_buffer buffer = cvk_source(check, floats_per_row * 4, rows, 4);
  int kind = cvk_between(check, 0, 9);
  for (size_t i = 0; i + 4 <= buffer.whole_bytes; i += 4) {
    float value = kind == 0   ? low
                  : kind == 1 ? high
                  : kind == 2 ? (cvk_random(check) & 1 ? low : high)
                              : cvk_float_between(check, low, high);
    memcpy(buffer.whole + i, &value, 4);
  }
  return buffer;
}

void cvk_add_special_floats(cvk_check *check, cvk_buffer buffer) {
  const float values[] =
      {NAN, -NAN, INFINITY, -INFINITY, -0.0f, 1e-41f, -1e-41f, 3e38f, -3e38f, 0.5f, 1, 1.5f, 255, 256};
  for (size_t i = 0; i + 4 <= buffer.whole_bytes; i += 4)
    if (cvk_between(check, 0, 7) == 0)
      memcpy(buffer.whole + i, &values[cvk_between(check, 0, (int)(sizeof values / sizeof values[0]) - 1)], 4);
}

cvk_buffer cvk_result(cvk_check *check, int row_bytes, int rows, int alignment) {
  cvk_buffer buffer = {.row_bytes = row_bytes, .rows = rows, .stride = random_stride(check, row_bytes, alignment)};
  buffer.whole_bytes = bytes_of(&buffer) + 2 * GUARD;
  buffer.whole = take(check, buffer.whole_bytes, 0);
  buffer.bytes = buffer.whole + GUARD / 2 + cvk_between(check, 0, 64 / alignment) * alignment;
  fill_random(check, buffer.whole, buffer.whole_bytes);
  return buffer;
}

cvk_buffer cvk_result_like(cvk_check *check, cvk_buffer other) {
  cvk_buffer buffer = other;
  buffer.whole = take(check, buffer.whole_bytes, 0);
  buffer.bytes = buffer.whole + (other.bytes - other.whole);
  memcpy(buffer.whole, other.whole, buffer.whole_bytes);
  /* The rows get other contents, so that unwritten parts of a result are detected. */
  for (int y = 0; y < buffer.rows; y++)
    for (int x = 0; x < buffer.row_bytes; x++) buffer.bytes[y * buffer.stride + x] ^= 0x5A;
  return buffer;
}

/* Returns 1 if everything outside the rows is the same in both. */
static int guards_equal(const cvk_buffer *a, const cvk_buffer *b, char *text, size_t capacity) {
  size_t start = (size_t)(a->bytes - a->whole);
  for (size_t i = 0; i < a->whole_bytes; i++) {
    if (a->whole[i] == b->whole[i]) continue;
    ptrdiff_t at = (ptrdiff_t)i - (ptrdiff_t)start;
    int inside = at >= 0 && at / a->stride < a->rows && at % a->stride < a->row_bytes;
    if (inside) continue;
    snprintf(text, capacity, "wrote outside the rows (%d of %d bytes, stride %td): at byte %td", a->rows, a->row_bytes,
             a->stride, at);
    return 0;
  }
  return 1;
}

void cvk_expect_equal(cvk_check *check, cvk_buffer wanted, cvk_buffer got) {
  char text[160] = "";
  int good = guards_equal(&wanted, &got, text, sizeof text);
  for (int y = 0; y < wanted.rows && good; y++)
    for (int x = 0; x < wanted.row_bytes && good; x++) {
      int a = wanted.bytes[y * wanted.stride + x], b = got.bytes[y * got.stride + x];
      if (a == b) continue;
      snprintf(text, sizeof text, "byte %d of row %d (%d rows of %d): %d, wanted %d", x, y, wanted.rows,
               wanted.row_bytes, b, a);
      good = 0;
    }
  cvk_expect(check, good, text);
}

void cvk_expect_close(cvk_check *check, cvk_buffer wanted, cvk_buffer got, float absolute, float relative) {
  char text[160] = "";
  int good = guards_equal(&wanted, &got, text, sizeof text);
  for (int y = 0; y < wanted.rows && good; y++)
    for (int x = 0; x < wanted.row_bytes / 4 && good; x++) {
      float a, b;
      memcpy(&a, wanted.bytes + y * wanted.stride + x * 4, 4);
      memcpy(&b, got.bytes + y * got.stride + x * 4, 4);
      if (a == b || (isnan(a) && isnan(b)) || fabsf(a - b) <= absolute + relative * fabsf(a)) continue;
      snprintf(text, sizeof text, "float %d of row %d (%d rows of %d): %.9g, wanted %.9g", x, y, wanted.rows,
               wanted.row_bytes / 4, (double)b, (double)a);
      good = 0;
    }
  cvk_expect(check, good, text);
}
