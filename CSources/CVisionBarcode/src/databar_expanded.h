/* GS1 DataBar Expanded (ISO/IEC 24724), in one row or in several that are stacked.
 *
 * Version 1.4 of the library finds the same symbols, but refuses those whose text it cannot split into known
 * identifiers with values of their lengths, and a GTIN with nothing behind it. */
#ifndef CVISIONBARCODE_DATABAR_EXPANDED_H
#define CVISIONBARCODE_DATABAR_EXPANDED_H

#include "binary_image.h"

#include <array>
#include <cstdint>
#include <map>
#include <optional>
#include <string>
#include <vector>

namespace barcode {

/* A code: its element string, and where it is. */
struct ExpandedCode {
  std::string text;
  /* Top left, top right, bottom right, bottom left in its own orientation. */
  int32_t corners[8];
  /* The number of rows in which the pair of characters that was found the fewest times was found. */
  int rows;
};

/* The widths of the runs of a row in either direction. */
struct RunsOfRow {
  /* Light and dark in turns, the first one light and perhaps empty. */
  std::vector<int> widths;
  /* The distance of each run from the beginning, and of the end. */
  std::vector<int> starts;
  bool is_reversed;

  RunsOfRow(const Edges &edges, int width, bool starts_dark, bool is_reversed);

  /* The first pixel of a run in reading direction; with `end`, the last pixel of the run before. */
  int pixel(size_t run, bool end) const;
};

/* Finds symbols in rows that are added one by one. */
class ExpandedReader {
 public:
  /* Finds the codes that lie in one row completely. */
  static std::vector<ExpandedCode> codes_in_row(const Edges &edges, int width, bool starts_dark, int row);

  /* Adds a row of a code that may be stacked. */
  void add_row(const Edges &edges, int width, bool starts_dark, int row);

  /* Returns the code that the rows make up, one only. */
  std::optional<ExpandedCode> code() const;

  struct Character {
    int value = -1;
    /* The weighted sum of its widths modulo 211. */
    int weight = 0;
    bool operator==(const Character &other) const { return value == other.value && weight == other.weight; }
  };

  /* Two characters around a finder pattern; the last pair of a symbol may lack the second one. */
  struct Pair {
    /* A to F are 1 to 6; negative where it is read from right to left. */
    int finder = 0;
    Character first, second;
    int start = 0, end = 0, top = 0, bottom = 0;
    bool is_reversed = false;
    int count = 1;
    bool is_same(const Pair &other) const {
      return finder == other.finder && first == other.first && second == other.second;
    }
  };

 private:
  std::map<int, std::vector<Pair>> pairs_;

  bool complete(const std::vector<int> &sequence, std::vector<const Pair *> &chosen) const;
};

/* Whether five runs of a row look like a finder pattern of DataBar or DataBar Expanded. */
bool has_databar_finder(const Edges &edges);

/* The element string of the data characters (without the check character) of a symbol; none where they are no valid
 * data. */
std::optional<std::string> expanded_text(const std::vector<int> &characters);

}  // namespace barcode

#endif
