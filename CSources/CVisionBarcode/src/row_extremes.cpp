#include "binary_image.h"

#include <algorithm>
#include <cstring>

namespace barcode {

namespace {

/* The least contrast of a row, and of extremes beside each other as a share of it. */
constexpr int least_contrast = 40, least_share_percent = 15;

/* Finds the darkest and lightest pixels in turns; smaller changes than `least` do not count. */
void find_extremes(const uint8_t *grey, int width, int least, std::vector<int> &extremes) {
  extremes.clear();
  int darkest = 0, lightest = 0;
  enum { either, lighter, darker } direction = either;
  for (int x = 1; x < width; ++x) {
    if (grey[x] > grey[lightest]) lightest = x;
    if (grey[x] < grey[darkest]) darkest = x;
    if (direction != darker && grey[lightest] - grey[x] > least) {
      extremes.push_back(lightest);
      direction = darker;
      darkest = x;
    } else if (direction != lighter && grey[x] - grey[darkest] > least) {
      extremes.push_back(darkest);
      direction = lighter;
      lightest = x;
    }
  }
  extremes.push_back(direction == darker ? darkest : lightest);
}

}  // namespace

bool threshold_row_between_extremes(const uint8_t *grey, int width, uint8_t *pixels) {
  const auto [low, high] = std::minmax_element(grey, grey + width);
  const int range = *high - *low;
  if (range < least_contrast) return false;
  std::vector<int> extremes;
  find_extremes(grey, width, range * least_share_percent / 100, extremes);
  if (extremes.size() < 2) return false;
  int begin = 0;
  for (size_t i = 0; i + 1 < extremes.size(); ++i) {
    const int first = extremes[i], last = extremes[i + 1];
    const bool is_dark = grey[first] < grey[last];
    /* Twice the level halfway between them. */
    const int level = grey[first] + grey[last];
    int x = first;
    while (x + 1 < last && (2 * grey[x + 1] < level) == is_dark) ++x;
    /* The edge lies between the middles of two pixels. */
    const int before = 2 * grey[x] - level, difference = 2 * (grey[x] - grey[x + 1]);
    const int scale = extremes_scale;
    const int edge = scale * x + scale / 2 + (scale * before + difference / 2) / (difference == 0 ? 1 : difference);
    const int end = std::clamp(edge, begin, scale * width);
    std::memset(pixels + begin, is_dark ? 0 : 255, static_cast<size_t>(end - begin));
    begin = end;
  }
  std::memset(pixels + begin, grey[extremes.back()] < grey[extremes[extremes.size() - 2]] ? 0 : 255,
              static_cast<size_t>(extremes_scale * width - begin));
  return true;
}

}  // namespace barcode
