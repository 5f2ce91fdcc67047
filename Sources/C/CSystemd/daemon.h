// Readiness, status and passed descriptors, and the calls of the kernel that Swift's Glibc module does not show.
#pragma once
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

// The C library declares it for _GNU_SOURCE only, which cannot be set for one module.
extern int memfd_create(const char *name, unsigned int flags);

enum { alertd_memfd_closed_on_exec = 0x0001 };
