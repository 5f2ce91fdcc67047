import TestSupport
import Testing

@testable import Delivery

struct LineRingTests {
    /// What the ring has to do, said plainly: keep the newest lines that fit.
    private struct Model {
        let capacity: Int
        let lineCapacity: Int
        var lines: [(line: [UInt8], number: Int64)] = []
        var first = 0

        mutating func append(_ line: [UInt8], _ number: Int64) {
            lines.append((line, number))
            while bytes(from: first).count > capacity || lines.count - first > lineCapacity { first += 1 }
        }

        func bytes(from line: Int) -> [UInt8] {
            lines[line...].flatMap(\.line)
        }
    }

    @Test(arguments: 1...20 as ClosedRange<UInt64>)
    func itHoldsWhatAPlainListWouldHold(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var ring = LineRing(capacity: 256, lineCapacity: 16)
        var model = Model(capacity: 256, lineCapacity: 16)
        let longest = [8, 40, 120, 256].randomElement(using: &random) ?? 8
        for number in 0..<400 {
            let line = (0..<Int.random(in: 1...longest, using: &random)).map { _ in
                UInt8.random(in: 0...255, using: &random)
            }
            ring.append(line, number: Int64(number * 3))
            model.append(line, Int64(number * 3))
            expectSame(ring, model, &random)
            guard Int.random(in: 0..<40, using: &random) == 0 else { continue }
            ring.startOver()
            model.first = model.lines.count
            let (first, end) = (ring.first, ring.end)
            #expect(first == end && end == model.lines.count)
        }
        #expect(ring.first > 0)
    }

    /// A ring whose lines are taken soon stays small, however many there are.
    @Test func linesTakeTheSameMemoryAfterItStartedOver() throws {
        var ring = LineRing(capacity: 1 << 20, lineCapacity: 1_024)
        var places: Set<UnsafeRawPointer?> = unsafe []
        for number in 0..<100 {
            ring.append([UInt8](repeating: UInt8(number), count: 20_000), number: Int64(number))
            let (head, tail) = unsafe ring.pieces(from: number)
            #expect(unsafe head.count == 20_000 && tail.isEmpty)
            unsafe places.insert(head.baseAddress)
            if number % 2 == 1 { ring.startOver() }
        }
        #expect(unsafe places.count == 2)
    }

    private func expectSame(_ ring: borrowing LineRing, _ model: Model, _ random: inout SplitMix) {
        let (first, end) = (ring.first, ring.end)
        #expect(first == model.first)
        #expect(end == model.lines.count)
        guard first == model.first, end == model.lines.count else { return }
        let line = Int.random(in: first..<end, using: &random)
        let expected = model.bytes(from: line)
        let (head, tail) = unsafe ring.pieces(from: line)
        let found = unsafe Array(head) + Array(tail)
        let number = ring.number(of: line)
        let copy = ring.copy(line: line)
        #expect(found == expected)
        #expect(number == model.lines[line].number)
        #expect(copy == model.lines[line].line)
        let distance = Int.random(in: 0...expected.count, using: &random)
        let (at, skipped) = ring.position(distance, after: line)
        #expect(model.lines[line..<at].reduce(0) { $0 + $1.line.count } + skipped == distance)
        #expect(at == end ? skipped == 0 : skipped < model.lines[at].line.count)
    }
}

struct LineQueueTests {
    @Test func theOldestMakeRoomButForOneThatIsPartlyWritten() {
        var queue = LineQueue(capacity: 9)
        #expect(queue.push(Array("aaa".utf8)) == 0)
        #expect(queue.push(Array("bbb".utf8)) == 0)
        #expect(queue.remove(1).count == 0)
        #expect(queue.push(Array("cccc".utf8)) == 0)
        #expect(queue.push(Array("dd".utf8)) == 1)
        #expect(text(queue.front(lines: 10)) == "aaccccdd")
        #expect(queue.remove(3).count == 1)
        #expect(text(queue.front(lines: 1)) == "ccc")
        #expect(queue.remove(5).count == 2)
        #expect(queue.isEmpty && queue.count == 0 && queue.isAtLineStart)
    }

    @Test func theNumberOfTheLastCompleteLineIsNotified() {
        var queue = LineQueue(capacity: 90)
        _ = queue.push(Array("aaa".utf8), number: 7)
        _ = queue.push(Array("bb".utf8))
        _ = queue.push(Array("cc".utf8), number: 9)
        #expect(queue.remove(2).last == nil)
        #expect(queue.remove(4).last == 7)
        #expect(queue.remove(1).last == 9)
    }

    @Test func aLineLongerThanTheBoundIsDroppedItself() {
        var queue = LineQueue(capacity: 4)
        #expect(queue.push(Array("ab".utf8)) == 0)
        #expect(queue.push(Array("abcde".utf8)) == 1)
        #expect(queue.remove(1).count == 0)
        #expect(queue.push(Array("wxyz".utf8)) == 1)
        #expect(text(queue.front(lines: 10)) == "b")
    }

    @Test(arguments: 1...10 as ClosedRange<UInt64>)
    func whatComesOutIsWhatWentInLessWhatWasDropped(seed: UInt64) {
        var random = SplitMix(seed: seed)
        var queue = LineQueue(capacity: 500)
        var (dropped, complete, last, written) = (0, 0, -1, [UInt8]())
        for number in 0..<3_000 {
            dropped += queue.push(Array("\(number)\n".utf8))
            guard Int.random(in: 0..<3, using: &random) == 0 else { continue }
            let front = queue.front(lines: Int.random(in: 1...6, using: &random))
            let count = Int.random(in: 0...front.count, using: &random)
            written += front[..<count]
            complete += queue.remove(count).count
        }
        written += queue.front(lines: .max / 2)
        complete += queue.remove(queue.count).count
        for line in text(written).split(separator: "\n") {
            let number = Int(line) ?? -1
            #expect(number > last)
            last = number
        }
        #expect(last == 2_999)
        #expect(complete == written.filter { $0 == 0x0A }.count)
        #expect(complete + dropped == 3_000)
        #expect(dropped > 0)
    }
}
