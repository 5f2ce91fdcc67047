#!/bin/bash
# Creates the files for the HTTPS tests in the given directory: a certificate authority (authority.pem), its
# certificates for localhost (server.pem, server.key) and for another name (other.pem, other.key), and a self-signed
# certificate (untrusted.pem, untrusted.key).
set -euo pipefail
cd "$1"

new_key() {
    openssl genpkey -quiet -algorithm EC -pkeyopt ec_paramgen_curve:P-256 -out "$1"
}

# self_signed NAME SUBJECT EXTENSION...
self_signed() {
    local name="$1" subject="$2" extensions=()
    shift 2
    for extension in "$@"; do extensions+=(-addext "$extension"); done
    new_key "$name.key"
    openssl req -x509 -new -key "$name.key" -subj "/CN=$subject" -days 2 "${extensions[@]}" -out "$name.pem"
}

# signed NAME ALTERNATIVES: a certificate signed by the authority
signed() {
    new_key "$1.key"
    openssl req -new -key "$1.key" -subj "/CN=$1" |
        openssl x509 -req -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 -out "$1.pem" \
            -extfile <(printf 'subjectAltName=%s\n' "$2") 2>/dev/null
}

self_signed authority 'Authority of the tests' basicConstraints=critical,CA:TRUE keyUsage=critical,keyCertSign
signed server DNS:localhost,IP:127.0.0.1
signed other DNS:elsewhere.example
self_signed untrusted localhost subjectAltName=DNS:localhost,IP:127.0.0.1
