/* OpenBLAS with its LAPACK (Debian: libopenblas-serial-dev, which starts no threads of its own). */
#pragma once
#include <cblas.h>
#include <stddef.h>

/* LAPACK as Fortran's compilers export it: matrices by columns, every argument by reference, and the length of each
   string behind the arguments. LAPACKE, its C interface, is not part of Debian's OpenBLAS. */

/* Eigenvalues in ascending order and, with job "V", eigenvectors (the columns of `matrix`) of a symmetric matrix. */
void dsyevd_(
    const char *job, const char *triangle, const int *size, double *matrix, const int *leading, double *values,
    double *work, const int *work_size, int *integers, const int *integers_size, int *failure, size_t job_length,
    size_t triangle_length);

/* Solves a system whose matrix is symmetric and positive definite by its Cholesky factors. */
void dposv_(
    const char *triangle, const int *size, const int *right_sides, double *matrix, const int *leading, double *right,
    const int *right_leading, int *failure, size_t triangle_length);
