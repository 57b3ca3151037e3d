#ifndef CZLIB_SHIM_H
#define CZLIB_SHIM_H

// zlib does not change its input.
#define ZLIB_CONST
#include <zlib.h>

#endif
