#include "CVisionSpelling.h"

#include <dlfcn.h>
#include <iconv.h>
#include <pthread.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// The part of Hunspell's C interface that is used; versions 1.3 of 2011 to 1.7 have it.
static struct {
    void *(*create)(const char *affixes, const char *words);
    void (*destroy)(void *handle);
    int (*spell)(void *handle, const char *word);
    char *(*encoding)(void *handle);
} hunspell;

/// Longer words are in no dictionary: Hunspell refuses them.
enum { WORD_SIZE = 256 };

struct cvs_dictionary {
    void *handle;
    /// From UTF-8 to the encoding of the dictionary; (iconv_t)-1 where that is UTF-8.
    iconv_t converter;
};

static void load(void)
{
    static const char *const names[] = {"libhunspell-1.7.so.0", "libhunspell-1.6.so.0"};
    void *library = NULL;
    for (size_t i = 0; i < sizeof names / sizeof *names && !library; i++) {
        library = dlopen(names[i], RTLD_NOW | RTLD_LOCAL);
    }
    if (!library) {
        return;
    }
    *(void **)&hunspell.destroy = dlsym(library, "Hunspell_destroy");
    *(void **)&hunspell.spell = dlsym(library, "Hunspell_spell");
    *(void **)&hunspell.encoding = dlsym(library, "Hunspell_get_dic_encoding");
    if (hunspell.destroy && hunspell.spell && hunspell.encoding) {
        *(void **)&hunspell.create = dlsym(library, "Hunspell_create");
    }
}

cvs_dictionary *cvs_open(const char *affixes, const char *words)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, load);
    // Hunspell takes files that are missing for empty ones.
    if (!hunspell.create || access(affixes, R_OK) != 0 || access(words, R_OK) != 0) {
        return NULL;
    }
    void *handle = hunspell.create(affixes, words);
    if (!handle) {
        return NULL;
    }
    const char *encoding = hunspell.encoding(handle);
    iconv_t converter = (iconv_t)-1;
    bool is_known = encoding && strcmp(encoding, "UTF-8") == 0;
    if (encoding && !is_known) {
        converter = iconv_open(encoding, "UTF-8");
        is_known = converter != (iconv_t)-1;
    }
    cvs_dictionary *dictionary = is_known ? malloc(sizeof *dictionary) : NULL;
    if (!dictionary) {
        if (converter != (iconv_t)-1) {
            iconv_close(converter);
        }
        hunspell.destroy(handle);
        return NULL;
    }
    *dictionary = (cvs_dictionary){.handle = handle, .converter = converter};
    return dictionary;
}

void cvs_close(cvs_dictionary *dictionary)
{
    if (!dictionary) {
        return;
    }
    if (dictionary->converter != (iconv_t)-1) {
        iconv_close(dictionary->converter);
    }
    hunspell.destroy(dictionary->handle);
    free(dictionary);
}

bool cvs_contains(cvs_dictionary *dictionary, const char *word)
{
    size_t size = strlen(word);
    if (size == 0 || size >= WORD_SIZE) {
        return false;
    }
    if (dictionary->converter == (iconv_t)-1) {
        return hunspell.spell(dictionary->handle, word) != 0;
    }
    // The encodings of one byte; no conversion is longer than UTF-8.
    char converted[WORD_SIZE];
    char *source = (char *)(uintptr_t)word;
    char *target = converted;
    size_t room = sizeof converted - 1;
    iconv(dictionary->converter, NULL, NULL, NULL, NULL);
    if (iconv(dictionary->converter, &source, &size, &target, &room) != 0 || size > 0) {
        return false;
    }
    *target = 0;
    return hunspell.spell(dictionary->handle, converted) != 0;
}
