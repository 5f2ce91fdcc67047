#!/bin/bash
# with-journald.sh COMMAND [ARGUMENT...]: runs the command with its own journald, and exits with its exit code.
#
# Both run in private mount and process namespaces, which need root. /run is an empty file system there, isolated from
# the journal of the machine. When the command ends, or this script does, even by SIGKILL, the kernel kills all
# processes there and the files disappear. Exit code 125: there is no journald here.
set -euo pipefail

failed() {
    echo "with-journald: $*" >&2
    exit 125
}

# The processes of the namespace end with unshare, and unshare ends with this script.
outside() {
    [ "$(id -u)" = 0 ] || failed 'needs root for namespaces of its own'
    [ -x /lib/systemd/systemd-journald ] || failed 'no journald here; the package systemd has it'
    mountpoint --quiet /sys/fs/cgroup ||
        failed 'journald needs control groups, which are not mounted: mount -t cgroup2 cgroup2 /sys/fs/cgroup'
    unshare --mount --pid true 2>/dev/null || failed 'private namespaces are refused here'
    setpriv --pdeathsig KILL unshare --mount --pid --fork --kill-child --mount-proc "$0" --inside "$@" <&0 &
    local namespace=$!
    trap 'kill -KILL "$namespace"' TERM INT HUP
    wait "$namespace"
}

write_settings() {
    mkdir -p /run/systemd/journal /run/systemd/journald.conf.d
    # The kernel log is irrelevant here, and no rate limit may drop entries that a test looks for.
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
    # With its own machine ID, journalctl does not read the logs of the machine.
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
