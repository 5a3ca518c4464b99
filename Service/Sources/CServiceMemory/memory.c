#include "CServiceMemory.h"

#include <stdlib.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

void csm_limit_fragmentation(void)
{
#ifdef __GLIBC__
    // The pixels of a photograph that was decoded at a reduced scale stay in the heap, so that the next request does
    // not fault its pages in again. What is larger is returned at once, and so is the end of the heap.
    mallopt(M_MMAP_THRESHOLD, 4 << 20);
    mallopt(M_TRIM_THRESHOLD, 32 << 20);
    mallopt(M_ARENA_MAX, 1);
#endif
}
