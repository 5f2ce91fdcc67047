#define _GNU_SOURCE
#include "CChild.h"

#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <unistd.h>

static int set_streams(posix_spawn_file_actions_t *actions, const int streams[3])
{
    int error = 0;
    for (int number = 0; number < 3 && error == 0; number++)
        error = streams[number] < 0
            ? posix_spawn_file_actions_addopen(actions, number, "/dev/null", O_RDWR, 0)
            : posix_spawn_file_actions_adddup2(actions, streams[number], number);
    return error != 0 ? error : posix_spawn_file_actions_addclosefrom_np(actions, 3);
}

static int set_signals(posix_spawnattr_t *attributes)
{
    sigset_t none, all;
    sigemptyset(&none);
    sigfillset(&all);
    int error = posix_spawnattr_setsigmask(attributes, &none);
    if (error == 0) error = posix_spawnattr_setsigdefault(attributes, &all);
    if (error == 0) error = posix_spawnattr_setpgroup(attributes, 0);
    if (error != 0) return error;
    return posix_spawnattr_setflags(
        attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETSIGDEF | POSIX_SPAWN_SETPGROUP);
}

int child_start(pid_t *pid, char *const arguments[], char *const environment[], const int streams[3])
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error != 0) return error;
    error = posix_spawnattr_init(&attributes);
    if (error == 0) {
        error = set_streams(&actions, streams);
        if (error == 0) error = set_signals(&attributes);
        if (error == 0) error = posix_spawnp(pid, arguments[0], &actions, &attributes, arguments, environment);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

int child_pipe(int ends[2])
{
    return pipe2(ends, O_CLOEXEC);
}
