/// Dictionaries of Hunspell, which is loaded with the first one: nothing is linked, and no header of it is needed.
#ifndef CVISION_SPELLING_H
#define CVISION_SPELLING_H

#include <stdbool.h>

/// A dictionary. One thread at a time may use it.
typedef struct cvs_dictionary cvs_dictionary;

/// Opens a dictionary; NULL where the system has no Hunspell, for files that cannot be read, and for an encoding that
/// the system does not know.
///
/// `affixes` and `words`: the paths of the .aff and the .dic file.
cvs_dictionary *cvs_open(const char *affixes, const char *words);
void cvs_close(cvs_dictionary *dictionary);

/// Whether a dictionary has a word of UTF-8.
bool cvs_contains(cvs_dictionary *dictionary, const char *word);

#endif
