#ifndef CUNISTRING_SHIM_H
#define CUNISTRING_SHIM_H

#include <stdlib.h>
// It has no file for pkg-config, by which SwiftPM would name the package.
#if !__has_include(<uninorm.h>)
#error "libunistring is missing: apt-get install libunistring-dev"
#endif
#include <uninorm.h>

// UNINORM_NFC and UNINORM_NFKC are macros that Swift does not import.
static inline uninorm_t CUnistring_nfc(void) { return UNINORM_NFC; }
static inline uninorm_t CUnistring_nfkc(void) { return UNINORM_NFKC; }

#endif
