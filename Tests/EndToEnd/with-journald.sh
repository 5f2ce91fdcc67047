#!/bin/bash
# with-journald.sh COMMAND [ARGUMENT...]: runs the command beside a journald of its own, and ends as it ends.
#
# Both live in private mount and process namespaces, which needs root: /run is an empty file system there, so that the
# machine's own journal neither sees nor is seen. When the command ends, or this script does, also by a signal that it
# cannot catch, the kernel ends all that runs there, and the files go with it. Exit code 125: there is no journald here.
set -euo pipefail

failed() {
    echo "with-journald: $*" >&2
    exit 125
}

# Ends when it has ended; the processes of the namespace end with unshare, and unshare with this script.
outside() {
    [ "$(id -u)" = 0 ] || failed 'needs root for namespaces of its own'
    [ -x /lib/systemd/systemd-journald ] || failed 'no journald here; the package systemd has it'
    unshare --mount --pid true 2>/dev/null || failed 'private namespaces are refused here'
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc "$0" --inside "$@" <&0 &
    local namespace=$!
    trap 'kill -KILL "$namespace"' TERM INT HUP
    wait "$namespace"
}

write_settings() {
    mkdir -p /run/systemd/journal /run/systemd/journald.conf.d
    # The log of the kernel is not ours; and no limit may drop what a test is about.
    printf '[Journal]\nStorage=volatile\nReadKMsg=no\nAudit=no\nRateLimitBurst=0\nForwardToSyslog=no\n' \
        >/run/systemd/journald.conf.d/test.conf
    echo a1e47d00000000000000000000000001 >/run/machine-id
}

wait_for_journald() {
    local tries
    for ((tries = 0; tries < 1000; tries++)); do
        if [ -S /run/systemd/journal/socket ] && [ -S /run/systemd/journal/io.systemd.journal ]; then return; fi
        kill -0 "$1" 2>/dev/null || failed 'journald ended at once'
        sleep 0.01
    done
    failed 'journald opened no sockets within 10 s'
}

inside() {
    mount -t tmpfs -o mode=0755 tmpfs /run || failed 'mounts are refused here'
    write_settings
    # An identity of its own keeps journalctl from reading what the machine itself has logged.
    [ ! -e /etc/machine-id ] || mount --bind /run/machine-id /etc/machine-id
    /lib/systemd/systemd-journald </dev/null >/dev/null 2>&1 &
    wait_for_journald $!
    local code=0
    "$@" || code=$?
    exit "$code"
}

if [ "${1-}" = --inside ]; then
    shift
    inside "$@"
else
    outside "$@"
fi
