// The functions of the C library that can wait.
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "blocking.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <poll.h>
#include <pthread.h>
#include <semaphore.h>
#include <signal.h>
#include <stdarg.h>
#include <sys/epoll.h>
#include <sys/file.h>
#include <sys/select.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

// The C library's own function of this name.
#define REAL(name) ({ \
    static __typeof__(&name) real; \
    if (!real) real = (__typeof__(&name))dlsym(RTLD_NEXT, #name); \
    real; \
})

// A function that waits whatever its arguments are.
#define WAITS(type, name, parameters, ...) \
    type name parameters \
    { \
        if (blocking_is_watched) blocking_report(#name, "waits"); \
        return REAL(name)(__VA_ARGS__); \
    }

// A function that waits if `condition` holds.
#define WAITS_IF(condition, why, type, name, parameters, ...) \
    type name parameters \
    { \
        if (blocking_is_watched && (condition)) blocking_report(#name, why); \
        return REAL(name)(__VA_ARGS__); \
    }

#define ON_DESCRIPTOR "waits for the other end of a descriptor"
#define UNTIL_READY "waits until something is ready"

WAITS(unsigned, sleep, (unsigned seconds), seconds)
WAITS(int, usleep, (useconds_t length), length)
WAITS(int, nanosleep, (const struct timespec *length, struct timespec *rest), length, rest)
WAITS(int, clock_nanosleep, (clockid_t clock, int flags, const struct timespec *time, struct timespec *rest),
    clock, flags, time, rest)
WAITS(int, pause, (void))
WAITS(int, sigsuspend, (const sigset_t *set), set)
WAITS(int, sigwait, (const sigset_t *set, int *number), set, number)
WAITS(int, sigwaitinfo, (const sigset_t *set, siginfo_t *info), set, info)
WAITS(int, pthread_join, (pthread_t thread, void **result), thread, result)
WAITS(int, pthread_cond_wait, (pthread_cond_t *condition, pthread_mutex_t *mutex), condition, mutex)
WAITS(int, pthread_cond_timedwait,
    (pthread_cond_t *condition, pthread_mutex_t *mutex, const struct timespec *end), condition, mutex, end)
WAITS(int, sem_wait, (sem_t *semaphore), semaphore)
WAITS(int, sem_timedwait, (sem_t *semaphore, const struct timespec *end), semaphore, end)
WAITS(pid_t, wait, (int *status), status)

WAITS(int, getaddrinfo,
    (const char *node, const char *service, const struct addrinfo *hints, struct addrinfo **result),
    node, service, hints, result)
WAITS(int, getnameinfo,
    (const struct sockaddr *address, socklen_t length, char *host, socklen_t host_length, char *service,
        socklen_t service_length, int flags),
    address, length, host, host_length, service, service_length, flags)
WAITS(struct hostent *, gethostbyname, (const char *name), name)

WAITS_IF(!(options & WNOHANG), "waits for a process", pid_t, waitpid, (pid_t process, int *status, int options),
    process, status, options)
WAITS_IF(!(options & WNOHANG), "waits for a process", int, waitid,
    (idtype_t type, id_t process, siginfo_t *info, int options), type, process, info, options)
WAITS_IF(!(operation & (LOCK_NB | LOCK_UN)), "waits for a lock", int, flock, (int descriptor, int operation),
    descriptor, operation)

WAITS_IF(timeout != 0, UNTIL_READY, int, poll, (struct pollfd *entries, nfds_t count, int timeout),
    entries, count, timeout)
WAITS_IF(!timeout || timeout->tv_sec || timeout->tv_nsec, UNTIL_READY, int, ppoll,
    (struct pollfd *entries, nfds_t count, const struct timespec *timeout, const sigset_t *set),
    entries, count, timeout, set)
WAITS_IF(!timeout || timeout->tv_sec || timeout->tv_usec, UNTIL_READY, int, select,
    (int count, fd_set *read, fd_set *write, fd_set *failed, struct timeval *timeout),
    count, read, write, failed, timeout)
WAITS_IF(!timeout || timeout->tv_sec || timeout->tv_nsec, UNTIL_READY, int, pselect,
    (int count, fd_set *read, fd_set *write, fd_set *failed, const struct timespec *timeout, const sigset_t *set),
    count, read, write, failed, timeout, set)

// The event loop looks at its descriptors: a turn ends, and another begins. In virtual time it never waits.
static bool is_wait(bool has_timeout)
{
    blocking_begin_turn();
    return has_timeout;
}

WAITS_IF(is_wait(timeout != 0), UNTIL_READY, int, epoll_wait,
    (int descriptor, struct epoll_event *events, int count, int timeout), descriptor, events, count, timeout)
WAITS_IF(is_wait(timeout != 0), UNTIL_READY, int, epoll_pwait,
    (int descriptor, struct epoll_event *events, int count, int timeout, const sigset_t *set),
    descriptor, events, count, timeout, set)
WAITS_IF(is_wait(!timeout || timeout->tv_sec || timeout->tv_nsec), UNTIL_READY, int, epoll_pwait2,
    (int descriptor, struct epoll_event *events, int count, const struct timespec *timeout, const sigset_t *set),
    descriptor, events, count, timeout, set)

WAITS_IF(blocking_can_wait(descriptor, 0), ON_DESCRIPTOR, int, connect,
    (int descriptor, const struct sockaddr *address, socklen_t length), descriptor, address, length)
WAITS_IF(blocking_can_wait(descriptor, 0), ON_DESCRIPTOR, int, accept,
    (int descriptor, struct sockaddr *address, socklen_t *length), descriptor, address, length)
WAITS_IF(blocking_can_wait(descriptor, 0), ON_DESCRIPTOR, int, accept4,
    (int descriptor, struct sockaddr *address, socklen_t *length, int flags), descriptor, address, length, flags)
WAITS_IF(blocking_can_wait(descriptor, flags), ON_DESCRIPTOR, ssize_t, recv,
    (int descriptor, void *bytes, size_t count, int flags), descriptor, bytes, count, flags)
WAITS_IF(blocking_can_wait(descriptor, flags), ON_DESCRIPTOR, ssize_t, recvfrom,
    (int descriptor, void *bytes, size_t count, int flags, struct sockaddr *address, socklen_t *length),
    descriptor, bytes, count, flags, address, length)
WAITS_IF(blocking_can_wait(descriptor, flags), ON_DESCRIPTOR, ssize_t, recvmsg,
    (int descriptor, struct msghdr *message, int flags), descriptor, message, flags)
WAITS_IF(blocking_can_wait(descriptor, flags), ON_DESCRIPTOR, ssize_t, send,
    (int descriptor, const void *bytes, size_t count, int flags), descriptor, bytes, count, flags)
WAITS_IF(blocking_can_wait(descriptor, flags), ON_DESCRIPTOR, ssize_t, sendto,
    (int descriptor, const void *bytes, size_t count, int flags, const struct sockaddr *address, socklen_t length),
    descriptor, bytes, count, flags, address, length)
WAITS_IF(blocking_can_wait(descriptor, flags), ON_DESCRIPTOR, ssize_t, sendmsg,
    (int descriptor, const struct msghdr *message, int flags), descriptor, message, flags)
WAITS_IF(blocking_can_wait(descriptor, 0), ON_DESCRIPTOR, ssize_t, readv,
    (int descriptor, const struct iovec *parts, int count), descriptor, parts, count)
WAITS_IF(blocking_can_wait(descriptor, 0), ON_DESCRIPTOR, ssize_t, writev,
    (int descriptor, const struct iovec *parts, int count), descriptor, parts, count)

// Files: these do not wait for others, but each takes its time.

#define COUNTS(note, name, parameters, ...) \
    ssize_t name parameters \
    { \
        ssize_t result = REAL(name)(__VA_ARGS__); \
        if (blocking_is_watched) note(result); \
        return result; \
    }

COUNTS(blocking_note_read, pread, (int descriptor, void *bytes, size_t count, off_t place),
    descriptor, bytes, count, place)
COUNTS(blocking_note_read, pread64, (int descriptor, void *bytes, size_t count, off64_t place),
    descriptor, bytes, count, place)
COUNTS(blocking_note_written, pwrite, (int descriptor, const void *bytes, size_t count, off_t place),
    descriptor, bytes, count, place)
COUNTS(blocking_note_written, pwrite64, (int descriptor, const void *bytes, size_t count, off64_t place),
    descriptor, bytes, count, place)

ssize_t read(int descriptor, void *bytes, size_t count)
{
    if (blocking_is_watched && blocking_can_wait(descriptor, 0)) blocking_report("read", ON_DESCRIPTOR);
    ssize_t result = REAL(read)(descriptor, bytes, count);
    if (blocking_is_watched) blocking_note_read(result);
    return result;
}

ssize_t write(int descriptor, const void *bytes, size_t count)
{
    if (blocking_is_watched && blocking_can_wait(descriptor, 0)) blocking_report("write", ON_DESCRIPTOR);
    ssize_t result = REAL(write)(descriptor, bytes, count);
    if (blocking_is_watched) blocking_note_written(result);
    return result;
}

int fsync(int descriptor)
{
    if (blocking_is_watched) blocking_note_sync();
    return REAL(fsync)(descriptor);
}

int fdatasync(int descriptor)
{
    if (blocking_is_watched) blocking_note_sync();
    return REAL(fdatasync)(descriptor);
}

// Waits for all file systems.
void sync(void)
{
    if (blocking_is_watched) blocking_report("sync", "waits");
    REAL(sync)();
}

WAITS(int, syncfs, (int descriptor), descriptor)

static bool is_waiting_lock(int command)
{
    return command == F_SETLKW || command == F_OFD_SETLKW;
}

int fcntl(int descriptor, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (blocking_is_watched && is_waiting_lock(command)) blocking_report("fcntl", "waits for a lock");
    return REAL(fcntl)(descriptor, command, argument);
}

int fcntl64(int descriptor, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    if (blocking_is_watched && is_waiting_lock(command)) blocking_report("fcntl64", "waits for a lock");
    return REAL(fcntl64)(descriptor, command, argument);
}
