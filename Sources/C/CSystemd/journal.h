// sd-journal for writing and reading structured journal entries.
#pragma once
#include <sys/uio.h>
#include <systemd/sd-id128.h>
#include <systemd/sd-journal.h>

// Writes the machine ID to `text`: 32 hexadecimal digits and a NUL.
static inline int alertd_machine_id(char text[SD_ID128_STRING_MAX]) {
    sd_id128_t id;
    int status = sd_id128_get_machine(&id);
    if (status >= 0) sd_id128_to_string(id, text);
    return status;
}
