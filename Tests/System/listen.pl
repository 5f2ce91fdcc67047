#!/usr/bin/perl
# listen.pl SOCKET [SECONDS]: writes what the socket says to standard output until it ends; with a limit, until it has
# said something.
use strict;
use warnings;
use IO::Socket::UNIX;

my ($path, $limit) = @ARGV;
alarm $limit if $limit;
my $socket = IO::Socket::UNIX->new(Peer => $path) or die "$path: $!\n";
while (sysread $socket, my $bytes, 65536) {
    syswrite STDOUT, $bytes;
    exit 0 if $limit;
}
exit($limit ? 1 : 0);
