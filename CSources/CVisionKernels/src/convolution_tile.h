/* A tile of a convolution: a few pixels side by side times a few panels of output channels, all of it in registers.
 * Over the vectors of network_lanes.h. */
#include "network_math.h"

enum { PANEL_VECTORS = CVK_PANEL / LANES };

typedef struct tile_job {
  int count; /* of tiles side by side that differ in nothing but where they are */
  const char *src; /* the first tap of the first pixel */
  ptrdiff_t pixel; /* from pixel to pixel; all steps are in bytes */
  int rows, runs, length; /* of the kernel: rows, runs of a row, floats of a run */
  ptrdiff_t row_step, run_step;
  ptrdiff_t row_gap; /* bytes of weights from the end of a row's runs to the next row */
  const float *bias; /* of the first panel */
  size_t weights; /* floats from the bias to the first weight in use */
  ptrdiff_t panel; /* from panel to panel, in bytes */
  int last_count; /* channels of the last CVK_PANEL of the tile */
  float *dst;
  ptrdiff_t dst_pixel;
  const float *before, *after; /* residuals, or NULL */
  ptrdiff_t residual_pixel;
  int residual_count; /* channels of the residuals from the tile's first on, perhaps none */
  enum cvk_activation_kind kind;
  float a, b;
  const float *slopes; /* of the first channel */
} tile_job;

/* Keeps an address in one register: the others of a tile are reached from it, not by registers of their own. */
#define OPAQUE(address) __asm__("" : "+r"(address))

/* Steps of one iteration of the loop, and the bytes of a panel that a step takes. */
enum { TURN_STEPS = 4, TURN_BYTES = CVK_PANEL * 4 };

typedef uint64_t vd __attribute__((vector_size(sizeof(vf))));

/* The float, or the two floats, that a step takes of a pixel. */
inline_always vf values_at(const float *p, const int PAIRED) {
  if (!PAIRED) return SPLAT(*p);
  uint64_t pair;
  memcpy(&pair, p, sizeof pair);
  return (vf)((vd){0} + pair);
}

/* The last float of a row that has an odd number of them. */
inline_always vf value_alone(const float *p) {
  uint32_t bits;
  memcpy(&bits, p, sizeof bits);
  return (vf)((vd){0} + (uint64_t)bits);
}

/* The products of one step of all pixels. */
#define TILE_STEP(at, x_of) \
  do { \
    vf w[TILE_VECTORS]; \
    __asm__ volatile("" ::: "memory"); \
    UNROLL for (int j = 0; j < VECTORS; j++) \
        w[j] = load((const float *)(b + j / PANEL_VECTORS * panel) + (at) * CVK_PANEL + j % PANEL_VECTORS * LANES); \
    UNROLL for (int i = 0; i < PIXELS; i++) { \
      const float *p = (const float *)(a + i * pixel) + (at) * STEP; \
      vf x = x_of; \
      UNROLL for (int j = 0; j < VECTORS; j++) sum[i][j] = FMA(x, w[j], sum[i][j]); \
    } \
  } while (0)

/* Channels of vector j of a panel that has `count`: LANES or more if all are. */
inline_always int lanes_of(int j, int count) { return count - j % PANEL_VECTORS * LANES; }

inline_always vf load_channels(const float *p, int j, int panels, int count) {
  if (j / PANEL_VECTORS < panels - 1 || lanes_of(j, count) >= LANES) return load(p + j * LANES);
  return lanes_of(j, count) > 0 ? load_lanes(p + j * LANES, lanes_of(j, count)) : SPLAT(0);
}

inline_always void store_channels(float *p, vf v, int j, int panels, int count) {
  if (j / PANEL_VECTORS < panels - 1 || lanes_of(j, count) >= LANES) {
    store(p + j * LANES, v);
  } else if (lanes_of(j, count) > 0) {
    store_lanes(p + j * LANES, v, lanes_of(j, count));
  }
}

inline_always const float *pixel_at(const float *p, ptrdiff_t step, ptrdiff_t i) {
  return (const float *)((const char *)p + i * step);
}

/* Residual, activation and storing. */
inline_always void end_tile_here(const tile_job *job, int tile, vf sum[CVK_TILE_PIXELS][TILE_VECTORS], const int PANELS,
                                 const int PIXELS) {
  const int VECTORS = PANELS * PANEL_VECTORS;
  const int count = job->last_count;
  const ptrdiff_t before_here = (ptrdiff_t)tile * PIXELS;
  if (job->before) {
    UNROLL for (int i = 0; i < PIXELS; i++) {
      const float *other = pixel_at(job->before, job->residual_pixel, before_here + i);
      UNROLL for (int j = 0; j < VECTORS; j++) sum[i][j] = sum[i][j] + load_first(other, j, job->residual_count);
    }
  }
  if (job->kind == CVK_ACTIVATION_CLAMP) {
    vf low = SPLAT(job->a), high = SPLAT(job->b);
    UNROLL for (int i = 0; i < PIXELS; i++) {
      UNROLL for (int j = 0; j < VECTORS; j++) sum[i][j] = at_most(at_least(sum[i][j], low), high);
    }
  } else if (job->kind == CVK_ACTIVATION_LEAKY || job->kind == CVK_ACTIVATION_PRELU) {
    vf zero = SPLAT(0);
    UNROLL for (int j = 0; j < VECTORS; j++) {
      vf slope = job->kind == CVK_ACTIVATION_LEAKY ? SPLAT(job->a) : load_channels(job->slopes, j, PANELS, count);
      UNROLL for (int i = 0; i < PIXELS; i++)
          sum[i][j] = FMA(slope, at_most(sum[i][j], zero), at_least(sum[i][j], zero));
    }
  } else if (job->kind == CVK_ACTIVATION_HARD_SWISH) {
    vf a = SPLAT(job->a), b = SPLAT(job->b);
    UNROLL for (int i = 0; i < PIXELS; i++) {
      UNROLL for (int j = 0; j < VECTORS; j++) sum[i][j] = activated(sum[i][j], CVK_ACTIVATION_HARD_SWISH, a, b, a);
    }
  } else if (job->kind != CVK_ACTIVATION_NONE) {
    /* These activations need the registers for themselves. The sums must not have an address: they would lie in memory
     * from the start. */
    vf held[CVK_TILE_PIXELS * TILE_VECTORS];
    UNROLL for (int i = 0; i < PIXELS; i++) {
      UNROLL for (int j = 0; j < VECTORS; j++) held[i * VECTORS + j] = sum[i][j];
    }
    const cvk_activation activation = {.kind = job->kind, .a = job->a, .b = job->b};
    VARIANT(cvk_f32_activate)((float *)held, 0, 1, PIXELS * VECTORS * LANES, &activation);
    UNROLL for (int i = 0; i < PIXELS; i++) {
      UNROLL for (int j = 0; j < VECTORS; j++) sum[i][j] = held[i * VECTORS + j];
    }
  }
  if (job->after) {
    UNROLL for (int i = 0; i < PIXELS; i++) {
      const float *other = pixel_at(job->after, job->residual_pixel, before_here + i);
      UNROLL for (int j = 0; j < VECTORS; j++) sum[i][j] = sum[i][j] + load_first(other, j, job->residual_count);
    }
  }
  UNROLL for (int i = 0; i < PIXELS; i++) {
    float *out = (float *)((char *)job->dst + (before_here + i) * job->dst_pixel);
    UNROLL for (int j = 0; j < VECTORS; j++) store_channels(out, sum[i][j], j, PANELS, count);
  }
}

inline_always void compute_tile(const tile_job *job, int tile, const int PAIRED, const int PANELS, const int PIXELS) {
  const int STEP = PAIRED ? 2 : 1;
  const int VECTORS = PANELS * PANEL_VECTORS;
  vf sum[CVK_TILE_PIXELS][TILE_VECTORS];
  UNROLL for (int j = 0; j < VECTORS; j++) {
    const char *biases = (const char *)job->bias + j / PANEL_VECTORS * job->panel;
    vf bias = load((const float *)biases + j % PANEL_VECTORS * LANES);
    UNROLL for (int i = 0; i < PIXELS; i++) sum[i][j] = bias;
  }
  const char *b = (const char *)(job->bias + job->weights);
  const ptrdiff_t pixel = job->pixel, panel = job->panel;
  for (int row = 0; row < job->rows; row++) {
    for (int run = 0; run < job->runs; run++) {
      const char *a = job->src + (ptrdiff_t)tile * PIXELS * pixel + row * job->row_step + run * job->run_step;
      int k = job->length;
      for (; k >= TURN_STEPS * STEP; k -= TURN_STEPS * STEP, a += 4 * TURN_STEPS * STEP, b += TURN_STEPS * TURN_BYTES) {
        OPAQUE(a);
        OPAQUE(b);
        UNROLL for (int step = 0; step < TURN_STEPS; step++) TILE_STEP(step, values_at(p, PAIRED));
      }
      for (; k >= STEP; k -= STEP, a += 4 * STEP, b += TURN_BYTES) {
        OPAQUE(a);
        OPAQUE(b);
        TILE_STEP(0, values_at(p, PAIRED));
      }
      if (PAIRED && k == 1) {
        TILE_STEP(0, value_alone(p));
        b += TURN_BYTES;
      }
    }
    b += job->row_gap;
  }
  if (PAIRED) {
    UNROLL for (int i = 0; i < PIXELS; i++) {
      UNROLL for (int j = 0; 2 * j < VECTORS; j++)
          sum[i][j] = sum_pairs(sum[i][2 * j], sum[i][2 * j + 1 < VECTORS ? 2 * j + 1 : 2 * j]);
    }
  }
  end_tile_here(job, tile, sum, PAIRED ? (PANELS + 1) / 2 : PANELS, PIXELS);
}
#undef TILE_STEP

/* TILE(panels, pixels) for every shape that the registers hold, as PLAIN_TILES and PAIRED_TILES list them. */
typedef void (*tile_function)(const tile_job *job);
#define TILE_FUNCTION(kind, paired, panels, pixels) \
  static void kind##_##panels##_##pixels(const tile_job *job) { \
    for (int tile = 0; tile < job->count; tile++) compute_tile(job, tile, paired, panels, pixels); \
  }
#define TILE(panels, pixels) TILE_FUNCTION(plain, 0, panels, pixels)
PLAIN_TILES
#undef TILE
#define TILE(panels, pixels) TILE_FUNCTION(paired, 1, panels, pixels)
PAIRED_TILES
#undef TILE
static const tile_function tiles[2][TILE_PANELS][CVK_TILE_PIXELS] = {{
#define TILE(panels, pixels) [panels - 1][pixels - 1] = plain_##panels##_##pixels,
    PLAIN_TILES
#undef TILE
}, {
#define TILE(panels, pixels) [panels - 1][pixels - 1] = paired_##panels##_##pixels,
    PAIRED_TILES
#undef TILE
}};
