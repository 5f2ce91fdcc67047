// sd-event, and the calls of the kernel that Swift's Glibc module does not show.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <systemd/sd-event.h>

// The C library declares these for _GNU_SOURCE only, which cannot be set for one module.
extern int accept4(int descriptor, struct sockaddr *address, socklen_t *length, int flags);

struct alertd_peer {
    pid_t pid;
    uid_t user;
    gid_t group;
};

static inline int alertd_accept(int descriptor) {
    return accept4(descriptor, NULL, NULL, SOCK_CLOEXEC | SOCK_NONBLOCK);
}

static inline int alertd_peer_credentials(int descriptor, struct alertd_peer *peer) {
    socklen_t length = sizeof *peer;
    return getsockopt(descriptor, SOL_SOCKET, SO_PEERCRED, peer, &length);
}

// SO_PEERGROUPS of linux/socket.h, which the C library's headers do not show.
static inline int alertd_peer_groups(int descriptor, gid_t *groups, int capacity) {
    socklen_t length = (socklen_t)(sizeof *groups * (size_t)capacity);
    if (getsockopt(descriptor, SOL_SOCKET, 59, groups, &length) < 0)
        return -1;
    return (int)(length / sizeof *groups);
}
