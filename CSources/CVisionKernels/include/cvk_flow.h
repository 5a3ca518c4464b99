/* Parameters of the kernels for optical flow. */
#ifndef CVK_FLOW_H
#define CVK_FLOW_H

#include <stddef.h>
#include <stdint.h>

/* Planes of floats have rows of cvk_flow_stride(width) elements; the pixel (x, y) is element CVK_FLOW_MARGIN + x of row
 * y. Kernels that write a plane repeat the first and last pixel of a row in CVK_FLOW_EDGE elements on either side. */
enum { CVK_FLOW_MARGIN = 16, CVK_FLOW_EDGE = 2 };
static inline ptrdiff_t cvk_flow_stride(int width) {
  return (((ptrdiff_t)width + 15) & ~(ptrdiff_t)15) + 2 * CVK_FLOW_MARGIN;
}

/* The system of equations keeps the pixels of the two colours of a checkerboard apart: each row has for each colour
 * CVK_FLOW_QUANTITIES arrays of cvk_flow_half(width) elements, pixel k at element CVK_FLOW_HALF_MARGIN + k. */
enum { CVK_FLOW_QUANTITIES = 11, CVK_FLOW_HALF_MARGIN = 8 };
static inline ptrdiff_t cvk_flow_half(int width) {
  return ((((ptrdiff_t)width + 1) / 2 + 15) & ~(ptrdiff_t)15) + 2 * CVK_FLOW_HALF_MARGIN;
}
/* Elements of a row of the system. */
static inline ptrdiff_t cvk_flow_system_stride(int width) { return 2 * CVK_FLOW_QUANTITIES * cvk_flow_half(width); }

/* Fast motion is searched for squares of CVK_FLOW_PATCH pixels, CVK_FLOW_REACH pixels far, one less to the right and
 * down. */
enum { CVK_FLOW_PATCH = 8, CVK_FLOW_REACH = 8 };

/* How the flow is weighed against the images. */
typedef struct cvk_flow_weights {
  float brightness;  /* the weight of equal brightness */
  float gradient;    /* the weight of equal gradients */
  float smoothness;  /* the weight of equal flow of neighbours */
  float data_scale;  /* differences of the images below this count by their squares, in grey levels */
  float flow_scale;  /* differences of the flow below this count by their squares, in pixels */
  float edge;        /* gradients from which on neighbours are held together less, in grey levels a pixel */
} cvk_flow_weights;

#endif
