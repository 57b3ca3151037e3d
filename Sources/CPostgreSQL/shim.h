#ifndef CPOSTGRESQL_SHIM_H
#define CPOSTGRESQL_SHIM_H

#include <libpq-fe.h>
#include <stdint.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>

// Swift imports the kernel's flags as enumerations that it cannot combine.
static const int CPostgreSQL_epoll_close_on_exec = EPOLL_CLOEXEC;
static const int CPostgreSQL_event_flags = EFD_CLOEXEC | EFD_NONBLOCK;
static const uint32_t CPostgreSQL_epoll_in = EPOLLIN;
static const uint32_t CPostgreSQL_epoll_out = EPOLLOUT;
static const uint32_t CPostgreSQL_epoll_failures = EPOLLERR | EPOLLHUP;

#endif
