/* Digests of OpenSSL's libcrypto (Debian: libssl-dev). */
#include <openssl/evp.h>
