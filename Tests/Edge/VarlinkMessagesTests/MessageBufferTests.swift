import Testing
import VarlinkMessages

@Suite struct MessageBufferTests {
    @Test func bufferGivesMessagesInTheirOrder() {
        var buffer = MessageBuffer()
        #expect(buffer.dequeue() == nil)
        buffer.append(Array("ab".utf8))
        #expect(buffer.isPartial && !buffer.hasMessage)
        buffer.append(Array("c\0\0d\0e".utf8))
        #expect(buffer.hasMessage && !buffer.isPartial)
        #expect(buffer.dequeue() == Array("abc".utf8))
        #expect(buffer.dequeue() == [])
        buffer.append(Array("f\0".utf8))
        #expect(buffer.dequeue() == Array("d".utf8))
        #expect(buffer.dequeue() == Array("ef".utf8))
        #expect(buffer.dequeue() == nil)
        #expect(buffer.count == 0)
    }

    @Test func aMessageThatIsAllThereIsLeavesNothing() {
        var buffer = MessageBuffer()
        buffer.append(Array("ab".utf8))
        buffer.append(Array("c\0".utf8))
        #expect(buffer.dequeue() == Array("abc".utf8))
        #expect(buffer.count == 0 && !buffer.isPartial && !buffer.hasMessage)
        buffer.append(Array("d".utf8))
        #expect(buffer.dequeue() == nil && buffer.isPartial)
        buffer.append(Array("\0e".utf8))
        #expect(buffer.dequeue() == Array("d".utf8))
        #expect(buffer.count == 1 && buffer.isPartial)
    }
}
