// Writing structured entries to the journal and reading them.
#pragma once
#include <sys/uio.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
