#ifndef CFIDO2_SHIM_H
#define CFIDO2_SHIM_H

#include <fido.h>
#include <fido/eddsa.h>
#include <fido/es256.h>
#include <fido/es384.h>
#include <fido/rs256.h>

#endif
