// Structured records to the journal, and entries from it.
#pragma once
#include <sys/uio.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>
