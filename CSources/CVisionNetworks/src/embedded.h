// Puts the file CVN_PATH into the binary as CVN_SYMBOL. Included once for each file.
//
// With #embed the build system knows the file, and compiles again when it changes. Compilers without it (clang before
// 19) let the assembler read the file, which it finds by the target's search path.

#define CVN_JOIN_(a, b) a##b
#define CVN_JOIN(a, b) CVN_JOIN_(a, b)
#define CVN_TEXT_(a) #a
#define CVN_TEXT(a) CVN_TEXT_(a)

#if defined(__has_embed)

static const unsigned char CVN_SYMBOL[] __attribute__((aligned(64))) = {
#pragma clang diagnostic push
#pragma clang diagnostic ignored "-Wc23-extensions"
#embed CVN_PATH
#pragma clang diagnostic pop
};
#define CVN_COUNT sizeof(CVN_SYMBOL)

#else

__asm__(".section .rodata\n"
        ".balign 64\n"
        "cvn_" CVN_TEXT(CVN_SYMBOL) ":\n"
        ".incbin \"" CVN_PATH "\"\n"
        "cvn_" CVN_TEXT(CVN_SYMBOL) "_end:\n"
        ".previous\n");
extern const unsigned char CVN_SYMBOL[] __asm__("cvn_" CVN_TEXT(CVN_SYMBOL));
extern const unsigned char CVN_JOIN(CVN_SYMBOL, _end)[] __asm__("cvn_" CVN_TEXT(CVN_SYMBOL) "_end");
#define CVN_COUNT (size_t)(CVN_JOIN(CVN_SYMBOL, _end) - CVN_SYMBOL)

#endif

static cvn_file CVN_JOIN(CVN_SYMBOL, _file)(void) {
    // Without the folder.
    cvn_file file = {&CVN_PATH[sizeof("../files/") - 1], CVN_SYMBOL, CVN_COUNT};
    return file;
}

#undef CVN_COUNT
#undef CVN_PATH
#undef CVN_SYMBOL
