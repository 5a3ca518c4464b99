/* Parameters of the kernels that find what moves. */
#ifndef CVK_MOTION_H
#define CVK_MOTION_H

/* The greatest number of images of a median. */
enum { CVK_MOTION_MOST = 15 };

#endif
