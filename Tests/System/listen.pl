#!/usr/bin/perl
# listen.pl SOCKET [SECONDS]: copies data from the socket to standard output until it ends; with a limit, until the
# first data.
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
