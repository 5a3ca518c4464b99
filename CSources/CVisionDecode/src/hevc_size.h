#ifndef CVD_HEVC_SIZE_H
#define CVD_HEVC_SIZE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* Raises *width and *height to the largest coded size that an HEVC configuration in a HEIF file's meta box announces. */
void cvd_hevc_largest_size(const uint8_t *meta, size_t size, uint32_t *width, uint32_t *height);

#endif
