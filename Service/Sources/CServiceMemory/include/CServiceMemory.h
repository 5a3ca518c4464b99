/// How the memory of a process that runs for months is allocated.
#ifndef CSERVICE_MEMORY_H
#define CSERVICE_MEMORY_H

/// Keeps what analyses free from staying with the process.
///
/// Images and networks need blocks of all sizes from many threads. With the defaults of glibc their memory is
/// fragmented: it raises the size from which freed blocks go back to the system up to 32 MiB, and keeps an arena for
/// each thread. Must be called before there are other threads. Does nothing with another C library.
void csm_limit_fragmentation(void);

#endif
