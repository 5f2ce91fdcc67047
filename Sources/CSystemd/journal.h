// Structured records to the journal.
#pragma once
#include <sys/uio.h>
#include <systemd/sd-journal.h>
