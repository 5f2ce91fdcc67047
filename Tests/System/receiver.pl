#!/usr/bin/perl
# receiver.pl: accepts notifications at http://127.0.0.1:8601, and prints a line for each: the id of a webhook, and how
# many events it has and its signature. Every third request is answered with status 500.
use strict;
use warnings;
use IO::Socket::INET;

$| = 1;
$SIG{PIPE} = 'IGNORE';
my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 8601, Listen => 16, ReuseAddr => 1)
    or die "no port: $@\n";
my $count = 0;
while (my $client = $server->accept) {
    my ($head, $body) = ('', '');
    while (defined(my $line = <$client>) && $head !~ /\r\n\r\n$/) {
        $head .= $line;
        last if $line eq "\r\n";
    }
    my ($length) = $head =~ /^content-length: (\d+)/im;
    read $client, $body, $length // 0;
    my ($id) = $head =~ /^webhook-id: (\S+)/im;
    my ($signature) = $head =~ /^webhook-signature: (\S+)/im;
    my $events = () = $body =~ /"number":/g;
    my $status = ++$count % 3 ? 200 : 500;
    printf "%d %s %d %s\n", $status, $id // '-', $events, $signature // '-';
    print $client "HTTP/1.1 $status Said\r\nContent-Length: 0\r\nConnection: close\r\n\r\n";
    close $client;
}
