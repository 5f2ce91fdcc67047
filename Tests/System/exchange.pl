#!/usr/bin/perl
# An exchange for the system tests, written for perl-base, which every Debian has. It serves
# http://127.0.0.1:8600/sapi/v1 and is controlled by files in the directory that it is started with:
#
#   prices    the prices of btcinr, one or several; each response takes the next one, and the first again after the last
#   mode      "all", or "half": sends half of each response, then nothing until the client leaves or the mode changes
#   answered  written by it: the number of complete responses it has sent
#   held      written by it: the number of responses it has held
use strict;
use warnings;
use IO::Select;
use IO::Socket::INET;

my $folder = shift // die "usage: exchange.pl DIRECTORY\n";
my %count = (answered => 0, held => 0, next => 0);

sub content {
    my ($name, $otherwise) = @_;
    open my $file, '<', "$folder/$name" or return $otherwise;
    my $text = <$file> // $otherwise;
    chomp $text;
    return $text;
}

# Replaced atomically: somebody may read it at any moment.
sub count {
    my ($name) = @_;
    open my $file, '>', "$folder/.new" or die "$folder/.new: $!\n";
    print $file ++$count{$name}, "\n";
    close $file;
    rename "$folder/.new", "$folder/$name" or die "$folder/$name: $!\n";
}

sub ticker {
    my ($symbol, $quote, $price) = @_;
    my $base = substr $symbol, 0, -length $quote;
    my $prices = join ',', map { qq("$_":"$price") } qw(openPrice lowPrice highPrice lastPrice bidPrice askPrice);
    my $now = time * 1000;
    return qq({"symbol":"$symbol","baseAsset":"$base","quoteAsset":"$quote",$prices,"volume":"5.5","at":$now});
}

sub body {
    my @prices = split ' ', content('prices', '100');
    my $price = $prices[$count{next}++ % @prices];
    return '[' . join(',', ticker('btcinr', 'inr', $price), ticker('ethinr', 'inr', '50')) . ']';
}

# Returns whether the connection may serve another request.
sub answer {
    my ($client, $path) = @_;
    my $body = $path =~ /ticker/ ? body() : '{}';
    my $head = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nContent-Length: " . length($body) . "\r\n\r\n";
    if (content('mode', 'all') eq 'half') {
        syswrite $client, $head . substr $body, 0, length($body) / 2;
        count('held');
        my $waiting = IO::Select->new($client);
        # The only thing that a waiting client can send is the end of the connection.
        1 until $waiting->can_read(0.01) || content('mode', 'all') ne 'half';
        return 0;
    }
    syswrite $client, $head . $body;
    count('answered');
    return 1;
}

$SIG{PIPE} = 'IGNORE';
my $server = IO::Socket::INET->new(LocalAddr => '127.0.0.1', LocalPort => 8600, Listen => 16, ReuseAddr => 1)
    or die "no port: $@\n";
my $all = IO::Select->new($server);
while (1) {
    for my $ready ($all->can_read) {
        if ($ready == $server) {
            $all->add(scalar $server->accept);
            next;
        }
        my $request = '';
        my $got = sysread $ready, $request, 65536;
        # Requests are small and arrive in one piece on this machine.
        next if $got && $request =~ m{^GET (\S+)} && answer($ready, $1);
        $all->remove($ready);
        close $ready;
    }
}
