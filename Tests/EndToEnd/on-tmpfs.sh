#!/bin/bash
# on-tmpfs.sh FOLDER SIZE COMMAND [ARGUMENT...]: a small file system in memory on the folder, that nobody else sees, and
# the command on it. Takes orders on standard input and answers each with "obeyed": start and stop (the command), fill
# and free (the file system), readonly and writable (which needs the command stopped).
#
# The file system lives in a private mount namespace, which needs root. When standard input ends, or this script does,
# so does all of it. Exit code 125: there can be no such namespace here.
set -euo pipefail

failed() {
    echo "on-tmpfs: $*" >&2
    exit 125
}

outside() {
    [ "$(id -u)" = 0 ] || failed 'needs root for a namespace of its own'
    unshare --mount true 2>/dev/null || failed 'private namespaces are refused here'
    exec unshare --mount "$0" --inside "$@"
}

# The last bytes go one by one, as a file grows by whole pages.
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
