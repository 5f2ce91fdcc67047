import Configuration
import Diagnostics
import Testing

@Suite struct SettingsReferenceTests {
    @Test func namesAreUniqueInTheirTable() {
        for table in SettingsReference.Table.allCases {
            let names = SettingsReference.names(in: table)
            #expect(!names.isEmpty)
            #expect(Set(names).count == names.count)
        }
    }

    @Test func helpIsOneLineWithoutAFullStop() {
        for key in SettingsReference.keys {
            #expect(!key.help.isEmpty && key.help.count <= 110 && !key.help.contains("\n") && !key.help.hasSuffix("."))
        }
    }

    /// Writing down what holds anyway changes nothing.
    @Test(arguments: SettingsReference.Table.allCases) func defaultsAreTrue(table: SettingsReference.Table) throws {
        let given = SettingsReference.keys.filter { $0.table == table }.compactMap { key in
            key.absent.flatMap {
                $0.first.map { "\"0123456789".contains($0) } == true || Self.isBoolean($0) ? "\(key.name) = \($0)" : nil
            }
        }
        #expect(!given.isEmpty)
        let lines = given.joined(separator: "\n")
        let rule = "[[rule]]\nsymbol = \"a\"\nmin = 1\n"
        let receiver = "[[receiver]]\nname = \"a\"\ntype = \"webhook\"\nurl = \"https://example.org/\"\nbody = \"[]\"\n"
        let lease = "[lease]\nurl = \"nats://127.0.0.1\"\n"
        let check = "[[source]]\n[[check]]\nsymbols = [\"a\", \"b\"]\nwithin = \"1%\"\n"
        let (text, plain) =
            switch table {
            case .rule: (rule + lines, rule)
            case .check: ("\(check)\(lines)\n\(rule)", check + rule)
            case .receiver: ("\(receiver)\(lines)\n\(rule)", receiver + rule)
            case .source: ("[[source]]\n\(lines)\n\(rule)", "[[source]]\n\(rule)")
            case .lease: ("\(lease)\(lines)\n\(rule)", lease + rule)
            default: ("\(table.header)\n\(lines)\n\(rule)", rule)
            }
        #expect(try load(text).settings == load(plain).settings)
    }

    /// Each key is read: a value of the wrong type is noticed, and the finding names the type of the reference.
    @Test(arguments: SettingsReference.keys.map { "\($0.table.header) \($0.name)" }) func typesAreChecked(label: String)
        throws
    {
        let key = try #require(SettingsReference.keys.first { "\($0.table.header) \($0.name)" == label })
        let (value, kind) = key.type == .textTable ? ("5", "a whole number") : ("{}", "a table")
        // Some keys belong to one type of receiver.
        let type = key.table == .receiver && key.name != "type" ? "type = \"webhook\"\n" : ""
        let said = rendered(Array("\(key.table.header)\n\(type)\(key.name) = \(value)\n".utf8))
        #expect(said.contains("`\(key.name)` must be \(key.type.rawValue), but is \(kind)"), "\(said)")
    }

    private static func isBoolean(_ text: String) -> Bool { text == "true" || text == "false" }
}
