/* A load generator with a fixed rate that measures waits honestly: an open loop, after the principle of wrk2.
 *
 *     load [--tls] [--random SEED | --own] PORT RATE CONNECTIONS SECONDS FILE
 *
 * Request number i is due i/RATE seconds after the start, whether or not earlier responses have arrived. A connection that
 * waits for no response sends it; if there is none, the request waits for the first that becomes free. Its latency is counted
 * from when it was due, so that a server that stands still delays every request that is due meanwhile (no coordinated omission).
 *
 * FILE contains prepared requests: for each a line with its length in bytes, then its bytes. They are sent in turn or, with
 * --random, in a random order that SEED determines. With --own, each connection has its own requests, as each client has its own
 * session: the first connection sends the first request of each CONNECTIONS requests, and so on. A response must have a Content-Length.
 *
 * Prints one line on standard output. Times are in microseconds:
 *     due          requests that were due
 *     responses    responses with a status of 2xx
 *     errors       other responses, and connections that failed or that the server closed
 *     unanswered   requests without a response two seconds after the end; their latency counts as the time until then
 *     mean p50 p99 p999 max   of the latency
 *     lag99 lag999 lagmax     of the generator's own delay: from when a request was due, and a connection was free, until it
 *                             was sent
 *     cpu          processor time of this program
 *     keptup       1 if lag99 is at most a millisecond, and otherwise 0: then the latency is partly the generator's
 */
#define _GNU_SOURCE
#include <gnutls/gnutls.h>

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/epoll.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

enum { BUFFER = 16 * 1024, NANOSECONDS = 1000000000, GRACE = 2 /* seconds */ };

struct request {
    const char *bytes;
    size_t length;
};

struct connection {
    int socket;
    gnutls_session_t tls;
    bool is_waiting;     /* for a response */
    int64_t due;         /* when its request was due, in nanoseconds */
    int64_t free_since;  /* when its last response arrived */
    size_t own_request;  /* the number of its next request, with --own */
    size_t received;
    struct connection *next; /* in the queue of free connections */
    char buffer[BUFFER];
};

static struct request *requests;
static size_t request_count;
static struct connection *connections;
static int connection_count;
static struct connection *first_free, *last_free;
static int epoll;
static uint16_t port;
static bool uses_tls;
static gnutls_certificate_credentials_t credentials;
static uint32_t *latencies, *lags; /* in microseconds; one element a request */
static size_t latency_count, lag_count;
static size_t responses, errors;

__attribute__((format(printf, 1, 2), noreturn)) static void fail(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    fputs("load: ", stderr);
    vfprintf(stderr, format, arguments);
    fputc('\n', stderr);
    exit(1);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (int64_t)time.tv_sec * NANOSECONDS + time.tv_nsec;
}

static void *allocate(size_t count, size_t size)
{
    void *memory = calloc(count, size);
    if (memory == NULL) fail("out of memory");
    return memory;
}

static void read_requests(const char *path)
{
    FILE *file = fopen(path, "r");
    size_t capacity = 0;
    long length;
    if (file == NULL) fail("%s: %s", path, strerror(errno));
    while (fscanf(file, "%ld", &length) == 1) {
        if (length < 1 || length > BUFFER || fgetc(file) != '\n')
            fail("%s: request %zu has no valid length", path, request_count);
        if (request_count == capacity) {
            capacity = capacity ? 2 * capacity : 16;
            requests = realloc(requests, capacity * sizeof *requests);
            if (requests == NULL) fail("out of memory");
        }
        char *bytes = allocate((size_t)length, 1);
        if (fread(bytes, 1, (size_t)length, file) != (size_t)length) fail("%s: request %zu is cut off", path, request_count);
        requests[request_count++] = (struct request){bytes, (size_t)length};
    }
    if (request_count == 0) fail("%s contains no requests", path);
    fclose(file);
}

/* A shuffle, so that each request is sent once before one is repeated. */
static void shuffle(uint64_t seed)
{
    for (size_t i = request_count - 1; i > 0; i--) {
        seed = seed * 6364136223846793005u + 1442695040888963407u;
        size_t other = (size_t)((seed >> 33) % (i + 1));
        struct request request = requests[i];
        requests[i] = requests[other];
        requests[other] = request;
    }
}

static void add_free(struct connection *connection, int64_t time)
{
    connection->is_waiting = false;
    connection->received = 0;
    connection->free_since = time;
    connection->next = NULL;
    if (first_free == NULL) first_free = connection;
    else last_free->next = connection;
    last_free = connection;
}

/* Connects, and waits for it: this happens before the first request, and after a failure. */
static void open_connection(struct connection *connection)
{
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons(port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    int on = 1;
    connection->socket = socket(AF_INET, SOCK_STREAM | SOCK_CLOEXEC, 0);
    if (connection->socket < 0) fail("socket: %s", strerror(errno));
    if (connect(connection->socket, (struct sockaddr *)&address, sizeof address) != 0)
        fail("cannot connect to port %u: %s", port, strerror(errno));
    setsockopt(connection->socket, IPPROTO_TCP, TCP_NODELAY, &on, sizeof on);
    if (uses_tls) {
        int result;
        gnutls_init(&connection->tls, GNUTLS_CLIENT);
        gnutls_set_default_priority(connection->tls);
        gnutls_credentials_set(connection->tls, GNUTLS_CRD_CERTIFICATE, credentials);
        gnutls_transport_set_int(connection->tls, connection->socket);
        do result = gnutls_handshake(connection->tls);
        while (result < 0 && !gnutls_error_is_fatal(result));
        if (result < 0) fail("TLS handshake: %s", gnutls_strerror(result));
    }
    fcntl(connection->socket, F_SETFL, O_NONBLOCK);
    struct epoll_event event = {.events = EPOLLIN, .data.ptr = connection};
    if (epoll_ctl(epoll, EPOLL_CTL_ADD, connection->socket, &event) != 0) fail("epoll_ctl: %s", strerror(errno));
}

static void close_connection(struct connection *connection)
{
    if (uses_tls) gnutls_deinit(connection->tls);
    close(connection->socket);
}

static void record_latency(const struct connection *connection, int64_t time)
{
    latencies[latency_count++] = (uint32_t)((time - connection->due) / 1000);
}

/* Counts an error, and connects again, as a client would. */
static void replace(struct connection *connection)
{
    errors++;
    if (connection->is_waiting) record_latency(connection, now());
    close_connection(connection);
    open_connection(connection);
}

/* Sends a request that was due at that time; with --own (`request` is NULL), the connection's next one. It fits into the socket's buffer, since no other is on its way. */
static void send_request(const struct request *request, int64_t due, int64_t time)
{
    struct connection *connection = first_free;
    first_free = connection->next;
    int64_t possible = due > connection->free_since ? due : connection->free_since;
    lags[lag_count++] = (uint32_t)((time - possible) / 1000);
    connection->is_waiting = true;
    connection->due = due;
    if (request == NULL) {
        request = &requests[connection->own_request % request_count];
        connection->own_request += (size_t)connection_count;
    }
    ssize_t sent = uses_tls ? gnutls_record_send(connection->tls, request->bytes, request->length)
                            : send(connection->socket, request->bytes, request->length, MSG_NOSIGNAL);
    if (sent != (ssize_t)request->length) {
        replace(connection);
        add_free(connection, now());
    }
}

/* The length of a response with its header, or 0 if its header has not arrived yet. */
static size_t response_length(char *buffer, size_t received)
{
    static const char name[] = "\r\nContent-Length:";
    buffer[received] = '\0';
    char *end = memmem(buffer, received, "\r\n\r\n", 4);
    if (end == NULL) return 0;
    char *field = strcasestr(buffer, name);
    if (field == NULL || field > end) fail("a response has no Content-Length:\n%s", buffer);
    return (size_t)(end + 4 - buffer) + strtoul(field + sizeof name - 1, NULL, 10);
}

/* Reads what has arrived. */
static void receive(struct connection *connection)
{
    size_t space = BUFFER - 1 - connection->received;
    char *end = connection->buffer + connection->received;
    ssize_t count;
    do {
        count = uses_tls ? gnutls_record_recv(connection->tls, end, space) : recv(connection->socket, end, space, 0);
        if (uses_tls && count == GNUTLS_E_AGAIN) return;
    } while (uses_tls && count < 0 && !gnutls_error_is_fatal((int)count));
    if (count < 0 && !uses_tls && errno == EAGAIN) return;
    if (count <= 0 || !connection->is_waiting) {
        bool was_waiting = connection->is_waiting;
        replace(connection);
        if (was_waiting) add_free(connection, now());
        return;
    }
    connection->received += (size_t)count;
    size_t length = response_length(connection->buffer, connection->received);
    if (length >= BUFFER) fail("a response has %zu bytes; the maximum is %d", length, BUFFER - 1);
    if (length == 0 || connection->received < length) return;
    int64_t time = now();
    record_latency(connection, time);
    if (strncmp(connection->buffer, "HTTP/1.1 2", 10) == 0) responses++;
    else errors++;
    add_free(connection, time);
}

/* Waits until a response arrives, or until that time. */
static void wait_until(int64_t time)
{
    struct epoll_event events[256];
    int64_t left = time - now();
    if (left < 0) left = 0;
    struct timespec timeout = {left / NANOSECONDS, left % NANOSECONDS};
    int count = epoll_pwait2(epoll, events, 256, &timeout, NULL);
    if (count < 0 && errno != EINTR) fail("epoll_pwait2: %s", strerror(errno));
    for (int i = 0; i < count; i++) receive(events[i].data.ptr);
}

static int compare(const void *left, const void *right)
{
    uint32_t a = *(const uint32_t *)left, b = *(const uint32_t *)right;
    return (a > b) - (a < b);
}

/* The value that the share of the sorted values does not exceed. */
static uint32_t percentile(const uint32_t *values, size_t count, double share)
{
    if (count == 0) return 0;
    size_t rank = (size_t)((double)count * share);
    return values[rank < count ? rank : count - 1];
}

static double number(const char *text, double maximum)
{
    char *end;
    double value = strtod(text, &end);
    if (*text == '\0' || *end != '\0' || !(value > 0) || value > maximum)
        fail("'%s' is not a number from 1 to %.0f", text, maximum);
    return value;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"tls", no_argument, NULL, 't'}, {"random", required_argument, NULL, 'r'}, {"own", no_argument, NULL, 'o'}, {NULL, 0, NULL, 0}};
    bool is_random = false, is_own = false;
    uint64_t seed = 0;
    for (int option; (option = getopt_long(argc, argv, "", options, NULL)) != -1;) {
        if (option == 't') uses_tls = true;
        else if (option == 'r') is_random = true, seed = strtoull(optarg, NULL, 10);
        else if (option == 'o') is_own = true;
        else return 2;
    }
    if (argc - optind != 5) {
        fprintf(stderr, "usage: load [--tls] [--random SEED | --own] PORT RATE CONNECTIONS SECONDS FILE\n");
        return 2;
    }
    port = (uint16_t)number(argv[optind], 65535);
    double rate = number(argv[optind + 1], 10000000);
    connection_count = (int)number(argv[optind + 2], 100000);
    size_t total = (size_t)(rate * number(argv[optind + 3], 3600));
    read_requests(argv[optind + 4]);
    if (is_random) shuffle(seed);
    if (is_own && request_count % (size_t)connection_count != 0)
        fail("%zu requests cannot be divided among %d connections", request_count, connection_count);

    prctl(PR_SET_TIMERSLACK, 1000ul); /* nanoseconds; the default of 50 microseconds would be part of the latency */
    if (uses_tls) gnutls_certificate_allocate_credentials(&credentials);
    latencies = allocate(total, sizeof *latencies);
    lags = allocate(total, sizeof *lags);
    epoll = epoll_create1(EPOLL_CLOEXEC);
    connections = allocate((size_t)connection_count, sizeof *connections);
    for (int i = 0; i < connection_count; i++) {
        open_connection(&connections[i]);
        connections[i].own_request = (size_t)i;
        add_free(&connections[i], 0);
    }

    double interval = NANOSECONDS / rate;
    int64_t start = now() + NANOSECONDS / 100;
    int64_t end = start + (int64_t)((double)total * interval), deadline = end + (int64_t)GRACE * NANOSECONDS;
    size_t sent = 0;
    int64_t time;
    while ((time = now()) < deadline && latency_count < total) {
        int64_t due = start + (int64_t)((double)sent * interval);
        while (sent < total && due <= time && first_free != NULL) {
            send_request(is_own ? NULL : &requests[sent % request_count], due, time);
            sent++;
            due = start + (int64_t)((double)sent * interval);
            time = now();
        }
        wait_until(sent < total && first_free != NULL ? due : deadline);
    }

    size_t unanswered = total - latency_count;
    time = now();
    for (int i = 0; i < connection_count; i++)
        if (connections[i].is_waiting) record_latency(&connections[i], time);
    for (; sent < total; sent++)
        latencies[latency_count++] = (uint32_t)((time - start - (int64_t)((double)sent * interval)) / 1000);
    double sum = 0;
    for (size_t i = 0; i < latency_count; i++) sum += latencies[i];
    qsort(latencies, latency_count, sizeof *latencies, compare);
    qsort(lags, lag_count, sizeof *lags, compare);
    struct rusage usage;
    getrusage(RUSAGE_SELF, &usage);
    uint32_t lag99 = percentile(lags, lag_count, 0.99);
    printf("due=%zu responses=%zu errors=%zu unanswered=%zu", total, responses, errors, unanswered);
    printf(" mean=%.0f p50=%u p99=%u p999=%u max=%u", latency_count ? sum / (double)latency_count : 0, percentile(latencies, latency_count, 0.5),
           percentile(latencies, latency_count, 0.99),
           percentile(latencies, latency_count, 0.999), percentile(latencies, latency_count, 1));
    printf(" lag99=%u lag999=%u lagmax=%u", lag99, percentile(lags, lag_count, 0.999), percentile(lags, lag_count, 1));
    printf(" cpu=%ld keptup=%d\n",
           (usage.ru_utime.tv_sec + usage.ru_stime.tv_sec) * 1000000L + usage.ru_utime.tv_usec + usage.ru_stime.tv_usec,
           lag99 <= 1000);
    return 0;
}
