/* Sparse pointwise convolutions, over the vectors of network_lanes.h.
 *
 * A vector holds pixels, since the weights of neighbouring channels are zero in different places. A block of pixels is
 * transposed, a portion of its channels at a time; every weight that is not zero is multiplied with all pixels of its
 * channel; and the sums are transposed back. */
#include "network_math.h"
#include "sparse_layout.h"

typedef struct sparse_block {
  const cvk_convolution *c;
  const float *packed, *weights; /* the latter behind the header */
  const float *src, *residual; /* the first pixel, at the first channel and at channel0 */
  float *dst;                  /* the first pixel, at channel0 */
  ptrdiff_t src_pixel, dst_pixel, residual_pixel;
  int pixels, channel0, channel1;
  float *inputs; /* a portion, transposed: channels of VECTORS vectors */
  float *sums;   /* of all channels, between portions */
  float *tile;   /* LANES channels of the result */
} sparse_block;

/* Transposes `count` channels from k on of the pixels of a vector. `whole`: of LANES channels and pixels. */
inline_always void take_square(const sparse_block *b, int first, int k, int count, float *to, const int VECTORS,
                               const int whole) {
  const float *from = OFFSET(const float, b->src, first * b->src_pixel) + k;
  vf rows[LANES];
  UNROLL for (int i = 0; i < LANES; i++) {
    const float *p = OFFSET(const float, from, i * b->src_pixel);
    rows[i] = whole ? load(p) : load_first(p, 0, first + i < b->pixels ? count : 0);
  }
  transpose(rows);
  UNROLL for (int i = 0; i < LANES; i++) {
    if (whole || i < count) store(to + i * VECTORS * LANES, rows[i]);
  }
}

/* Transposes the channels k0 ..< k1 of the block. */
inline_always void take_inputs(const sparse_block *b, int k0, int k1, const int VECTORS) {
  for (int v = 0; v < VECTORS; v++) {
    const int first = v * LANES;
    float *to = b->inputs + first;
    int k = k0;
    for (; k + LANES <= k1 && first + LANES <= b->pixels; k += LANES, to += LANES * VECTORS * LANES)
      take_square(b, first, k, LANES, to, VECTORS, 1);
    for (; k < k1; k += LANES, to += LANES * VECTORS * LANES)
      take_square(b, first, k, k1 - k < LANES ? k1 - k : LANES, to, VECTORS, 0);
  }
}

/* The sums of the channel, from those before or from its bias on. */
inline_always void add_products(const sparse_block *b, int portion, const float *places, int channel, float *to,
                                const int VECTORS) {
  const float *before = b->sums + (channel - b->channel0) * VECTORS * LANES;
  const float *w = sparse_weights(places, b->weights, channel), *end = sparse_weights(places, b->weights, channel + 1);
  vf sums[CVK_SPARSE_VECTORS], bias = SPLAT(b->packed[channel]);
  UNROLL for (int v = 0; v < VECTORS; v++) sums[v] = portion ? load(before + v * LANES) : bias;
  for (; w < end; w += 2) {
    const float *x = b->inputs + (ptrdiff_t)sparse_integer(w) * (VECTORS * LANES);
    const vf weight = SPLAT(w[1]);
    UNROLL for (int v = 0; v < VECTORS; v++) sums[v] = FMA(load(x + v * LANES), weight, sums[v]);
  }
  UNROLL for (int v = 0; v < VECTORS; v++) store(to + v * LANES, sums[v]);
}

/* Transposes `count` channels of the tile back, of the pixels of vector v. `whole`: of LANES channels and pixels, with
 * nothing added. */
inline_always void give_square(const sparse_block *b, int v, int channel, int count, const int VECTORS,
                               const int whole) {
  const cvk_convolution *c = b->c;
  const int added = c->residual_channels - channel < count ? c->residual_channels - channel : count;
  const int offset = channel - b->channel0, clamps = c->activation.kind == CVK_ACTIVATION_CLAMP;
  const vf low = SPLAT(clamps ? c->activation.a : -INFINITY), high = SPLAT(clamps ? c->activation.b : INFINITY);
  const ptrdiff_t residual_pixel = b->residual_pixel;
  float *to = OFFSET(float, b->dst, v * LANES * b->dst_pixel) + offset;
  vf rows[LANES];
  UNROLL for (int i = 0; i < LANES; i++) rows[i] = load(b->tile + (i * VECTORS + v) * LANES);
  transpose(rows);
  UNROLL for (int i = 0; i < LANES; i++) {
    const int pixel = v * LANES + i;
    float *at = OFFSET(float, to, i * b->dst_pixel);
    if (whole) {
      store(at, at_most(at_least(rows[i], low), high));
    } else if (pixel < b->pixels) {
      vf sum = rows[i], other = SPLAT(0);
      if (c->residual) other = load_first(OFFSET(const float, b->residual, pixel * residual_pixel) + offset, 0, added);
      if (c->residual == CVK_RESIDUAL_BEFORE) sum = sum + other;
      sum = at_most(at_least(sum, low), high);
      if (c->residual == CVK_RESIDUAL_AFTER) sum = sum + other;
      if (count == LANES) store(at, sum);
      else store_lanes(at, sum, count);
    }
  }
}

/* Transposes the tile back: the channels from `channel` on. */
inline_always void give_results(const sparse_block *b, int channel, const int VECTORS) {
  const int count = b->channel1 - channel < LANES ? b->channel1 - channel : LANES;
  for (int v = 0; v < VECTORS; v++) {
    const int whole = count == LANES && (v + 1) * LANES <= b->pixels && !b->c->residual;
    if (whole) give_square(b, v, channel, LANES, VECTORS, 1);
    else give_square(b, v, channel, count, VECTORS, 0);
  }
}

inline_always void run_block(const sparse_block *b, const int VECTORS) {
  const cvk_convolution *c = b->c;
  const int size = sparse_portion(c), last = sparse_portions(c) - 1;
  for (int portion = 0; portion <= last; portion++) {
    const int k0 = portion * size, k1 = portion < last ? k0 + size : c->input_channels;
    const float *places = sparse_places(b->packed, c, portion);
    take_inputs(b, k0, k1, VECTORS);
    if (portion < last) {
      for (int n = b->channel0; n < b->channel1; n++)
        add_products(b, portion, places, n, b->sums + (n - b->channel0) * VECTORS * LANES, VECTORS);
      continue;
    }
    for (int n = b->channel0; n < b->channel1; n += LANES) {
      for (int i = 0; i < LANES && n + i < b->channel1; i++)
        add_products(b, portion, places, n + i, b->tile + i * VECTORS * LANES, VECTORS);
      give_results(b, n, VECTORS);
    }
  }
  if (c->activation.kind == CVK_ACTIVATION_NONE || c->activation.kind == CVK_ACTIVATION_CLAMP) return;
  cvk_activation activation = c->activation;
  if (activation.kind == CVK_ACTIVATION_PRELU) activation.slopes += b->channel0;
  VARIANT(cvk_f32_activate)(b->dst, b->dst_pixel, b->pixels, b->channel1 - b->channel0, &activation);
}

#define SPARSE_BLOCK(n) \
  static void run_block_##n(const sparse_block *b) { run_block(b, n); }
SPARSE_BLOCK(1)
SPARSE_BLOCK(2)
SPARSE_BLOCK(3)
SPARSE_BLOCK(4)
SPARSE_BLOCK(5)
SPARSE_BLOCK(6)
SPARSE_BLOCK(7)
static void (*const sparse_blocks[CVK_SPARSE_VECTORS])(const sparse_block *) = {
    run_block_1, run_block_2, run_block_3, run_block_4, run_block_5, run_block_6, run_block_7,
};

/* Pixels in even steps from those of `b` on, in blocks as even as can be. */
static void run_sparse_pixels(sparse_block b, int64_t pixels) {
  const int64_t vectors = (pixels + LANES - 1) / LANES;
  const int64_t blocks = (vectors + CVK_SPARSE_VECTORS - 1) / CVK_SPARSE_VECTORS;
  const sparse_block first = b;
  for (int64_t block = 0; block < blocks; block++) {
    const int64_t begin = vectors * block / blocks, end = vectors * (block + 1) / blocks, at = begin * LANES;
    b.src = OFFSET(const float, first.src, at * b.src_pixel), b.dst = OFFSET(float, first.dst, at * b.dst_pixel);
    if (first.residual) b.residual = OFFSET(const float, first.residual, at * b.residual_pixel);
    b.pixels = (int)(pixels - at < (end - begin) * LANES ? pixels - at : (end - begin) * LANES);
    sparse_blocks[end - begin - 1](&b);
  }
}

void VARIANT(cvk_f32_convolve_sparse)(float *dst, const float *src, const float *residual, const float *packed,
                                      const cvk_convolution *convolution, int row0, int row1, int channel0,
                                      int channel1, void *work) {
  const cvk_convolution *c = convolution;
  if (row1 <= row0 || channel1 <= channel0) return;
  sparse_block b = {.c = c, .packed = packed, .weights = packed + sparse_header(c), .channel0 = channel0,
                    .channel1 = channel1, .src_pixel = c->src_pixel, .dst_pixel = c->dst_pixel,
                    .residual_pixel = c->residual_pixel, .inputs = work};
  b.tile = b.inputs + (size_t)sparse_portion(c) * CVK_SPARSE_PIXELS;
  b.sums = b.tile + (size_t)CVK_PANEL * CVK_SPARSE_PIXELS;
  const ptrdiff_t width = c->output_width;
  int64_t rows = row1 - row0, pixels = width;
  if (width == 1) {
    b.src_pixel = c->src_row, b.dst_pixel = c->dst_row, b.residual_pixel = c->residual_row;
    pixels = rows, rows = 1;
  } else if (c->src_row == width * c->src_pixel && c->dst_row == width * c->dst_pixel &&
             (!c->residual || c->residual_row == width * c->residual_pixel)) {
    pixels *= rows, rows = 1;
  }
  for (int64_t y = row0; y < row0 + rows; y++) {
    b.src = OFFSET(const float, src, y * c->src_row);
    b.dst = OFFSET(float, dst, y * c->dst_row) + channel0;
    b.residual = c->residual ? OFFSET(const float, residual, y * c->residual_row) + channel0 : NULL;
    run_sparse_pixels(b, pixels);
  }
}
