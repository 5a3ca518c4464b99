/* UNROLL before a loop of constant length: without it arrays of vectors would lie in memory. Sanitized builds go
 * without: their checks at every load make compilers take minutes over such code. */
#if defined(__has_feature)
#if __has_feature(address_sanitizer) || __has_feature(thread_sanitizer) || __has_feature(undefined_behavior_sanitizer)
#define UNROLL
#endif
#endif
#ifndef UNROLL
#define UNROLL _Pragma("clang loop unroll(full)")
#endif
