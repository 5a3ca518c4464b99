#define _GNU_SOURCE
#include "CVisionThreads.h"

#include <string.h>

#ifdef __linux__
#include <sched.h>
#include <unistd.h>

_Static_assert(sizeof(((cvt_placement *)0)->all) == sizeof(cpu_set_t), "sets of processors");

int32_t cvt_processors(void) {
    cpu_set_t allowed;
    /* Of a machine with more processors than fit into a set the system tells those that are there. */
    long count = sched_getaffinity(getpid(), sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed)
                                                                           : sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (int32_t)count;
}

cvt_placement cvt_this_thread(void) {
    cvt_placement placement = {.thread = (int32_t)gettid()};
    return placement;
}

void cvt_place_elsewhere(cvt_placement *placement) {
    cpu_set_t all, wanted;
    int here = sched_getcpu();
    if (placement->is_placed || here < 0 || here >= CPU_SETSIZE) return;
    if (sched_getaffinity(placement->thread, sizeof all, &all) != 0) return;
    memcpy(&wanted, &all, sizeof wanted);
    CPU_CLR(here, &wanted);
    if (CPU_COUNT(&wanted) == 0 || CPU_EQUAL(&wanted, &all)) return;
    if (sched_setaffinity(placement->thread, sizeof wanted, &wanted) != 0) return;
    memcpy(placement->all, &all, sizeof all);
    placement->is_placed = 1;
}

void cvt_place_anywhere(cvt_placement *placement) {
    cpu_set_t all;
    if (!placement->is_placed) return;
    memcpy(&all, placement->all, sizeof all);
    sched_setaffinity(placement->thread, sizeof all, &all);
    placement->is_placed = 0;
}
#else
#include <unistd.h>

int32_t cvt_processors(void) {
    long count = sysconf(_SC_NPROCESSORS_ONLN);
    return count < 1 ? 1 : (int32_t)count;
}

cvt_placement cvt_this_thread(void) {
    cvt_placement placement = {0};
    return placement;
}

void cvt_place_elsewhere(cvt_placement *placement) { (void)placement; }

void cvt_place_anywhere(cvt_placement *placement) { (void)placement; }
#endif
