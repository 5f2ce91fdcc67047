// The notifications of a desktop (specifications.freedesktop.org, notification, 1.2), by sd-bus of libsystemd.
// Functions return a negative error number if they fail.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct alertd_bus alertd_bus;

#define ALERTD_BUS_TEXT_BYTES 256

enum alertd_bus_signal_kind {
    ALERTD_BUS_NOTHING,
    // The server of notifications came, went or was replaced; `text` is its unique name, empty without one.
    ALERTD_BUS_SERVER,
    // A user chose an action of a notification; `text` is its key.
    ALERTD_BUS_ACTION,
    // A notification was closed.
    ALERTD_BUS_CLOSED,
};

struct alertd_bus_signal {
    enum alertd_bus_signal_kind kind;
    uint32_t id;
    char text[ALERTD_BUS_TEXT_BYTES];
};

struct alertd_bus_notification {
    // The notification that it takes the place of; 0 for none.
    uint32_t replaces;
    const char *icon;
    const char *summary;
    const char *body;
    // Keys and labels in turn; null at the end.
    const char *const *actions;
    // 0 low, 1 normal, 2 critical.
    uint8_t urgency;
    // In milliseconds; -1 is up to the server, 0 never.
    int32_t timeout;
};

// Connects to the user's bus, and asks it for the signals of the server of notifications.
int alertd_bus_open(alertd_bus **bus);
void alertd_bus_close(alertd_bus *bus);

// What to wait for: the descriptor, its events for poll, and how long; -1 without an end.
int alertd_bus_descriptor(alertd_bus *bus);
int alertd_bus_events(alertd_bus *bus);
int alertd_bus_timeout(alertd_bus *bus);

// Handles what has arrived: positive if there may be more, 0 if not. At most one signal is returned.
int alertd_bus_process(alertd_bus *bus, struct alertd_bus_signal *signal);

// The unique name of the server, which is not started for that; empty without one.
int alertd_bus_server(alertd_bus *bus, char name[ALERTD_BUS_TEXT_BYTES]);

// Whether bodies are markup; positive if they are. This starts the server if the bus knows how.
int alertd_bus_has_markup(alertd_bus *bus);

// Shows a notification; `id` is its number. `error` is why the server did not take it.
int alertd_bus_notify(
    alertd_bus *bus, const struct alertd_bus_notification *notification, uint32_t *id,
    char error[ALERTD_BUS_TEXT_BYTES]);
