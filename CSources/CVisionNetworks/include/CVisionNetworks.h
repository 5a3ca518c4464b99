// The networks and tables that are built into the library.
//
// They are files beside this target's sources; Documentation/BuiltInFiles.md lists them.

#ifndef CVISION_NETWORKS_H
#define CVISION_NETWORKS_H

#include <stddef.h>

typedef struct {
    // The file's name with its extension.
    const char *name;
    // At a multiple of 64, for as long as the process lives.
    const unsigned char *bytes;
    size_t count;
} cvn_file;

size_t cvn_file_count(void);

// A file by its number, below cvn_file_count().
cvn_file cvn_file_at(size_t number);

#endif
