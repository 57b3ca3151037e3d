/* Loaded before the C library by the servers that callgrind runs: valgrind 3.19 writes to the mask of sigsuspend(2), and libdispatch
 * keeps it in read-only memory.
 */
#include <signal.h>
#include <sys/syscall.h>
#include <unistd.h>

int sigsuspend(const sigset_t *mask)
{
    sigset_t copy = *mask;
    return (int)syscall(SYS_rt_sigsuspend, &copy, _NSIG / 8);
}
