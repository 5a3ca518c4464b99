/* CBarcodeWriter: codes for the tests, drawn by ZXing-C++. */
#ifndef CBARCODEWRITER_H
#define CBARCODEWRITER_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/* Draws a code, one byte a module: 0 dark, 255 light, rows from the top, `margin` light modules on each side. `format`
 * is the library's name of it ("QRCode", "EAN-13"); `text` is UTF-8; `level` is that of error correction, 0...8, or -1.
 * Returns the number of bytes, which are written where they fit into `capacity`, and the size; 0 where the library
 * refuses. */
size_t cbw_write(const char *format, const char *text, int level, int margin, uint8_t *modules, size_t capacity,
                 int *width, int *height);

#ifdef __cplusplus
}
#endif
#endif
