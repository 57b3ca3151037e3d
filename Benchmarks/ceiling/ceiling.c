/* The ceiling of the load benchmark: what libmicrohttpd can do on this machine when the answer costs nothing.
 *
 *     ceiling PORT
 *
 * One external epoll loop on 127.0.0.1, as Understudy drives it. Every request gets a constant answer of the size of
 * Understudy's: that of a registration for /register, that of a login for anything else. Request bodies are read and
 * thrown away.
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

/* Seven digits, as many as a session's sequence has in the middle of a run. */
static const char login_body[] =
    "{\"sequence\":1000002,\"commands\":["
    "{\"sequence\":1000002,\"page\":\"login\",\"command\":\"showAlert\",\"message\":\"You have exceeded the maximum number "
    "of attempts, please try after sometime.\",\"code\":\"login.tooManyAttempts\"}]}";

static const char register_body[] =
    "{\"sequence\":1000002,\"commands\":["
    "{\"sequence\":1000001,\"page\":\"register\",\"command\":\"render\",\"key\":\"userID\",\"value\":\"012345678912\"},"
    "{\"sequence\":1000002,\"page\":\"register\",\"command\":\"render\",\"key\":\"errorMessage\",\"value\":null}]}";

static struct MHD_Response *login_answer;
static struct MHD_Response *register_answer;
static volatile sig_atomic_t stopping;

static void stop(int signal_number)
{
    (void)signal_number;
    stopping = 1;
}

/* Builds an answer once, to be queued for every request. */
static struct MHD_Response *make_answer(const char *body)
{
    struct MHD_Response *answer =
        MHD_create_response_from_buffer(strlen(body), (void *)body, MHD_RESPMEM_PERSISTENT);
    if (answer == NULL
        || MHD_add_response_header(answer, "Content-Type", "application/json") != MHD_YES
        || MHD_add_response_header(answer, "X-Request-ID", "0123456789abcde") != MHD_YES
        || MHD_add_response_header(answer, "Cache-Control", "no-store") != MHD_YES
        || MHD_add_response_header(answer, "X-Content-Type-Options", "nosniff") != MHD_YES) {
        fprintf(stderr, "ceiling: out of memory\n");
        exit(1);
    }
    return answer;
}

/* libmicrohttpd calls this once for the header, once for each piece of the body, and once at the end. */
static enum MHD_Result handle(void *context, struct MHD_Connection *connection, const char *url, const char *method,
                              const char *version, const char *upload_data, size_t *upload_data_size,
                              void **request_context)
{
    static int header_seen;
    (void)context, (void)method, (void)version, (void)upload_data;
    if (*request_context == NULL) {
        *request_context = &header_seen;
        return MHD_YES;
    }
    if (*upload_data_size != 0) {
        *upload_data_size = 0;
        return MHD_YES;
    }
    return MHD_queue_response(connection, MHD_HTTP_OK,
                              strcmp(url, "/register") == 0 ? register_answer : login_answer);
}

int main(int argc, char **argv)
{
    char *end = NULL;
    long port = argc == 2 ? strtol(argv[1], &end, 10) : 0;
    if (port < 1 || port > 65535 || *end != '\0') {
        fprintf(stderr, "usage: ceiling PORT\n");
        return 2;
    }
    struct sockaddr_in address = {
        .sin_family = AF_INET, .sin_port = htons((uint16_t)port), .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    struct sigaction on_stop = {.sa_handler = stop}; /* without SA_RESTART: poll must return */
    sigaction(SIGTERM, &on_stop, NULL);
    sigaction(SIGINT, &on_stop, NULL);
    signal(SIGPIPE, SIG_IGN);

    login_answer = make_answer(login_body);
    register_answer = make_answer(register_body);
    /* MHD_USE_EPOLL alone, without an internal thread: the loop below drives the daemon. */
    struct MHD_Daemon *daemon = MHD_start_daemon(
        MHD_USE_EPOLL | MHD_USE_ERROR_LOG, (uint16_t)port, NULL, NULL, handle, NULL,
        MHD_OPTION_SOCK_ADDR, (struct sockaddr *)&address,
        MHD_OPTION_CONNECTION_MEMORY_LIMIT, (size_t)(16 * 1024),
        MHD_OPTION_CONNECTION_LIMIT, 4096u,
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
    MHD_destroy_response(login_answer);
    MHD_destroy_response(register_answer);
    return 0;
}
