import Testing

@testable import AlertClient

/// Titles with values that do not fit the terminal.
struct FieldLinesTests {
    private func lines(_ text: String, width: Int) -> [String] {
        let run = Run(width: width)
        let report = Report(parts: [.fields(key: nil, [Field("key", "Title", .text(text))])])
        return HumanRenderer(formatter: run.formatter, hasHeader: true).render(report)
            .split(separator: "\n").map(String.init)
    }

    /// From 24 columns on, a value is wrapped.
    @Test func aNarrowValueIsCutAndAWideOneIsWrapped() {
        let text = "one two three four five six seven"
        #expect(lines(text, width: 32) == [" Title: one two three four five", "        six seven"])
        #expect(lines(text, width: 31) == [" Title: one two three four fiv…"])
    }

    @Test func wideCharactersTakeTwoColumns() {
        let name = "日本の取引所"
        #expect(lines("\(name) \(name)", width: 32) == [" Title: \(name)", "        \(name)"])
        #expect(lines(name, width: 20) == [" Title: \(name)"])
        #expect(lines(name, width: 19) == [" Title: \(name.dropLast())…"])
    }
}
