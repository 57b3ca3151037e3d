#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>
#include <sys/eventfd.h>

// Swift imports the kernel's flags as enumerations that it cannot combine.
static const int CPostgreSQL_event_flags = EFD_CLOEXEC | EFD_NONBLOCK;

#endif
