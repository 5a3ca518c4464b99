#define _POSIX_C_SOURCE 200809L
#define _FILE_OFFSET_BITS 64

#include "completeness.h"

#include <stdio.h>
#include <string.h>
#include <sys/types.h>

// The most boxes at the top level that are read: enough for a fragmented video of days.
enum { MOST_BOXES = 1 << 20 };

static uint64_t big_endian(const unsigned char *bytes, int count)
{
    uint64_t value = 0;
    for (int i = 0; i < count; i++) {
        value = value << 8 | bytes[i];
    }
    return value;
}

static int read_at(FILE *file, int64_t offset, unsigned char *bytes, size_t count)
{
    return fseeko(file, (off_t)offset, SEEK_SET) == 0 && fread(bytes, 1, count, file) == count;
}

static int64_t lacking(uint64_t stated_end, int64_t size)
{
    return stated_end > (uint64_t)size && stated_end < (uint64_t)INT64_MAX ? (int64_t)(stated_end - (uint64_t)size) : 0;
}

/// AVI: the first chunk states how long it is; 0 when recording never ended.
static int64_t missing_of_avi(const unsigned char head[12], int64_t size)
{
    uint64_t stated = head[4] | (uint64_t)head[5] << 8 | (uint64_t)head[6] << 16 | (uint64_t)head[7] << 24;
    int64_t missing = lacking(stated + 8, size);
    return missing > 1 ? missing : 0; // the padding byte of an odd chunk may rightly be left out
}

/// MP4 and QuickTime: a row of boxes, each with its size. Only those of which videos consist are checked, so that
/// other data at the end of the file is not an error.
static int64_t missing_of_mp4(FILE *file, int64_t size)
{
    int64_t offset = 0;
    unsigned char head[16];
    for (int box = 0; box < MOST_BOXES && read_at(file, offset, head, 8); box++) {
        uint64_t length = big_endian(head, 4);
        if (length == 1 && read_at(file, offset, head, 16)) {
            length = big_endian(head + 8, 8);
        }
        if (length < 8 || length > INT64_MAX / 2) {
            return 0; // 0: to the end of the file
        }
        if ((uint64_t)(size - offset) < length) {
            const char *type = (const char *)head + 4;
            int belongs = !memcmp(type, "mdat", 4) || !memcmp(type, "moov", 4) || !memcmp(type, "moof", 4);
            return belongs ? lacking((uint64_t)offset + length, size) : 0;
        }
        offset += (int64_t)length;
    }
    return 0;
}

/// The size of a Matroska element behind its identifier; 0 when it is unknown. `used` gets the bytes that it takes.
static uint64_t element_size(const unsigned char bytes[8], int *used)
{
    int length = 1;
    while (length <= 8 && !(bytes[0] & 0x80 >> (length - 1))) {
        length++;
    }
    if (length > 8) {
        *used = 0;
        return 0;
    }
    *used = length;
    uint64_t all = (UINT64_C(1) << 7 * length) - 1;
    uint64_t size = big_endian(bytes, length) & all;
    return size == all ? 0 : size;
}

/// Matroska and WebM: a header and then one segment with everything in it.
static int64_t missing_of_matroska(FILE *file, int64_t size)
{
    unsigned char bytes[8];
    int used;
    if (!read_at(file, 4, bytes, 8)) {
        return 0;
    }
    uint64_t header = element_size(bytes, &used);
    if (used == 0 || header > (uint64_t)size) {
        return 0;
    }
    int64_t segment = 4 + used + (int64_t)header;
    if (!read_at(file, segment, bytes, 4) || big_endian(bytes, 4) != 0x18538067 ||
        !read_at(file, segment + 4, bytes, 8)) {
        return 0;
    }
    uint64_t content = element_size(bytes, &used);
    return content == 0 ? 0 : lacking((uint64_t)segment + 4 + (uint64_t)used + content, size);
}

int64_t cvv_missing_bytes(const char *path)
{
    FILE *file = fopen(path, "rb");
    unsigned char head[12];
    int64_t missing = 0;
    if (!file) {
        return 0;
    }
    if (fseeko(file, 0, SEEK_END) == 0) {
        int64_t size = (int64_t)ftello(file);
        if (size >= (int64_t)sizeof head && read_at(file, 0, head, sizeof head)) {
            if (!memcmp(head, "RIFF", 4) && !memcmp(head + 8, "AVI ", 4)) {
                missing = missing_of_avi(head, size);
            } else if (!memcmp(head + 4, "ftyp", 4)) {
                missing = missing_of_mp4(file, size);
            } else if (big_endian(head, 4) == 0x1A45DFA3) {
                missing = missing_of_matroska(file, size);
            }
        }
    }
    fclose(file);
    return missing;
}
