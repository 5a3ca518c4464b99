#include "avif_library.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>

/* The name that goes with the version of the headers: it changes when structures do. */
#if AVIF_VERSION_MAJOR >= 1
#define LIBRARY "libavif.so.16"
#else
#define LIBRARY "libavif.so.15"
#endif

static cvd_avif_library functions;
static char problem[160]; /* empty where there is none */

static void load(void) {
  void *library = dlopen(LIBRARY, RTLD_NOW | RTLD_LOCAL);
  if (!library) {
    snprintf(problem, sizeof problem, "AVIF: files need the library %s, which is not installed (Debian 12: libavif15)",
             LIBRARY);
    return;
  }
  __typeof__(&avifVersion) version;
  *(void **)&version = dlsym(library, "avifVersion");
  char expected[32];
  int count = snprintf(expected, sizeof expected, "%d.%d.", AVIF_VERSION_MAJOR, AVIF_VERSION_MINOR);
  /* From version 1 on, structures only grow at their ends within a name; before, they change with minor versions. */
  if (!version || (AVIF_VERSION_MAJOR < 1 && strncmp(version(), expected, (size_t)count) != 0)) {
    snprintf(problem, sizeof problem, "AVIF: %s is version %.20s; this program was built for %s", LIBRARY,
             version ? version() : "none", expected);
    return;
  }
#define FUNCTION(name)                                                                                   \
  *(void **)&functions.name = dlsym(library, "avif" #name);                                              \
  if (!functions.name) snprintf(problem, sizeof problem, "AVIF: %s has no avif%s", LIBRARY, #name);
  FUNCTIONS
#undef FUNCTION
}

const cvd_avif_library *cvd_load_avif(cvd_status *status, cvd_message *message) {
  static pthread_once_t once = PTHREAD_ONCE_INIT;
  pthread_once(&once, load);
  *status = problem[0] ? cvd_fail(message, CVD_UNSUPPORTED, "%s", problem) : CVD_OK;
  return problem[0] ? NULL : &functions;
}
