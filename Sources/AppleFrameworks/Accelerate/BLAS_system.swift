// BLAS with C's names (`cblas_sgemm`, `cblas_sgemv`, `cblas_sdot`, `cblas_saxpy` …) and its constants
// (`CblasRowMajor`, `CblasNoTrans` …): OpenBLAS's, which Vision needs anyway.
@_exported public import COpenBLAS
