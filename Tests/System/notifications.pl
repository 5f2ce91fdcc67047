# notifications.pl SOCKET: shows desktop notifications on the bus of SOCKET, by printing one line for each: the number of
# the notification that it replaces, its urgency, its summary and its text. It speaks D-Bus itself, as perl-base has no
# module for it; see https://dbus.freedesktop.org/doc/dbus-specification.html
use strict;
use warnings;
use IO::Socket::UNIX;

$| = 1;
my $bus = IO::Socket::UNIX->new(Peer => $ARGV[0]) or die "no bus at $ARGV[0]: $!\n";
my $number = 0;
my %types = (1 => 'o', 2 => 's', 3 => 's', 5 => 'u', 6 => 's', 8 => 'g');

sub aligned { my ($bytes, $size) = @_; return $bytes . "\0" x (-length($bytes) % $size) }
sub text { return pack('V', length $_[0]) . "$_[0]\0" }

# send_message TYPE FIELDS SIGNATURE BODY
sub send_message {
    my ($type, $fields, $signature, $body) = @_;
    my $array = '';
    my %all = (%$fields, $signature ne '' ? (8 => $signature) : ());
    for my $code (sort keys %all) {
        my $kind = $types{$code};
        $array = aligned($array, 8) . pack('C', $code) . "\x01$kind\0";
        $array .= $kind eq 'u' ? pack('V', $all{$code})
            : $kind eq 'g' ? pack('C', length $all{$code}) . "$all{$code}\0" : text($all{$code});
    }
    my $head = pack('a C C C V V V', 'l', $type, 0, 1, length $body, ++$number, length $array) . $array;
    print $bus aligned($head, 8) . $body;
    $bus->flush;
}

sub read_bytes {
    my ($count) = @_;
    my $bytes = '';
    while (length $bytes < $count) {
        read($bus, my $part, $count - length $bytes) or exit;
        $bytes .= $part;
    }
    return $bytes;
}

# Takes a value of a type from the bytes, where the position is counted from an address that is a multiple of 8.
sub take {
    my ($bytes, $place, $type) = @_;
    return ord substr $$bytes, $$place++, 1 if $type eq 'y';
    if ($type eq 'g') {
        my $length = take($bytes, $place, 'y');
        my $value = substr $$bytes, $$place, $length;
        $$place += $length + 1;
        return $value;
    }
    $$place += -$$place % 4;
    my $value = unpack 'V', substr $$bytes, $$place, 4;
    $$place += 4;
    return $value if $type eq 'u';
    my $string = substr $$bytes, $$place, $value;
    $$place += $value + 1;
    return $string;
}

# The type, the header fields and the body of the next message.
sub receive_message {
    my ($endian, $type, undef, undef, $length, $serial, $size) = unpack 'a C C C V V V', read_bytes(16);
    die "the other byte order\n" if $endian ne 'l';
    my $bytes = read_bytes($size + -$size % 8);
    my %fields = (serial => $serial);
    for (my $place = 0; $place < $size;) {
        $place += -$place % 8;
        my $code = take(\$bytes, \$place, 'y');
        $fields{$code} = take(\$bytes, \$place, take(\$bytes, \$place, 'g'));
    }
    return ($type, \%fields, read_bytes($length));
}

sub show {
    my ($body) = @_;
    my $place = 0;
    my ($name, $replaces, undef, $summary, $text) = map { take(\$body, \$place, $_) } qw(s u s s s);
    my ($urgency) = $body =~ /urgency\0\x01y\0(.)/s;
    printf "%d %d %s: %s\n", $replaces, defined $urgency ? ord $urgency : -1, $summary, $text;
    return $replaces || ++$number;
}

my $self = join '', map { sprintf '%02x', ord } split //, $<;
print $bus "\0AUTH EXTERNAL $self\r\n";
$bus->flush;
<$bus> =~ /^OK/ or die "the bus refuses this user\n";
print $bus "BEGIN\r\n";
my %call = (1 => '/org/freedesktop/DBus', 2 => 'org.freedesktop.DBus', 6 => 'org.freedesktop.DBus');
send_message(1, {%call, 3 => 'Hello'}, '', '');
send_message(1, {%call, 3 => 'RequestName'}, 'su', aligned(text('org.freedesktop.Notifications'), 4) . pack 'V', 4);
while (1) {
    my ($type, $fields, $body) = receive_message();
    next if $type != 1;
    my %reply = (5 => $fields->{serial}, 6 => $fields->{7});
    if ($fields->{3} eq 'Notify') {
        send_message(2, \%reply, 'u', pack 'V', show($body));
    } elsif ($fields->{3} eq 'GetCapabilities') {
        my $names = aligned(text('actions'), 4) . text('body');
        send_message(2, \%reply, 'as', pack('V', length $names) . $names);
    } else {
        send_message(2, \%reply, '', '');
    }
}
