#define _GNU_SOURCE
#include "blocking.h"

#include <fcntl.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

__thread bool blocking_is_watched;
static char found[200];
static struct blocking_work turn, since_watch, most;
static volatile sig_atomic_t turns, turns_at_tick;
static char limit_line[300];

void blocking_watch(void)
{
    found[0] = 0;
    turn = since_watch = (struct blocking_work) { 0 };
    blocking_is_watched = true;
}

void blocking_pause(bool is_paused)
{
    blocking_is_watched = !is_paused;
}

const char *blocking_found(void)
{
    return found[0] ? found : NULL;
}

struct blocking_work blocking_most(void)
{
    return most;
}

struct blocking_work blocking_most_since_watch(void)
{
    return since_watch;
}

void blocking_report(const char *function, const char *why)
{
    if (!found[0]) snprintf(found, sizeof found, "%s %s", function, why);
}

static void raise_to(struct blocking_work *greatest, struct blocking_work work)
{
    if (work.syncs > greatest->syncs) greatest->syncs = work.syncs;
    if (work.written > greatest->written) greatest->written = work.written;
    if (work.read > greatest->read) greatest->read = work.read;
}

void blocking_begin_turn(void)
{
    turns++;
    raise_to(&since_watch, turn);
    raise_to(&most, turn);
    turn = (struct blocking_work) { 0 };
}

void blocking_note_sync(void)
{
    turn.syncs++;
}

void blocking_note_written(int64_t count)
{
    if (count > 0) turn.written += count;
}

void blocking_note_read(int64_t count)
{
    if (count > 0) turn.read += count;
}

// A regular file never has its reader wait for another process, and neither does /dev/null.
bool blocking_can_wait(int descriptor, int flags)
{
    if (flags & MSG_DONTWAIT) return false;
    int mode = fcntl(descriptor, F_GETFL);
    if (mode < 0 || mode & O_NONBLOCK) return false;
    struct stat status;
    if (fstat(descriptor, &status) != 0) return false;
    return !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode) && !S_ISCHR(status.st_mode);
}

static void tick(int number)
{
    (void)number;
    if (turns == turns_at_tick) {
        ssize_t count = write(STDOUT_FILENO, limit_line, strlen(limit_line));
        _exit(count < 0 ? 2 : 1);
    }
    turns_at_tick = turns;
}

void blocking_limit(const char *line)
{
    snprintf(limit_line, sizeof limit_line, "%s\n", line);
    turns_at_tick = -1;
    struct sigaction action = { .sa_handler = tick, .sa_flags = SA_RESTART };
    sigaction(SIGPROF, &action, NULL);
    struct itimerval every = { { 20, 0 }, { 20, 0 } };
    setitimer(ITIMER_PROF, &every, NULL);
}
