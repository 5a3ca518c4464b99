/* LAPACKE (Debian: liblapacke-dev). */
#include <lapacke.h>
