/* Convolutions and matrix products over the tiles of convolution_tile.h: which tiles, in which order, and what is
 * around them. */

#include "convolution_patches.h"

/* A convolution as rows of pixels in even steps. */
typedef struct pixel_grid {
  const cvk_convolution *c;
  int row0, rows, width; /* the first row to compute, their number, pixels of each */
  ptrdiff_t src_row, src_pixel; /* from result to result */
  ptrdiff_t dst_row, dst_pixel, residual_row, residual_pixel;
  int paired;
  int padded; /* some tiles read padding */
  int patches; /* every tile needs a patch */
  int skips; /* tiles end where the kernel's columns enter or leave the image, and leave out those outside */
} pixel_grid;

/* The columns of the kernel that lie in the image for the pixels from x on, and the end of those pixels. */
typedef struct column_span {
  int kx0, kx1, end;
} column_span;

static column_span columns_at(const cvk_convolution *c, int x, int end) {
  column_span span = {.kx0 = 0, .kx1 = c->kernel_width, .end = end};
  int64_t left = (int64_t)x * c->stride_x - c->pad_left;
  while (span.kx0 < span.kx1 && left + (int64_t)span.kx0 * c->dilation_x < 0) span.kx0++;
  while (span.kx0 < span.kx1 && left + (int64_t)(span.kx1 - 1) * c->dilation_x >= c->input_width) span.kx1--;
  for (int next = x + 1; next < end; next++) {
    int64_t at = (int64_t)next * c->stride_x - c->pad_left;
    int enters = span.kx0 > 0 && at + (int64_t)(span.kx0 - 1) * c->dilation_x >= 0;
    int leaves = span.kx1 > span.kx0 && at + (int64_t)(span.kx1 - 1) * c->dilation_x >= c->input_width;
    if (enters || leaves) span.end = next;
    if (enters || leaves) break;
  }
  return span;
}

/* True where columns that are wide apart make it worth while to leave out those outside of the image. */
static int skips_columns(const pixel_grid *p) {
  const cvk_convolution *c = p->c;
  if (!p->padded || p->patches || c->kernel_width == 1 || rows_are_runs(c) || c->dilation_x == 1) return 0;
  /* A tile of fewer pixels takes the time of four: its weights are loaded for them. */
  int64_t products = 0, all = (int64_t)c->kernel_width * p->width;
  for (int x = 0; x < p->width;) {
    column_span span = columns_at(c, x, p->width);
    int pixels = span.end - x;
    products += (int64_t)(span.kx1 - span.kx0) * (pixels < 4 ? 4 : pixels);
    x = span.end;
  }
  return products * 10 < all * 9;
}

/* The rows of a 1 x 1 convolution are one where the steps allow it. */
static pixel_grid grid_of(const cvk_convolution *c, int row0, int row1, int paired) {
  pixel_grid p = {.c = c, .row0 = row0, .rows = row1 - row0, .width = c->output_width,
               .src_row = c->src_row * c->stride_y, .src_pixel = c->src_pixel * c->stride_x,
               .dst_row = c->dst_row, .dst_pixel = c->dst_pixel,
               .residual_row = c->residual_row, .residual_pixel = c->residual_pixel};
  p.paired = paired;
  p.padded = reads_padding(c);
  p.patches = paired && pairs_need_runs(c) && !rows_are_runs(c);
  p.skips = skips_columns(&p);
  int64_t last = (int64_t)(c->output_height - 1) * c->stride_y - c->pad_top;
  int plain = c->kernel_height == 1 && c->kernel_width == 1 && !p.padded && c->pad_top <= 0 && last < c->input_height;
  if (!plain) return p;
  if (p.width == 1) p.src_pixel = p.src_row, p.dst_pixel = p.dst_row, p.residual_pixel = p.residual_row;
  int even = p.src_row == p.width * p.src_pixel && p.dst_row == p.width * p.dst_pixel &&
             (c->residual == CVK_RESIDUAL_NONE || p.residual_row == p.width * p.residual_pixel);
  if (even && p.rows > 0) p.width *= p.rows, p.rows = 1;
  return p;
}

/* What the tiles of one row and one group of panels have in common. */
typedef struct tile_row {
  const pixel_grid *p;
  float *dst;   /* the row's first pixel, at the first channel */
  float *patch; /* room for one */
  const float *src, *residual;
  int ky0, ky1; /* the kernel rows that lie in the image */
  int kx0, kx1; /* the kernel columns that are read, where tiles are no patches */
  int64_t top;  /* the first row of the image that is read, if it is there */
  int panels, out_panels, last_count; /* panels of weights, and CVK_PANELs of results */
  int residual_count;
  tile_job job; /* everything but the position */
} tile_row;

static tile_row row_of_tiles(float *dst, const float *src, const float *residual, const float *packed,
                             const pixel_grid *p, int y, int channel, int panels, int channel1, float *patch) {
  const cvk_convolution *c = p->c;
  int each = panel_channels(p->paired), out_panels = (panels * each + CVK_PANEL - 1) / CVK_PANEL;
  int channels = channel + panels * each < channel1 ? panels * each : channel1 - channel;
  int64_t top = (int64_t)y * c->stride_y - c->pad_top;
  int ky0 = 0, ky1 = c->kernel_height;
  while (ky0 < ky1 && top + (int64_t)ky0 * c->dilation_y < 0) ky0++;
  while (ky0 < ky1 && top + (int64_t)(ky1 - 1) * c->dilation_y >= c->input_height) ky1--;
  tile_row row = {.p = p, .dst = OFFSET(float, dst, y * p->dst_row) + channel, .src = src, .patch = patch,
                  .residual = residual ? OFFSET(const float, residual, y * p->residual_row) + channel : NULL,
                  .ky0 = ky0, .ky1 = ky1, .kx0 = 0, .kx1 = c->kernel_width, .top = top,
                  .panels = panels, .out_panels = out_panels,
                  .last_count = channels - (out_panels - 1) * CVK_PANEL,
                  .residual_count = c->residual_channels - channel};
  tile_job *job = &row.job;
  job->rows = ky1 - ky0;
  job->bias = packed + (size_t)(channel / each) * panel_floats(c, p->paired);
  job->panel = (ptrdiff_t)(panel_floats(c, p->paired) * sizeof(float));
  job->kind = c->activation.kind, job->a = c->activation.a, job->b = c->activation.b;
  job->slopes = c->activation.kind == CVK_ACTIVATION_PRELU ? c->activation.slopes + channel : NULL;
  return row;
}

/* The address of the taps: in the source, or in a patch where the pixels of a tile read padding. */
static void find_taps(tile_row *row, int x, int pixels, int patched) {
  const pixel_grid *p = row->p;
  const cvk_convolution *c = p->c;
  tile_job *job = &row->job;
  if (patched) {
    fill_patch(row->patch, row->src, c, row->top, (int64_t)x * c->stride_x - c->pad_left, row->ky0, row->ky1, pixels);
    job->src = (const char *)row->patch;
    job->pixel = (patch_has_rows(c) ? c->stride_x : c->kernel_width) * c->input_channels * (ptrdiff_t)sizeof(float);
    job->row_step = (ptrdiff_t)(patch_row_floats(c, pixels) * sizeof(float));
  } else {
    ptrdiff_t first_row = (row->top + (ptrdiff_t)row->ky0 * c->dilation_y) * c->src_row;
    ptrdiff_t first_column = ((ptrdiff_t)row->kx0 * c->dilation_x - c->pad_left) * c->src_pixel;
    job->src = OFFSET(const char, row->src, first_row + first_column + x * p->src_pixel);
    job->pixel = p->src_pixel;
    job->row_step = c->dilation_y * c->src_row;
  }
  int run = patched || rows_are_runs(c), columns = row->kx1 - row->kx0;
  job->runs = run ? 1 : columns, job->run_step = c->dilation_x * c->src_pixel;
  job->length = run ? (int)row_length(c) : c->input_channels;
  /* Columns that are left out are whole steps: where pairs would straddle them, every tile is a patch. */
  size_t column = columns < c->kernel_width ? panel_row_floats(c, p->paired) / (size_t)c->kernel_width : 0;
  job->weights = CVK_PANEL + (size_t)row->ky0 * panel_row_floats(c, p->paired) + (size_t)row->kx0 * column;
  job->row_gap = (ptrdiff_t)((size_t)(c->kernel_width - columns) * column * sizeof(float));
}

/* True where the pixels from x on need a patch. */
static int needs_patch(const pixel_grid *p, int x, int pixels) {
  const cvk_convolution *c = p->c;
  int64_t left = (int64_t)x * c->stride_x - c->pad_left;
  int64_t right = left + (int64_t)(pixels - 1) * c->stride_x + (int64_t)(c->kernel_width - 1) * c->dilation_x;
  return p->patches || (p->padded && !p->skips && (left < 0 || right >= c->input_width));
}

/* `count` tiles from pixel x on; only a single one may need a patch. */
static void run_tiles(tile_row *row, int x, int pixels, int count, int patched) {
  const pixel_grid *p = row->p;
  tile_job *job = &row->job;
  tile_function function = tiles[p->paired][row->panels - 1][pixels - 1];
  enum cvk_residual residual = p->c->residual;
  find_taps(row, x, pixels, patched);
  job->dst = OFFSET(float, row->dst, x * p->dst_pixel), job->dst_pixel = p->dst_pixel;
  const float *other = residual ? OFFSET(const float, row->residual, x * p->residual_pixel) : NULL;
  job->before = residual == CVK_RESIDUAL_BEFORE ? other : NULL;
  job->after = residual == CVK_RESIDUAL_AFTER ? other : NULL;
  job->residual_pixel = p->residual_pixel, job->residual_count = row->residual_count;
  job->count = count, job->last_count = row->last_count;
  function(job);
}

/* Pixels x ..< x + width of a row, in tiles as even as can be. */
static void run_pixels(tile_row *row, int x, int width) {
  int most = tile_pixels[row->p->paired][row->panels - 1], count = (width + most - 1) / most;
  int base = width / count, larger_ones = width % count;
  for (int tile = 0; tile < count;) {
    int pixels = base + (tile < larger_ones), last = tile < larger_ones ? larger_ones : count;
    int patched = needs_patch(row->p, x, pixels), together = 1;
    while (!patched && tile + together < last && !needs_patch(row->p, x + together * pixels, pixels)) together++;
    run_tiles(row, x, pixels, together, patched);
    x += together * pixels, tile += together;
  }
}

static void run_row(tile_row *row, int x, int width) {
  if (!row->p->skips) return run_pixels(row, x, width);
  for (int end = x + width; x < end;) {
    column_span span = columns_at(row->p->c, x, end);
    row->kx0 = span.kx0, row->kx1 = span.kx1;
    run_pixels(row, x, span.end - x);
    x = span.end;
  }
}

/* Panels of the next group, of `left` that there are, for rows of `width` pixels. */
static int group_of(int left, int width, int paired) {
  int best = 1, most = left < TILE_PANELS ? left : TILE_PANELS;
  double least = 0;
  for (int panels = 1; panels <= most; panels++) {
    if (!tile_pixels[paired][panels - 1]) continue;
    int pixels = tile_pixels[paired][panels - 1], count = (width + pixels - 1) / pixels;
    /* A pixel's broadcast serves all panels, a panel's load all pixels; both take about half of a product's time. */
    double products = (double)panels * PANEL_VECTORS * width, loads = width + (double)count * panels * PANEL_VECTORS;
    /* Fewer than eight sums wait for each other. */
    products = products < 8.0 * count ? 8.0 * count : products;
    double rest = left % panels ? 1 + 0.05 * (panels - left % panels) / left : 1;
    double cost = (products > loads ? products + 0.1 * loads : loads + 0.1 * products) / panels * rest;
    if (panels == 1 || cost < least) best = panels, least = cost;
  }
  return best;
}

static void convolve(float *dst, const float *src, const float *residual, const float *packed, const cvk_convolution *c,
                     int paired, int row0, int row1, int channel0, int channel1, float *patch) {
  if (row1 <= row0 || channel1 <= channel0) return;
  pixel_grid p = grid_of(c, row0, row1, paired);
  int each = panel_channels(paired), all_panels = (channel1 - channel0 + each - 1) / each;
  size_t weight_bytes = (size_t)all_panels * panel_floats(c, paired) * sizeof(float);
  /* Weights that stay in the L2 cache may be read again for every few pixels, which then come from the first one;
   * of others as many results as possible are computed while a group of them is there. */
  size_t pixel_bytes = (size_t)c->input_channels * (size_t)c->kernel_height * sizeof(float) * (size_t)c->stride_x;
  size_t room = weight_bytes <= 384 * 1024 ? 24 * 1024 : 256 * 1024;
  size_t fitting = room / pixel_bytes;
  int columns = p.width, rows = 1;
  if (fitting < (size_t)p.width) {
    columns = fitting < CVK_TILE_PIXELS ? CVK_TILE_PIXELS : (int)fitting;
  } else if (fitting / (size_t)p.width < (size_t)p.rows) {
    rows = (int)(fitting / (size_t)p.width);
  } else {
    rows = p.rows;
  }
  for (int y0 = 0; y0 < p.rows; y0 += rows) {
    int y1 = p.rows - y0 < rows ? p.rows : y0 + rows;
    for (int x0 = 0; x0 < p.width; x0 += columns) {
      int width = p.width - x0 < columns ? p.width - x0 : columns, panels;
      for (int panel = 0; panel < all_panels; panel += panels) {
        panels = group_of(all_panels - panel, width, paired);
        for (int y = y0; y < y1; y++) {
          tile_row row = row_of_tiles(dst, src, residual, packed, &p, p.row0 + y, channel0 + panel * each, panels,
                                      channel1, patch);
          run_row(&row, x0, width);
        }
      }
    }
  }
}

/* The same for a slice of channels, copied a few rows at a time. */
static void convolve_slices(float *dst, const float *src, const float *residual, const float *packed,
                            const cvk_convolution *c, int row0, int row1, int channel0, int channel1, float *copy) {
  const ptrdiff_t row_floats = (ptrdiff_t)slice_row_floats(c);
  const int64_t window = slice_window(c), fitting = CVK_SLICE_FLOATS / row_floats;
  const int rows = (int)((fitting - window) / c->stride_y) + 1, columns = (int)(row_floats / c->input_channels);
  cvk_convolution inner = *c;
  inner.pad_left = 0, inner.input_width = columns;
  inner.src_pixel = c->input_channels * (ptrdiff_t)sizeof(float), inner.src_row = row_floats * (ptrdiff_t)sizeof(float);
  for (int y = row0; y < row1; y += rows) {
    const int end = row1 - y < rows ? row1 : y + rows;
    int64_t first = (int64_t)y * c->stride_y - c->pad_top;
    int64_t last = (int64_t)(end - 1) * c->stride_y - c->pad_top + window;
    first = first < 0 ? 0 : first, last = last < c->input_height ? last : c->input_height;
    for (int64_t row = first; row < last; row++)
      fill_pixels(copy + (row - first) * row_floats, OFFSET(const float, src, row * c->src_row), c, -c->pad_left, 1,
                  columns);
    convolve(dst, OFFSET(const float, copy, -first * inner.src_row), residual, packed, &inner, is_paired(c), y, end,
             channel0, channel1, NULL);
  }
}

void VARIANT(cvk_f32_convolve)(float *dst, const float *src, const float *residual, const float *packed,
                               const cvk_convolution *convolution, int row0, int row1, int channel0, int channel1,
                               void *work) {
#ifdef HALVES_SUIT
  if (HALVES_SUIT(convolution)) {
    cvk_f32_convolve__avx2(dst, src, residual, packed, convolution, row0, row1, channel0, channel1, work);
    return;
  }
#endif
  if (copies_slices(convolution) && row0 < row1 && channel0 < channel1) {
    convolve_slices(dst, src, residual, packed, convolution, row0, row1, channel0, channel1, work);
    return;
  }
  convolve(dst, src, residual, packed, convolution, is_paired(convolution), row0, row1, channel0, channel1, work);
}

/* Panels of the right matrix, scaled, without bias. */
static void pack_matrix(float *packed, const float *b, ptrdiff_t b_row, ptrdiff_t b_column, int columns, int inner,
                        float scale) {
  vf factor = SPLAT(scale);
  for (int first = 0; first < columns; first += CVK_PANEL) {
    int count = columns - first < CVK_PANEL ? columns - first : CVK_PANEL;
    const float *from = OFFSET(const float, b, first * b_column);
    memset(packed, 0, CVK_PANEL * sizeof(float));
    packed += CVK_PANEL;
    int k = 0;
    if (b_column == sizeof(float) && count == CVK_PANEL) {
      for (; k < inner; k++, packed += CVK_PANEL, from = OFFSET(const float, from, b_row)) {
        UNROLL for (int j = 0; j < PANEL_VECTORS; j++) store(packed + j * LANES, load(from + j * LANES) * factor);
      }
    } else if (b_row == sizeof(float) && count == CVK_PANEL) {
      for (; k + LANES <= inner; k += LANES, packed += LANES * CVK_PANEL) {
        for (int j = 0; j < PANEL_VECTORS; j++) {
          vf v[LANES];
          UNROLL for (int i = 0; i < LANES; i++)
              v[i] = load(OFFSET(const float, from, (j * LANES + i) * b_column) + k) * factor;
          transpose(v);
          UNROLL for (int i = 0; i < LANES; i++) store(packed + i * CVK_PANEL + j * LANES, v[i]);
        }
      }
      from += k;
    }
    for (; k < inner; k++, packed += CVK_PANEL, from = OFFSET(const float, from, b_row)) {
      for (int n = 0; n < CVK_PANEL; n++) packed[n] = n < count ? *OFFSET(const float, from, n * b_column) * scale : 0;
    }
  }
}

/* The left matrix, row by row, from one that lies column by column. */
static void transpose_matrix(float *transposed, const float *a, ptrdiff_t a_row, ptrdiff_t a_column, int rows,
                             int inner) {
  int k = 0;
  for (; a_row == sizeof(float) && k + LANES <= inner; k += LANES) {
    int y = 0;
    for (; y + LANES <= rows; y += LANES) {
      vf v[LANES];
      UNROLL for (int i = 0; i < LANES; i++) v[i] = load(OFFSET(const float, a, (k + i) * a_column) + y);
      transpose(v);
      UNROLL for (int i = 0; i < LANES; i++) store(transposed + (size_t)(y + i) * (size_t)inner + k, v[i]);
    }
    for (; y < rows; y++) {
      for (int i = 0; i < LANES; i++)
        transposed[(size_t)y * (size_t)inner + k + i] = *OFFSET(const float, a, y * a_row + (k + i) * a_column);
    }
  }
  for (; k < inner; k++) {
    for (int y = 0; y < rows; y++)
      transposed[(size_t)y * (size_t)inner + k] = *OFFSET(const float, a, y * a_row + k * a_column);
  }
}

void VARIANT(cvk_f32_multiply)(float *dst, ptrdiff_t dst_stride, const float *a, ptrdiff_t a_row, ptrdiff_t a_column,
                               const float *b, ptrdiff_t b_row, ptrdiff_t b_column, int rows, int columns, int inner,
                               float scale, void *work) {
  cvk_convolution c = {.input_height = rows, .input_width = 1, .input_channels = inner,
                       .output_height = rows, .output_width = 1, .output_channels = columns,
                       .kernel_height = 1, .kernel_width = 1, .stride_y = 1, .stride_x = 1,
                       .dilation_y = 1, .dilation_x = 1,
                       .src_row = a_row, .src_pixel = a_row, .dst_row = dst_stride, .dst_pixel = dst_stride};
  float *packed = work;
  pack_matrix(packed, b, b_row, b_column, columns, inner, scale);
  if (a_column != sizeof(float)) {
    float *transposed = packed + (size_t)(columns + CVK_PANEL - 1) / CVK_PANEL * panel_floats(&c, 0);
    transpose_matrix(transposed, a, a_row, a_column, rows, inner);
    a = transposed, c.src_row = c.src_pixel = inner * (ptrdiff_t)sizeof(float);
  }
  convolve(dst, a, NULL, packed, &c, 0, 0, rows, 0, columns, NULL);
}
