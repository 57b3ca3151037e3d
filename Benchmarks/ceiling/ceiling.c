/* The ceiling of the load benchmark: what libmicrohttpd can do on this machine when the response costs nothing.
 *
 *     ceiling PORT FILE [METHOD PATH FILE]...
 *
 * One external epoll loop on 127.0.0.1, as Understudy drives it. The response to a request is the one in the FILE after its METHOD and
 * PATH, and otherwise in the first FILE: a response of Understudy, with its header. So both send the same number of bytes. Request
 * bodies are read and discarded.
 */
#include <microhttpd.h>

#include <arpa/inet.h>
#include <errno.h>
#include <netinet/in.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

enum { RESPONSES = 16 };

struct rule {
    const char *method, *path;
    struct MHD_Response *response;
};

static struct rule rules[RESPONSES];
static int rule_count; /* the last one is for all other requests */
static volatile sig_atomic_t stopping;

static void stop(int signal_number)
{
    (void)signal_number;
    stopping = 1;
}

static _Noreturn void fail(const char *message)
{
    fprintf(stderr, "ceiling: %s\n", message);
    exit(1);
}

/* Creates the response from a file once, to be queued for every request. libmicrohttpd adds Date and Content-Length by itself. */
static struct MHD_Response *read_response(const char *path)
{
    static char texts[RESPONSES][64 * 1024];
    char *text = texts[rule_count];
    FILE *file = fopen(path, "r");
    size_t length = file == NULL ? 0 : fread(text, 1, sizeof texts[0] - 1, file);
    char *body = strstr(text, "\r\n\r\n"), *line = strstr(text, "\r\n");
    if (body == NULL || line == body || strncmp(text, "HTTP/1.1 200 ", 13) != 0) fail("the file contains no response");
    fclose(file);
    *body = '\0';
    body += 4;
    struct MHD_Response *created =
        MHD_create_response_from_buffer(length - (size_t)(body - text), body, MHD_RESPMEM_PERSISTENT);
    if (created == NULL) fail("out of memory");
    for (char *next; line != NULL; line = next) {
        line += 2;
        next = strstr(line, "\r\n");
        if (next != NULL) *next = '\0';
        char *value = strstr(line, ": ");
        if (value == NULL) fail("a line of the header contains no colon");
        *value = '\0';
        if (strcasecmp(line, "Date") == 0 || strcasecmp(line, "Content-Length") == 0) continue;
        if (MHD_add_response_header(created, line, value + 2) != MHD_YES) fail("a header cannot be added");
    }
    return created;
}

/* libmicrohttpd calls this once for the header, once for each piece of the body, and once at the end. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload_data, size_t *upload_data_size,
                              void **request_context)
{
    static int header_seen;
    (void)context, (void)version, (void)upload_data;
    if (*request_context == NULL) {
        *request_context = &header_seen;
        return MHD_YES;
    }
    if (*upload_data_size != 0) {
        *upload_data_size = 0;
        return MHD_YES;
    }
    const struct rule *rule = rules;
    while (rule->path != NULL && (strcmp(rule->path, url) != 0 || strcmp(rule->method, method) != 0)) rule++;
    return MHD_queue_response(connection, MHD_HTTP_OK, rule->response);
}

int main(int argc, char **argv)
{
    char *end = NULL;
    long port = argc >= 3 && argc % 3 == 0 && argc / 3 <= RESPONSES ? strtol(argv[1], &end, 10) : 0;
    if (port < 1 || port > 65535 || *end != '\0') {
        fprintf(stderr, "usage: ceiling PORT FILE [METHOD PATH FILE]...\n");
        return 2;
    }
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sigaction on_stop = {.sa_handler = stop}; /* without SA_RESTART: poll must return */
    sigaction(SIGTERM, &on_stop, NULL);
    sigaction(SIGINT, &on_stop, NULL);
    signal(SIGPIPE, SIG_IGN);

    for (int i = 3; i < argc; i += 3, rule_count++) rules[rule_count] = (struct rule){argv[i], argv[i + 1], read_response(argv[i + 2])};
    rules[rule_count] = (struct rule){NULL, NULL, read_response(argv[2])};
    /* MHD_USE_EPOLL alone, without an internal thread: the loop below drives the daemon. */
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_ERROR_LOG, (uint16_t)port, NULL, NULL, handle, NULL,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(16 * 1024),
        MHD_OPTION_CONNECTION_LIMIT, 16384u,
        MHD_OPTION_END);
    const union MHD_DaemonInfo *info = daemon == NULL ? NULL : MHD_get_daemon_info(daemon, MHD_DAEMON_INFO_EPOLL_FD);
    if (info == NULL) {
        fprintf(stderr, "ceiling: cannot listen on 127.0.0.1:%ld\n", port);
        return 1;
    }
    struct pollfd ready = {.fd = info->epoll_fd, .events = POLLIN};
    while (!stopping) {
        MHD_UNSIGNED_LONG_LONG milliseconds;
        int timeout = -1; /* wait for as long as it takes, unless libmicrohttpd has something to do by itself */
        if (MHD_get_timeout(daemon, &milliseconds) == MHD_YES)
            timeout = milliseconds > 1000 ? 1000 : (int)milliseconds;
        if (poll(&ready, 1, timeout) < 0 && errno != EINTR) {
            perror("ceiling: poll");
            return 1;
        }
        MHD_run(daemon);
    }
    MHD_stop_daemon(daemon);
    for (int i = 0; i <= rule_count; i++) MHD_destroy_response(rules[i].response);
    return 0;
}
