// Readiness, status and passed descriptors.
#pragma once
#include <systemd/sd-daemon.h>
