#ifndef COATH_SHIM_H
#define COATH_SHIM_H

#include <liboath/oath.h>

#endif
