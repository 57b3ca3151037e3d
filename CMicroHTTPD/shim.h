#ifndef CMICROHTTPD_SHIM_H
#define CMICROHTTPD_SHIM_H

/*
 * Functions with plain types, for functions of libmicrohttpd that Swift cannot call (variadic ones), and for enums that differ
 * between versions (Swift imports them as closed enums).
 */

#include <microhttpd.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <string.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <unistd.h>

#include "tls.h"

/* The callbacks of a daemon. `loop` is the pointer given to CMicroHTTPD_start. */
struct CMicroHTTPD_Callbacks {
    /* A client has connected. 0 closes its socket, and no other callback is called for it. */
    int (*accept)(void *loop, const struct sockaddr *address, socklen_t size);
    /* A request line has arrived; the result becomes the request's context. `target` is not decoded yet. */
    void *(*target)(void *loop, const char *target, struct MHD_Connection *connection);
    /* The head has arrived (first call), a part of the body (*size > 0), or its end (*size == 0). 0 closes the connection. */
    int (*handle)(void *loop, struct MHD_Connection *connection, const char *url, const char *method,
                  const char *version, const char *data, size_t *size, void **context);
    /* The request is complete or interrupted, even if it never reached `handle`. */
    void (*completed)(void *loop, struct MHD_Connection *connection, void **context, int code);
    /* The connection has been opened (code 0) or is about to be closed (code 1). */
    void (*connection)(void *loop, struct MHD_Connection *connection, void **context, int code);
    /* libmicrohttpd logs a message, with the arguments of vprintf(). */
    void (*log)(void *loop, const char *format, va_list arguments);
    /* A TLS client has begun its handshake: calls CMicroHTTPD_show_identity(). Any result except 0 rejects the client. */
    int (*identity)(void *session, const void *authorities, int authority_count, const void *algorithms,
                    int algorithm_count, void *chain, unsigned *chain_count, void *key);
};

/* The version of the installed library, such as 975 for 0.9.75, or 10001 for 1.0.1. It may be newer than
 * the header that this file includes. */
static inline unsigned CMicroHTTPD_version(void) {
    unsigned major = 0, minor = 0, patch = 0;
    sscanf(MHD_get_version(), "%u.%u.%u", &major, &minor, &patch);
    return 10000 * major + 100 * minor + patch;
}

/* MHD_OPTION_CLIENT_DISCIPLINE_LVL, which 0.9.77 introduced: how strictly requests are read, from -3 to 3. */
enum { CMicroHTTPD_OPTION_DISCIPLINE = 38 };

/* MHD_USE_NO_THREAD_SAFETY, which 1.0.0 introduced: only one thread uses the daemon, which needs neither locks nor a descriptor
 * to wake it. */
enum { CMicroHTTPD_FLAG_ONE_THREAD = 1 << 19 };

/* Starts a daemon without a thread, for an external event loop over epoll. NULL on failure.
 * If it succeeds, the daemon owns the listening socket. With -1, it has none, and the caller adds the connections. */
static inline struct MHD_Daemon *CMicroHTTPD_start(int listening_socket, const struct CMicroHTTPD_Callbacks *callbacks,
                                                   void *loop, bool is_encrypted, size_t connection_memory,
                                                   unsigned connection_limit, unsigned idle_timeout_seconds) {
    struct MHD_OptionItem options[4];
    int count = 0;
    if (is_encrypted) {
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, (void *)CMicroHTTPD_tls_priorities};
        options[count++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_CERT_CALLBACK, 0, (void *)callbacks->identity};
    }
    /* 1 rejects everything that RFC 9112 rejects, and skips an empty line before a request, as in its section 2.2. */
    if (CMicroHTTPD_version() >= 977) {
        options[count++] = (struct MHD_OptionItem){(enum MHD_OPTION)CMicroHTTPD_OPTION_DISCIPLINE, 1, NULL};
    }
    options[count] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
    return MHD_start_daemon(
        MHD_USE_ERROR_LOG | MHD_USE_EPOLL | MHD_ALLOW_SUSPEND_RESUME | (is_encrypted ? MHD_USE_TLS : 0) |
            (listening_socket < 0 ? MHD_USE_NO_LISTEN_SOCKET : 0) |
            (CMicroHTTPD_version() >= 10000 ? CMicroHTTPD_FLAG_ONE_THREAD : 0),
        0, (MHD_AcceptPolicyCallback)callbacks->accept, loop,
        (MHD_AccessHandlerCallback)callbacks->handle, loop,
        MHD_OPTION_EXTERNAL_LOGGER, (MHD_LogCallback)callbacks->log, loop,
        MHD_OPTION_URI_LOG_CALLBACK, callbacks->target, loop,
        MHD_OPTION_NOTIFY_COMPLETED, (MHD_RequestCompletedCallback)callbacks->completed, loop,
        MHD_OPTION_NOTIFY_CONNECTION, (MHD_NotifyConnectionCallback)callbacks->connection, loop,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, connection_memory,
        MHD_OPTION_CONNECTION_LIMIT, connection_limit,
        MHD_OPTION_CONNECTION_TIMEOUT, idle_timeout_seconds,
        MHD_OPTION_ARRAY, options,
        listening_socket < 0 ? MHD_OPTION_END : MHD_OPTION_LISTEN_SOCKET, (MHD_socket)listening_socket,
        MHD_OPTION_END);
}

/* Hides the query of a target from libmicrohttpd, in the target callback: the server has the target and reads the query itself. Before 1.0.7,
 * libmicrohttpd loses its receive buffer if a request consists of a long query without a value and no header field, and before 1.0.9 it can
 * overwrite the version of a request that has a query and no header field. 0.9 does not respond to a query of some hundred parameters, for
 * which its memory does not suffice. */
static inline void CMicroHTTPD_hide_query(const char *target) {
    /* The target is in libmicrohttpd's receive buffer, where it writes the same byte itself. */
    char *query = (char *)strchr(target, '?');
    if (query != NULL) query[1] = '\0';
}

/* The descriptor that is readable when the daemon must run. */
static inline int CMicroHTTPD_epoll_descriptor(struct MHD_Daemon *daemon) {
    return MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD)->epoll_fd;
}

/* Milliseconds until the daemon must run again, at most `limit`. */
static inline int CMicroHTTPD_timeout(struct MHD_Daemon *daemon, int limit) {
    MHD_UNSIGNED_LONG_LONG timeout;
    if (MHD_get_timeout(daemon, &timeout) != MHD_YES || timeout > (MHD_UNSIGNED_LONG_LONG)limit) return limit;
    return (int)timeout;
}

/* Sends bytes without libmicrohttpd, which must not be sending anything itself: how the server responds when libmicrohttpd accepts
 * no response. Discards what it cannot send at once. */
static inline void CMicroHTTPD_send_directly(struct MHD_Connection *connection, const char *bytes, size_t size) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_GNUTLS_SESSION);
    /* 1.0 returns each information in the same memory. */
    gnutls_session_t session = info == NULL ? NULL : (gnutls_session_t)info->tls_session;
    int socket = (int)MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
    while (size > 0) {
        ssize_t sent = session != NULL ? gnutls_record_send(session, bytes, size)
                                       : send(socket, bytes, size, MSG_NOSIGNAL | MSG_DONTWAIT);
        if (sent <= 0) return;
        bytes += sent;
        size -= (size_t)sent;
    }
}

/* The reason phrase of a status. */
static inline const char *CMicroHTTPD_reason(unsigned status) {
    return MHD_get_reason_phrase_for(status);
}

/* The context that the connection callback set. */
static inline void *CMicroHTTPD_connection_context(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT)->socket_context;
}

/* The connection's socket, which the daemon owns. */
static inline int CMicroHTTPD_socket(struct MHD_Connection *connection) {
    return (int)MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD)->connect_fd;
}

/* Reports changes of sockets' other ends; -1 if no descriptor is left. */
static inline int CMicroHTTPD_peers(void) { return epoll_create1(EPOLL_CLOEXEC); }

/* Reports once each time the other end stops sending, or the connection fails. */
static inline void CMicroHTTPD_watch_peer(int peers, int socket, void *context) {
    struct epoll_event event = {.events = EPOLLRDHUP | EPOLLET, .data.ptr = context};
    (void)epoll_ctl(peers, EPOLL_CTL_ADD, socket, &event);
}

static inline void CMicroHTTPD_unwatch_peer(int peers, int socket) {
    (void)epoll_ctl(peers, EPOLL_CTL_DEL, socket, NULL);
}

/* The context of a socket whose other end has changed; NULL if there are no more. */
static inline void *CMicroHTTPD_changed_peer(int peers) {
    struct epoll_event event;
    return epoll_wait(peers, &event, 1, 0) == 1 ? event.data.ptr : NULL;
}

/* The client's address; NULL if it has none. */
static inline const struct sockaddr *CMicroHTTPD_client_address(struct MHD_Connection *connection) {
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    return info == NULL ? NULL : info->client_addr;
}

/* Sets after how many seconds of silence libmicrohttpd closes the connection; 0 for never. */
static inline void CMicroHTTPD_set_idle_timeout(struct MHD_Connection *connection, unsigned seconds) {
    (void)MHD_set_connection_option(connection, MHD_CONNECTION_OPTION_TIMEOUT, seconds);
}

/* Whether libmicrohttpd has read the head, has not called the handler, and has no response. It never leaves a connection in this
 * state, so this is the connection that it is processing: for example, the Content-Length is invalid. */
static inline bool CMicroHTTPD_rejects_head(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE) != NULL &&
        MHD_get_connection_info(connection, MHD_CONNECTION_INFO_HTTP_STATUS) == NULL;
}

/* The number of bytes in the request's head, from its method to its empty line. */
static inline size_t CMicroHTTPD_head_size(struct MHD_Connection *connection) {
    return MHD_get_connection_info(connection, MHD_CONNECTION_INFO_REQUEST_HEADER_SIZE)->header_size;
}

/* Calls back for each header of the request, in order, unless `header` is NULL. Trailers are never among them. Returns their number. */
static inline int CMicroHTTPD_headers(struct MHD_Connection *connection, void *context,
                                      int (*header)(void *context, int kind, const uint8_t *name, size_t name_size,
                                                    const uint8_t *value, size_t value_size)) {
    return MHD_get_connection_values_n(connection, MHD_HEADER_KIND, (MHD_KeyValueIteratorN)header, context);
}

/* A response with a copy of the bytes as its body. NULL if there is no memory. */
static inline struct MHD_Response *CMicroHTTPD_response(const void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, (void *)bytes, MHD_RESPMEM_MUST_COPY);
}

/* A response whose body is the caller's memory, which must outlive it. NULL if there is no memory. */
static inline struct MHD_Response *CMicroHTTPD_response_of(void *bytes, size_t count) {
    return MHD_create_response_from_buffer(count, bytes, MHD_RESPMEM_PERSISTENT);
}

/* A response with a body of that many bytes, which a function reads in parts of at most `part` bytes; another one is called when the response
 * is not used any more. NULL if there is no memory. */
static inline struct MHD_Response *CMicroHTTPD_read_response(
    uint64_t size, size_t part, ssize_t (*read)(void *context, uint64_t position, char *buffer, size_t size),
    void (*free)(void *context), void *context) {
    return MHD_create_response_from_callback(size, part, read, context, free);
}

/* What a reader of a body returns instead of a number of bytes: there is no more. 0 if it has suspended the connection. */
enum { CMicroHTTPD_STREAM_END = -1 };

/* A response whose body a function reads; another one is called when the response is not used any more. NULL if there is no memory. */
static inline struct MHD_Response *CMicroHTTPD_streamed_response(
    ssize_t (*read)(void *context, uint64_t position, char *buffer, size_t size), void (*free)(void *context), void *context) {
    /* HTTP/1.0 uses a buffer of its own, which each stream has in any case. */
    return MHD_create_response_from_callback(MHD_SIZE_UNKNOWN, 1024, read, context, free);
}

/* POLLRDHUP, the event of poll() that the client sends nothing more. Its header defines it only for GNU sources. */
enum { CMicroHTTPD_POLLRDHUP = 0x2000 };

/* Whether each response has its own, writable copies of its headers' values, which libmicrohttpd does not document. Tries it with two
 * responses. The value comes through a pipe, since read() reports memory that cannot be written instead of ending the process. */
static inline bool CMicroHTTPD_owns_header_values(void) {
    struct MHD_Response *one = MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    struct MHD_Response *other = MHD_create_response_from_buffer(0, (void *)"", MHD_RESPMEM_PERSISTENT);
    static const char name[] = "X-Name", value[] = "before";
    int ends[2];
    bool owns = false;
    if (one != NULL && other != NULL && MHD_add_response_header(one, name, value) == MHD_YES &&
        MHD_add_response_header(other, name, value) == MHD_YES && pipe(ends) == 0) {
        const char *copy = MHD_get_response_header(one, name);
        owns = copy != NULL && copy != value && write(ends[1], "behind", 6) == 6 && read(ends[0], (void *)copy, 6) == 6 &&
            strcmp(MHD_get_response_header(one, name), "behind") == 0 &&
            strcmp(MHD_get_response_header(other, name), "before") == 0 && strcmp(value, "before") == 0;
        close(ends[0]);
        close(ends[1]);
    }
    if (one != NULL) MHD_destroy_response(one);
    if (other != NULL) MHD_destroy_response(other);
    return owns;
}

/* Gives a header of that name another value. `old` is the result of the last call for the same header, or NULL; returns where the new value
 * is. If `overwrites`, which requires CMicroHTTPD_owns_header_values(), a value of the same length is written over the old one, which saves
 * three allocations. libmicrohttpd leaves out a header whose value contains a line break, so that such a value is not written over another
 * one. */
static inline const char *CMicroHTTPD_set_header(struct MHD_Response *response, const char *name, const char *old,
                                                 const char *value, bool overwrites) {
    size_t size = strlen(value);
    if (overwrites && old != NULL && strlen(old) == size && memchr(value, '\r', size) == NULL &&
        memchr(value, '\n', size) == NULL) {
        memcpy((char *)old, value, size);
        return old;
    }
    if (old != NULL) (void)MHD_del_response_header(response, name, old);
    (void)MHD_add_response_header(response, name, value);
    return MHD_get_response_header(response, name);
}

/* Adds a header. False if libmicrohttpd rejects it. */
static inline bool CMicroHTTPD_add_header(struct MHD_Response *response, const char *name, const char *value) {
    return MHD_add_response_header(response, name, value) == MHD_YES;
}

/* Responds to the request. The caller still owns the response. False on failure. */
static inline bool CMicroHTTPD_respond(struct MHD_Connection *connection, unsigned status,
                                      struct MHD_Response *response) {
    return MHD_queue_response(connection, status, response) == MHD_YES;
}

/* Passes an accepted socket to the daemon, which then owns it, even on failure. */
static inline bool CMicroHTTPD_add_connection(struct MHD_Daemon *daemon, int socket, const struct sockaddr *address,
                                              socklen_t size) {
    return MHD_add_connection(daemon, (MHD_socket)socket, address, size) == MHD_YES;
}

/* Runs the daemon once, without waiting. */
static inline void CMicroHTTPD_run(struct MHD_Daemon *daemon) {
    (void)MHD_run(daemon);
}

/* A descriptor that another thread makes readable by writing to it. -1 on failure. */
static inline int CMicroHTTPD_event_descriptor(void) {
    return eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
}

#endif
