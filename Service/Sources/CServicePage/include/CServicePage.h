// The files of the page (Service/Page), which are built into the service.

#ifndef CSERVICE_PAGE_H
#define CSERVICE_PAGE_H

#include <stddef.h>

typedef struct {
    // The file's name with its extension.
    const char *name;
    // For as long as the process lives.
    const unsigned char *bytes;
    size_t count;
} csp_file;

size_t csp_file_count(void);

// A file by its number, below csp_file_count().
csp_file csp_file_at(size_t number);

#endif
