// Readiness, status and passed descriptors, and system calls that Swift's Glibc module does not expose.
#pragma once
#include <sys/socket.h>
#include <systemd/sd-daemon.h>

// The C library declares it only with _GNU_SOURCE, which cannot be set for a single module.
extern int memfd_create(const char *name, unsigned int flags);

enum { alertd_memfd_closed_on_exec = 0x0001 };
