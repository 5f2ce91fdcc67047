#!/bin/bash
# on-tmpfs.sh FOLDER SIZE COMMAND [ARGUMENT...]: runs the command with a small private tmpfs mounted on the directory.
# Reads orders from standard input and answers each with "obeyed": start and stop (the command), fill and free (the file
# system), readonly and writable (the command must be stopped).
#
# The file system is in a private mount namespace, which needs root. It all ends when standard input or this script
# ends. Exit code 125: such a namespace is not possible here.
set -euo pipefail

failed() {
    echo "on-tmpfs: $*" >&2
    exit 125
}

outside() {
    [ "$(id -u)" = 0 ] || failed 'a private namespace needs root'
    unshare --mount true 2>/dev/null || failed 'private namespaces are not allowed here'
    exec unshare --mount "$0" --inside "$@"
}

# A file grows by whole pages, so the last bytes are filled in small steps.
fill() {
    dd if=/dev/zero of="$1/ballast" bs=64k 2>/dev/null || true
    dd if=/dev/zero of="$1/ballast.rest" bs=512 2>/dev/null || true
}

stop() {
    kill -TERM "$pid"
    wait "$pid"
}

obey() {
    local folder="$1" order
    shift
    while read -r order; do
        case "$order" in
            start)
                setpriv --pdeathsig KILL "$@" </dev/null &
                pid=$!
                ;;
            stop) stop ;;
            fill) fill "$folder" ;;
            free) rm -f "$folder"/ballast* ;;
            readonly) mount -o remount,ro "$folder" ;;
            writable) mount -o remount,rw "$folder" ;;
            *) failed "no order $order" ;;
        esac
        echo obeyed
    done
}

inside() {
    local folder="$1" size="$2"
    shift 2
    mkdir -p "$folder"
    mount -t tmpfs -o "size=$size,mode=0750" tmpfs "$folder" || failed 'mounts are refused here'
    trap 'kill -KILL "$pid" 2>/dev/null' EXIT
    obey "$folder" "$@"
}

pid=
if [ "${1-}" = --inside ]; then
    shift
    inside "$@"
else
    outside "$@"
fi
