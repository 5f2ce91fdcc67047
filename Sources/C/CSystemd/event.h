// sd-event, and system calls that Swift's Glibc module does not expose.
#pragma once
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <sys/epoll.h>
#include <sys/eventfd.h>
#include <sys/socket.h>
#include <sys/types.h>
#include <sys/xattr.h>
#include <systemd/sd-event.h>

// The C library declares this function only with _GNU_SOURCE, which cannot be set for a single module.
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

// Gets the groups of the peer. 59 is SO_PEERGROUPS from linux/socket.h, which the headers of the C library lack.
static inline int alertd_peer_groups(int descriptor, gid_t *groups, int capacity) {
    socklen_t length = (socklen_t)(sizeof *groups * (size_t)capacity);
    if (getsockopt(descriptor, SOL_SOCKET, 59, groups, &length) < 0)
        return -1;
    return (int)(length / sizeof *groups);
}

// Reads the access control list of a file in the format of the kernel. Returns its size, or -1 if there is none.
static inline ssize_t alertd_access_list(const char *path, void *bytes, size_t capacity) {
    return getxattr(path, "system.posix_acl_access", bytes, capacity);
}

static inline int alertd_set_access_list(const char *path, const void *bytes, size_t count) {
    return setxattr(path, "system.posix_acl_access", bytes, count, 0);
}
