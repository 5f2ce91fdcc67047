#include "cbus.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <systemd/sd-bus.h>
#include <time.h>

struct alertd_bus {
    sd_bus *bus;
    // The destination for the next received signal; null outside `alertd_bus_process`.
    struct alertd_bus_signal *signal;
};

static const char server[] = "org.freedesktop.Notifications";
static const char server_path[] = "/org/freedesktop/Notifications";
// The timeout of calls. A working server replies immediately.
static const uint64_t patience_microseconds = 5000000;

static void copy(char target[ALERTD_BUS_TEXT_BYTES], const char *text) {
    snprintf(target, ALERTD_BUS_TEXT_BYTES, "%s", text ? text : "");
}

static int on_owner(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    alertd_bus *bus = context;
    const char *name = NULL, *old = NULL, *new = NULL;
    if (sd_bus_message_read_basic(message, 's', &name) < 0
        || sd_bus_message_read_basic(message, 's', &old) < 0
        || sd_bus_message_read_basic(message, 's', &new) < 0 || strcmp(name, server) != 0 || !bus->signal)
        return 0;
    bus->signal->kind = ALERTD_BUS_SERVER;
    copy(bus->signal->text, new);
    return 0;
}

static int on_action(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    alertd_bus *bus = context;
    uint32_t id = 0;
    const char *key = NULL;
    if (sd_bus_message_read_basic(message, 'u', &id) < 0
        || sd_bus_message_read_basic(message, 's', &key) < 0 || !bus->signal)
        return 0;
    bus->signal->kind = ALERTD_BUS_ACTION;
    bus->signal->id = id;
    copy(bus->signal->text, key);
    return 0;
}

static int on_closed(sd_bus_message *message, void *context, sd_bus_error *error) {
    (void)error;
    alertd_bus *bus = context;
    uint32_t id = 0;
    if (sd_bus_message_read_basic(message, 'u', &id) < 0 || !bus->signal) return 0;
    bus->signal->kind = ALERTD_BUS_CLOSED;
    bus->signal->id = id;
    return 0;
}

int alertd_bus_open(alertd_bus **bus) {
    alertd_bus *new = calloc(1, sizeof *new);
    if (!new) return -ENOMEM;
    int status = sd_bus_open_user(&new->bus);
    if (status >= 0) {
        // Watch the owner of the server's name, because signals come from the unique name of the owner.
        status = sd_bus_match_signal(
            new->bus, NULL, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "NameOwnerChanged",
            on_owner, new);
    }
    if (status >= 0)
        status = sd_bus_match_signal(
            new->bus, NULL, server, server_path, server, "ActionInvoked", on_action, new);
    if (status >= 0)
        status = sd_bus_match_signal(
            new->bus, NULL, server, server_path, server, "NotificationClosed", on_closed, new);
    if (status < 0) {
        alertd_bus_close(new);
        return status;
    }
    *bus = new;
    return 0;
}

void alertd_bus_close(alertd_bus *bus) {
    if (bus->bus) sd_bus_flush_close_unref(bus->bus);
    free(bus);
}

int alertd_bus_descriptor(alertd_bus *bus) { return sd_bus_get_fd(bus->bus); }

int alertd_bus_events(alertd_bus *bus) { return sd_bus_get_events(bus->bus); }

int alertd_bus_timeout(alertd_bus *bus) {
    uint64_t end = 0;
    if (sd_bus_get_timeout(bus->bus, &end) < 0 || end == UINT64_MAX) return -1;
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    uint64_t microseconds = (uint64_t)now.tv_sec * 1000000 + (uint64_t)now.tv_nsec / 1000;
    if (end <= microseconds) return 0;
    uint64_t milliseconds = (end - microseconds + 999) / 1000;
    return milliseconds > 60000 ? 60000 : (int)milliseconds;
}

int alertd_bus_process(alertd_bus *bus, struct alertd_bus_signal *signal) {
    memset(signal, 0, sizeof *signal);
    bus->signal = signal;
    int status = sd_bus_process(bus->bus, NULL);
    bus->signal = NULL;
    return status;
}

int alertd_bus_server(alertd_bus *bus, char name[ALERTD_BUS_TEXT_BYTES]) {
    name[0] = 0;
    sd_bus_message *call = NULL, *reply = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    const char *text = server;
    int status = sd_bus_message_new_method_call(
        bus->bus, &call, "org.freedesktop.DBus", "/org/freedesktop/DBus", "org.freedesktop.DBus", "GetNameOwner");
    if (status >= 0) status = sd_bus_message_append_basic(call, 's', text);
    if (status >= 0) {
        status = sd_bus_call(bus->bus, call, patience_microseconds, &error, &reply);
        bool has_none = error.name && strcmp(error.name, "org.freedesktop.DBus.Error.NameHasNoOwner") == 0;
        if (status >= 0 && sd_bus_message_read_basic(reply, 's', &text) > 0) copy(name, text);
        if (has_none) status = 0;
    }
    sd_bus_error_free(&error);
    sd_bus_message_unref(reply);
    sd_bus_message_unref(call);
    return status;
}

int alertd_bus_has_markup(alertd_bus *bus) {
    sd_bus_message *call = NULL, *reply = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    const char *text = NULL;
    int found = 0;
    int status = sd_bus_message_new_method_call(
        bus->bus, &call, server, server_path, server, "GetCapabilities");
    if (status >= 0) status = sd_bus_call(bus->bus, call, patience_microseconds, &error, &reply);
    if (status >= 0) status = sd_bus_message_enter_container(reply, 'a', "s");
    while (status >= 0 && (status = sd_bus_message_read_basic(reply, 's', &text)) > 0)
        if (strcmp(text, "body-markup") == 0) found = 1;
    sd_bus_error_free(&error);
    sd_bus_message_unref(reply);
    sd_bus_message_unref(call);
    return status < 0 ? status : found;
}

static int append_hint(sd_bus_message *message, const char *name, char type, const void *value) {
    const char contents[] = {type, 0};
    int status = sd_bus_message_open_container(message, 'e', "sv");
    if (status >= 0) status = sd_bus_message_append_basic(message, 's', name);
    if (status >= 0) status = sd_bus_message_open_container(message, 'v', contents);
    if (status >= 0) status = sd_bus_message_append_basic(message, type, value);
    if (status >= 0) status = sd_bus_message_close_container(message);
    return status < 0 ? status : sd_bus_message_close_container(message);
}

static int append_actions(sd_bus_message *message, const char *const *actions) {
    int status = sd_bus_message_open_container(message, 'a', "s");
    for (; status >= 0 && *actions; actions++) status = sd_bus_message_append_basic(message, 's', *actions);
    return status < 0 ? status : sd_bus_message_close_container(message);
}

static int append_all(sd_bus_message *message, const struct alertd_bus_notification *notification) {
    int status = sd_bus_message_append_basic(message, 's', "alertd");
    if (status >= 0) status = sd_bus_message_append_basic(message, 'u', &notification->replaces);
    if (status >= 0) status = sd_bus_message_append_basic(message, 's', notification->icon);
    if (status >= 0) status = sd_bus_message_append_basic(message, 's', notification->summary);
    if (status >= 0) status = sd_bus_message_append_basic(message, 's', notification->body);
    if (status >= 0) status = append_actions(message, notification->actions);
    if (status >= 0) status = sd_bus_message_open_container(message, 'a', "{sv}");
    if (status >= 0) status = append_hint(message, "urgency", 'y', &notification->urgency);
    if (status >= 0) status = sd_bus_message_close_container(message);
    return status < 0 ? status : sd_bus_message_append_basic(message, 'i', &notification->timeout);
}

int alertd_bus_notify(
    alertd_bus *bus, const struct alertd_bus_notification *notification, uint32_t *id,
    char reason[ALERTD_BUS_TEXT_BYTES]
) {
    sd_bus_message *call = NULL, *reply = NULL;
    sd_bus_error error = SD_BUS_ERROR_NULL;
    int status = sd_bus_message_new_method_call(bus->bus, &call, server, server_path, server, "Notify");
    if (status >= 0) status = append_all(call, notification);
    if (status >= 0) status = sd_bus_call(bus->bus, call, patience_microseconds, &error, &reply);
    if (status >= 0) status = sd_bus_message_read_basic(reply, 'u', id);
    copy(reason, error.message);
    sd_bus_error_free(&error);
    sd_bus_message_unref(reply);
    sd_bus_message_unref(call);
    return status < 0 ? status : 0;
}
