internal import Market
internal import Time

/// A message of Prometheus' remote write 1.0 (prometheus.io/docs/specs/prw/remote_write_spec): protobuf in a block of
/// snappy (google/snappy, format_description.txt).
///
/// The block consists of literals, which every snappy decoder accepts. Prices barely compress, and a poll of 450
/// markets takes 35 kB.
enum WriteRequest {
    /// The marker for the end of a series, which is one of the NaN values.
    static let staleMarker: UInt64 = 0x7FF0_0000_0000_0002

    static func bytes(_ series: [PriceSeries], instance: String) -> [UInt8] {
        var message = ProtobufWriter()
        for one in series { message.field(1, timeSeries(one, instance: instance)) }
        return snappy(message.bytes)
    }

    /// Encodes `TimeSeries { repeated Label labels = 1; repeated Sample samples = 2; }`, with the labels ordered by
    /// name.
    private static func timeSeries(_ series: PriceSeries, instance: String) -> [UInt8] {
        var labels = [
            ("__name__", "alertd_price"), ("instance", instance), ("job", "alertd"),
        ]
        if let quote = series.key.quote { labels.append(("quote", quote.description)) }
        labels += [("source", series.key.source.description), ("symbol", series.key.symbol.description)]
        var writer = ProtobufWriter()
        for (name, value) in labels {
            var label = ProtobufWriter()
            label.field(1, Array(name.utf8))
            label.field(2, Array(value.utf8))
            writer.field(1, label.bytes)
        }
        for sample in series.samples {
            var inner = ProtobufWriter()
            inner.field(1, bits: sample.price.map { Double($0.description)?.bitPattern ?? staleMarker } ?? staleMarker)
            inner.field(2, number: UInt64(bitPattern: sample.time.milliseconds))
            writer.field(2, inner.bytes)
        }
        return writer.bytes
    }

    /// Encodes a snappy block: the length of the content, then literals. The tag of a literal has two bytes for its
    /// length minus 1.
    static func snappy(_ content: [UInt8]) -> [UInt8] {
        var block = ProtobufWriter()
        block.variable(UInt64(content.count))
        var rest = content[...]
        while !rest.isEmpty {
            let part = rest.prefix(1 << 16)
            rest = rest.dropFirst(part.count)
            let length = part.count - 1
            block.bytes += [61 << 2, UInt8(length & 0xFF), UInt8(length >> 8)]
            block.bytes += part
        }
        return block.bytes
    }
}

/// A writer for the fields of a message (protobuf.dev, programming-guides/encoding).
private struct ProtobufWriter {
    var bytes: [UInt8] = []

    mutating func variable(_ number: UInt64) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    mutating func field(_ tag: UInt64, _ content: [UInt8]) {
        variable(tag << 3 | 2)
        variable(UInt64(content.count))
        bytes += content
    }

    mutating func field(_ tag: UInt64, number: UInt64) {
        variable(tag << 3)
        variable(number)
    }

    mutating func field(_ tag: UInt64, bits: UInt64) {
        variable(tag << 3 | 1)
        for shift in stride(from: 0, to: 64, by: 8) { bytes.append(UInt8(truncatingIfNeeded: bits >> UInt64(shift))) }
    }
}
