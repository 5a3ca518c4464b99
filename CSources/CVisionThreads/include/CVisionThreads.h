#ifndef CVISION_THREADS_H
#define CVISION_THREADS_H

#include <stdint.h>

/* Where threads run. All of this is advice: what the system does not allow is left as it is. */

/* Processors that the process may run on, 1 or more. */
int32_t cvt_processors(void);

/* A thread, and the processors that it may run on: in all, and without one of them. */
typedef struct cvt_placement {
    int32_t thread;
    int32_t is_placed;
    uint64_t all[16];
    uint64_t placed[16];
} cvt_placement;

/* The calling thread, not placed yet. */
cvt_placement cvt_this_thread(void);

/* Keeps a thread off the processor that the caller runs on, as long as it may run on another one. */
void cvt_place_elsewhere(cvt_placement *placement);

#endif
