// The list of the page's files: an array and a row of the table for each. A test compares it with the folder.

#include "CServicePage.h"

#pragma clang diagnostic ignored "-Wc23-extensions"

static const unsigned char index_html[] = {
#embed "../../Page/index.html"
};

#define CSP_FILE(name, bytes) {name, bytes, sizeof bytes}

static const csp_file files[] = {
    CSP_FILE("index.html", index_html),
};

size_t csp_file_count(void) { return sizeof files / sizeof files[0]; }

csp_file csp_file_at(size_t number) { return files[number]; }
