#ifndef CVD_HEVC_SEQUENCE_H
#define CVD_HEVC_SEQUENCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* The sequence parameters of the HEVC images in a HEIF file. */
typedef struct cvd_hevc_sequence {
  uint32_t width, height; /* the largest coded size; 0 where there is none */
  bool is_contradictory;  /* block sizes or bit depths that no image of that size can have */
} cvd_hevc_sequence;

/* Reads the HEVC configurations in a HEIF file's meta box. */
cvd_hevc_sequence cvd_hevc_sequence_of(const uint8_t *meta, size_t size);

#endif
