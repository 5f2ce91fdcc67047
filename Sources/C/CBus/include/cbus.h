// Desktop notifications (specifications.freedesktop.org, notification, 1.2), using sd-bus of libsystemd. Functions
// return a negative error number on failure.
#pragma once
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct alertd_bus alertd_bus;

#define ALERTD_BUS_TEXT_BYTES 256

enum alertd_bus_signal_kind {
    ALERTD_BUS_NOTHING,
    // The notification server appeared, disappeared or was replaced. `text` is its unique name, empty if there is
    // none.
    ALERTD_BUS_SERVER,
    // The user chose an action of a notification. `text` is its key.
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
    // The notification to replace; 0 for none.
    uint32_t replaces;
    const char *icon;
    const char *summary;
    const char *body;
    // Keys and labels in turn, terminated by null.
    const char *const *actions;
    // 0 low, 1 normal, 2 critical.
    uint8_t urgency;
    // In milliseconds; -1 for the default of the server, 0 for no timeout.
    int32_t timeout;
};

// Connects to the user bus and subscribes to the signals of the notification server.
int alertd_bus_open(alertd_bus **bus);
void alertd_bus_close(alertd_bus *bus);

// The descriptor to wait for, its events for poll, and the timeout in milliseconds; -1 for no timeout.
int alertd_bus_descriptor(alertd_bus *bus);
int alertd_bus_events(alertd_bus *bus);
int alertd_bus_timeout(alertd_bus *bus);

// Processes received messages and returns at most one signal. The result is positive if there may be more, 0 if not.
int alertd_bus_process(alertd_bus *bus, struct alertd_bus_signal *signal);

// Gets the unique name of the server without starting it. The name is empty if there is no server.
int alertd_bus_server(alertd_bus *bus, char name[ALERTD_BUS_TEXT_BYTES]);

// Returns a positive number if bodies are markup, 0 if not. This starts the server if the bus can activate it.
int alertd_bus_has_markup(alertd_bus *bus);

// Shows a notification and sets `id` to its number. On failure, `error` is the message of the server.
int alertd_bus_notify(
    alertd_bus *bus, const struct alertd_bus_notification *notification, uint32_t *id,
    char error[ALERTD_BUS_TEXT_BYTES]);
