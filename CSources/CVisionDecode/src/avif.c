/* AVIF by libavif and dav1d: the primary image or the first frame of a sequence. Rotation and mirroring are reported as
 * an orientation, cropping is applied. libheif reads AVIF as well, but its AV1 path leaks memory on broken files in
 * version 1.15. */
#include <stdlib.h>

#include "avif_library.h"

static cvd_status failed(const cvd_avif_library *avif, cvd_message *message, avifResult result) {
  cvd_status status = CVD_DAMAGED;
  switch (result) {
    case AVIF_RESULT_TRUNCATED_DATA:
    case AVIF_RESULT_IO_ERROR:
      return cvd_fail(message, CVD_TRUNCATED, "AVIF: the data ends before the image does (truncated file)");
    case AVIF_RESULT_OUT_OF_MEMORY: status = CVD_NO_MEMORY; break;
    case AVIF_RESULT_NOT_IMPLEMENTED:
    case AVIF_RESULT_UNSUPPORTED_DEPTH:
    case AVIF_RESULT_NO_CODEC_AVAILABLE: status = CVD_UNSUPPORTED; break;
    default: break;
  }
  return cvd_fail(message, status, "AVIF: %s", avif->ResultToString(result));
}

/* The EXIF orientation of a rotation, anti-clockwise in quarter turns, and of a mirroring behind it. */
static uint32_t orientation_of(const avifImage *image) {
  enum { NONE, TOP_AND_BOTTOM, LEFT_AND_RIGHT };
  static const uint8_t orientations[4][3] = {{1, 4, 2}, {8, 5, 7}, {3, 2, 4}, {6, 7, 5}};
  unsigned turns = image->transformFlags & AVIF_TRANSFORM_IROT ? image->irot.angle & 3 : 0;
  unsigned mirror = NONE;
#if AVIF_VERSION_MAJOR >= 1
  if (image->transformFlags & AVIF_TRANSFORM_IMIR) mirror = image->imir.axis ? LEFT_AND_RIGHT : TOP_AND_BOTTOM;
#else
  if (image->transformFlags & AVIF_TRANSFORM_IMIR) mirror = image->imir.mode ? LEFT_AND_RIGHT : TOP_AND_BOTTOM;
#endif
  return orientations[turns][mirror];
}

/* The part of the coded image that is to be seen; all of it where the file's crop makes no sense. */
static avifCropRect crop_of(const cvd_avif_library *avif, const avifImage *image) {
  avifCropRect crop = {0, 0, image->width, image->height};
  avifDiagnostics reasons;
  if (image->transformFlags & AVIF_TRANSFORM_CLAP &&
      !avif->CropRectConvertCleanApertureBox(&crop, &image->clap, image->width, image->height, image->yuvFormat,
                                           &reasons))
    crop = (avifCropRect){0, 0, image->width, image->height};
  return crop;
}

/* On success the caller destroys the decoder. No memory is taken for pixels here. */
static cvd_status open_file(const cvd_avif_library *avif, avifDecoder **opened, cvd_input input, uint64_t pixel_limit,
                            cvd_message *message) {
  avifDecoder *decoder = avif->DecoderCreate();
  if (!decoder) return cvd_fail(message, CVD_NO_MEMORY, "AVIF: no memory for the decoder");
  decoder->codecChoice = AVIF_CODEC_CHOICE_DAV1D;
  decoder->maxThreads = 1; /* the caller decides about threads */
  decoder->ignoreXMP = AVIF_TRUE;
  decoder->ignoreExif = AVIF_TRUE; /* its orientation does not count in this format */
  decoder->imageSizeLimit =
      pixel_limit < AVIF_DEFAULT_IMAGE_SIZE_LIMIT ? (uint32_t)pixel_limit : AVIF_DEFAULT_IMAGE_SIZE_LIMIT;
  decoder->imageDimensionLimit = 0; /* none for a side alone: our own check comes first */
  decoder->strictFlags = AVIF_STRICT_DISABLED;
  avifResult result = avif->DecoderSetIOMemory(decoder, input.data, input.size);
  if (result == AVIF_RESULT_OK) result = avif->DecoderParse(decoder);
  if (result == AVIF_RESULT_OK) {
    *opened = decoder;
    return CVD_OK;
  }
  cvd_status status = failed(avif, message, result);
  avif->DecoderDestroy(decoder);
  return status;
}

static void describe(const cvd_avif_library *avif, const avifImage *image, cvd_info *info) {
  avifCropRect crop = crop_of(avif, image);
  info->width = crop.width;
  info->height = crop.height;
  info->orientation = orientation_of(image);
  info->bits_per_channel = image->depth;
  info->colour = image->yuvFormat == AVIF_PIXEL_FORMAT_YUV400 ? CVD_COLOUR_GREY : CVD_COLOUR_RGB;
}

cvd_status cvd_probe_avif(cvd_input input, uint64_t pixel_limit, cvd_info *info, cvd_message *message) {
  cvd_status status = CVD_OK;
  const cvd_avif_library *avif = cvd_load_avif(&status, message);
  if (!avif) return status;
  avifDecoder *decoder = NULL;
  /* libavif's own limit is the largest it has: the sizes in the boxes are compared with ours below. */
  status = open_file(avif, &decoder, input, UINT64_MAX, message);
  if (status != CVD_OK) return status;
  describe(avif, decoder->image, info);
  info->has_alpha = decoder->alphaPresent;
  info->channels = (info->colour == CVD_COLOUR_GREY ? 1 : 3) + (info->has_alpha ? 1 : 0);
  /* The decoder takes memory for the whole coded image, also where little of it is to be seen. */
  cvd_info coded = *info;
  coded.width = decoder->image->width;
  coded.height = decoder->image->height;
  avif->DecoderDestroy(decoder);
  return cvd_check_size(&coded, pixel_limit, message);
}

static cvd_status convert(const cvd_avif_library *avif, avifDecoder *decoder, cvd_output output, cvd_message *message) {
  const avifImage *image = decoder->image;
  avifCropRect crop = crop_of(avif, image);
  if (crop.width != output.width || crop.height != output.height)
    return cvd_fail(message, CVD_DAMAGED, "AVIF: the size is not the one that was probed");
  avifRGBImage rgb;
  avif->RGBImageSetDefaults(&rgb, image);
  rgb.format = decoder->alphaPresent ? AVIF_RGB_FORMAT_RGBA : AVIF_RGB_FORMAT_RGB;
  rgb.depth = 8;
  rgb.alphaPremultiplied = image->alphaPremultiplied; /* no division here: our conversion does it */
  size_t bytes = decoder->alphaPresent ? 4 : 3;
  rgb.rowBytes = (uint32_t)(image->width * bytes);
  rgb.pixels = malloc((size_t)rgb.rowBytes * image->height);
  if (!rgb.pixels)
    return cvd_fail(message, CVD_NO_MEMORY, "AVIF: no memory for %u x %u pixels", image->width, image->height);
  avifResult result = avif->ImageYUVToRGB(image, &rgb);
  cvd_source source = !decoder->alphaPresent      ? CVD_FROM_RGB
                      : image->alphaPremultiplied ? CVD_FROM_RGBA_PREMULTIPLIED
                                                  : CVD_FROM_RGBA;
  for (uint32_t y = 0; result == AVIF_RESULT_OK && y < output.height; y++)
    cvd_convert_row(output.pixels + y * output.row_bytes, output.layout,
                    rgb.pixels + (size_t)(crop.y + y) * rgb.rowBytes + crop.x * bytes, source, output.width);
  free(rgb.pixels);
  return result == AVIF_RESULT_OK ? CVD_OK : failed(avif, message, result);
}

cvd_status cvd_decode_avif(cvd_input input, const cvd_info *info, cvd_output output, cvd_message *message) {
  cvd_status status = CVD_OK;
  const cvd_avif_library *avif = cvd_load_avif(&status, message);
  if (!avif) return status;
  avifDecoder *decoder = NULL;
  (void)info; /* of the cropped image */
  /* First the size of the coded image; the probe has compared it with the caller's limit. The decoder then takes memory
   * for no larger one, whatever the coded data says. */
  status = open_file(avif, &decoder, input, UINT64_MAX, message);
  if (status != CVD_OK) return status;
  uint64_t coded = (uint64_t)decoder->image->width * decoder->image->height;
  avif->DecoderDestroy(decoder);
  status = open_file(avif, &decoder, input, coded, message);
  if (status != CVD_OK) return status;
  avifResult result = avif->DecoderNextImage(decoder);
  status = result == AVIF_RESULT_OK ? convert(avif, decoder, output, message) : failed(avif, message, result);
  avif->DecoderDestroy(decoder);
  return status;
}
