/* HEIF with HEVC images (HEIC) by libheif and libde265: the primary image, with the rotation, mirroring and cropping
 * that the file asks for. AV1 images are read by avif.c. */
#include <string.h>

#include <libheif/heif.h>

#include "hevc_sequence.h"
#include "internal.h"

static cvd_status truncated(cvd_message *message) {
  return cvd_fail(message, CVD_TRUNCATED, "HEIF: the data ends before the image does (truncated file)");
}

static cvd_status failed(cvd_message *message, struct heif_error error) {
  if (error.subcode == heif_suberror_End_of_data) return truncated(message);
  cvd_status status = CVD_DAMAGED;
  if (error.subcode == heif_suberror_Security_limit_exceeded) status = CVD_UNSUPPORTED;
  if (error.code == heif_error_Memory_allocation_error && status == CVD_DAMAGED) status = CVD_NO_MEMORY;
  if (error.code == heif_error_Unsupported_filetype || error.code == heif_error_Unsupported_feature)
    status = CVD_UNSUPPORTED;
  return cvd_fail(message, status, "HEIF: %s", error.message ? error.message : "libheif gives no reason");
}

typedef struct file {
  struct heif_context *context;
  struct heif_image_handle *image;
} file;

static void close_file(file *f) {
  heif_image_handle_release(f->image);
  heif_context_free(f->context);
}

/* The side of a square of `limit` pixels, as libheif's own check of coded sizes takes it. */
static int side_of(uint64_t limit) {
  uint64_t side = 1;
  while (side < 46340 && side * side < limit) side++; /* 46340² is the most that an int holds */
  return (int)side;
}

static uint64_t big_endian(const uint8_t *bytes, size_t count) {
  uint64_t value = 0;
  for (size_t i = 0; i < count; i++) value = value << 8 | bytes[i];
  return value;
}

static bool contains(const uint8_t *data, size_t size, const char *four) {
  for (size_t i = 0; i + 4 <= size; i++)
    if (memcmp(data + i, four, 4) == 0) return true;
  return false;
}

/* What the file's top-level boxes state and libheif does not report. */
typedef struct outline {
  bool is_av1; /* an item or a property is AV1. Brands are no evidence: an AV1 image may come as "mif1" */
  bool is_cut; /* the last box promises more than there is */
  cvd_hevc_sequence sequence;
} outline;

static outline outline_of(cvd_input input) {
  outline result = {0};
  size_t position = 0;
  while (input.size - position >= 8) {
    const uint8_t *box = input.data + position;
    uint64_t size = big_endian(box, 4), left = input.size - position;
    if (size == 1 && left >= 16) size = big_endian(box + 8, 8);
    if (size == 0) size = left; /* to the end of the file */
    if (size > left) {
      result.is_cut = true;
      size = left;
    }
    if (size < 8) return result;
    /* A sequence has its codec in another box. */
    if (memcmp(box + 4, "moov", 4) == 0) result.is_av1 |= contains(box, (size_t)size, "av01");
    if (memcmp(box + 4, "meta", 4) == 0) {
      result.is_av1 |= contains(box, (size_t)size, "av01") || contains(box, (size_t)size, "av1C");
      result.sequence = cvd_hevc_sequence_of(box, (size_t)size);
    }
    position += (size_t)size;
  }
  if (position < input.size) result.is_cut = true;
  return result;
}

bool cvd_is_av1(cvd_input input) { return outline_of(input).is_av1; }

/* On success the caller closes the file. */
static cvd_status open_file(file *f, cvd_input input, uint64_t pixel_limit, cvd_message *message) {
  outline outline = outline_of(input);
  if (outline.sequence.is_contradictory)
    return cvd_fail(message, CVD_DAMAGED, "HEIF: the parameters of the HEVC image contradict one another");
  f->context = heif_context_alloc();
  if (!f->context) return cvd_fail(message, CVD_NO_MEMORY, "HEIF: no memory for the decoder");
  heif_context_set_maximum_image_size_limit(f->context, side_of(pixel_limit));
  heif_context_set_max_decoding_threads(f->context, 0); /* the caller decides about threads */
  struct heif_error error = heif_context_read_from_memory_without_copy(f->context, input.data, input.size, NULL);
  if (error.code == heif_error_Ok) error = heif_context_get_primary_image_handle(f->context, &f->image);
  if (error.code == heif_error_Ok) return CVD_OK;
  cvd_status status = outline.is_cut ? truncated(message) : failed(message, error); /* whose text the context owns */
  close_file(f);
  return status;
}

static cvd_status describe(const file *f, cvd_info *info, cvd_message *message) {
  int width = heif_image_handle_get_width(f->image), height = heif_image_handle_get_height(f->image);
  int bits = heif_image_handle_get_luma_bits_per_pixel(f->image);
  if (width <= 0 || height <= 0 || bits <= 0)
    return cvd_fail(message, CVD_DAMAGED, "HEIF: the image says it is %d x %d pixels of %d bits", width, height, bits);
  info->width = (uint32_t)width;
  info->height = (uint32_t)height;
  info->bits_per_channel = (uint32_t)bits;
  info->colour = CVD_COLOUR_RGB;
  info->has_alpha = heif_image_handle_has_alpha_channel(f->image);
  info->channels = info->has_alpha ? 4 : 3;
  return CVD_OK;
}

/* The boxes and the coded images each have a size, and the decoder takes memory for the coded one, which is padded to
 * whole blocks. When that is too large info gets its size. */
static cvd_status check_coded_size(cvd_input input, cvd_info *info, uint64_t pixel_limit, cvd_message *message) {
  enum { LARGEST_BLOCK = 64 };
  cvd_hevc_sequence coded = outline_of(input).sequence;
  if (coded.width <= LARGEST_BLOCK || coded.height <= LARGEST_BLOCK ||
      (uint64_t)(coded.width - LARGEST_BLOCK) * (coded.height - LARGEST_BLOCK) <= pixel_limit)
    return CVD_OK;
  info->width = coded.width;
  info->height = coded.height;
  return cvd_check_size(info, pixel_limit, message);
}

cvd_status cvd_probe_heif(cvd_input input, uint64_t pixel_limit, cvd_info *info, cvd_message *message) {
  file f = {0};
  /* No limit of libheif's yet: reading the boxes takes no memory for pixels, and our own check knows the sizes. */
  cvd_status status = open_file(&f, input, UINT64_MAX, message);
  if (status != CVD_OK) return status;
  status = describe(&f, info, message);
  close_file(&f);
  if (status == CVD_OK) status = cvd_check_size(info, pixel_limit, message);
  return status == CVD_OK ? check_coded_size(input, info, pixel_limit, message) : status;
}

static cvd_status copy(const struct heif_image *image, cvd_source source, cvd_output output, cvd_message *message) {
  int row_bytes = 0;
  const uint8_t *rows = heif_image_get_plane_readonly(image, heif_channel_interleaved, &row_bytes);
  int width = heif_image_get_width(image, heif_channel_interleaved);
  int height = heif_image_get_height(image, heif_channel_interleaved);
  if (!rows || width < 0 || height < 0 || (uint32_t)width != output.width || (uint32_t)height != output.height)
    return cvd_fail(message, CVD_DAMAGED, "HEIF: the coded image is %d x %d pixels, the header says %u x %u", width,
                    height, output.width, output.height);
  for (uint32_t y = 0; y < output.height; y++)
    cvd_convert_row(output.pixels + y * output.row_bytes, output.layout, rows + (size_t)y * (size_t)row_bytes, source,
                    output.width);
  return CVD_OK;
}

static cvd_status decode(const file *f, const cvd_info *probed, cvd_output output, cvd_message *message) {
  cvd_info info = {0};
  cvd_status status = describe(f, &info, message);
  if (status != CVD_OK) return status;
  if (info.width != probed->width || info.height != probed->height)
    return cvd_fail(message, CVD_DAMAGED, "HEIF: the size is not the one that was probed");
  struct heif_decoding_options *options = heif_decoding_options_alloc();
  if (!options) return cvd_fail(message, CVD_NO_MEMORY, "HEIF: no memory for the decoder");
  options->convert_hdr_to_8bit = 1;
  struct heif_image *image = NULL;
  struct heif_error error =
      heif_decode_image(f->image, &image, heif_colorspace_RGB,
                        info.has_alpha ? heif_chroma_interleaved_RGBA : heif_chroma_interleaved_RGB, options);
  heif_decoding_options_free(options);
  if (error.code != heif_error_Ok) {
    status = failed(message, error);
    heif_image_release(image);
    return status;
  }
  cvd_source source = !info.has_alpha                                       ? CVD_FROM_RGB
                      : heif_image_handle_is_premultiplied_alpha(f->image) ? CVD_FROM_RGBA_PREMULTIPLIED
                                                                            : CVD_FROM_RGBA;
  status = copy(image, source, output, message);
  heif_image_release(image);
  return status;
}

cvd_status cvd_decode_heif(cvd_input input, const cvd_info *info, cvd_output output, cvd_message *message) {
  file f = {0};
  /* The coded image may be larger than the one it is cropped to, within reason. */
  cvd_status status = open_file(&f, input, (uint64_t)info->width * info->height * 4 + (1 << 20), message);
  if (status != CVD_OK) return status;
  status = decode(&f, info, output, message);
  close_file(&f);
  return status;
}
