#ifndef CVISION_THREADS_H
#define CVISION_THREADS_H

#include <stdint.h>

/* Tells the processor that this thread waits in a loop. */
static inline void cvt_pause(void) {
#if defined(__x86_64__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ volatile("yield");
#endif
}

/* Where threads run. All of this is advice: what the system does not allow is left as it is. */

/* Processors that the process may run on, 1 or more. */
int32_t cvt_processors(void);

/* A thread, and the processors that it may run on while it is not pinned. */
typedef struct cvt_placement {
    int32_t thread;
    int32_t is_placed;
    uint64_t all[16];
} cvt_placement;

/* The calling thread, not pinned yet. */
cvt_placement cvt_this_thread(void);

/* Keeps a thread that is asleep off the processor that the caller runs on, where it may run on another one. */
void cvt_place_elsewhere(cvt_placement *placement);

/* Lets it run wherever it might before; one that it makes from then on may, too. */
void cvt_place_anywhere(cvt_placement *placement);

#endif
