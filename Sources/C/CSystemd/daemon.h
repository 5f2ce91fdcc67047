// sd-daemon for readiness, status and passed descriptors, and a system call that Swift's Glibc module does not expose.
#pragma once
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

// The C library declares this function only with _GNU_SOURCE, which cannot be set for a single module.
extern int memfd_create(const char *name, unsigned int flags);

enum { alertd_memfd_closed_on_exec = 0x0001 };
