import Testing

/// The parser that the other checks rely on.
struct SwiftCodeTests {
    @Test func commentsAndStringsGoAndLinesStay() {
        let text = """
            let a = "not // a comment" // a comment
            /* one /* two */ still */ let b = 1
            let c = "\\"{" + d
            """
        #expect(SwiftCode(text).lines == ["let a =  ", " let b = 1", "let c =  + d"])
    }

    @Test func stringsOfSeveralLinesGo() {
        let text = "let a = \"\"\"\n    { \"quoted\" }\n    \"\"\"\nlet b = #\"\\\"# + c"
        #expect(SwiftCode(text).lines == ["let a = ", "", "", "let b =  + c"])
    }

    @Test func functionsEndWithTheirOwnBrace() {
        let text = """
            struct A {
                init?(_ b: Int) {
                    if b > 0 { return nil }
                }
                package static func c(
                    d: () -> Void = {}
                ) {
                    func e() { d() }
                }
                deinit { f() }
            }
            protocol P {
                func without() async
                init(g: Int)
            }
            """
        #expect(
            SwiftCode(text).functions == [
                SwiftFunction(name: "init", firstLine: 2, lastLine: 4),
                SwiftFunction(name: "e", firstLine: 8, lastLine: 8),
                SwiftFunction(name: "c", firstLine: 5, lastLine: 9),
                SwiftFunction(name: "deinit", firstLine: 10, lastLine: 10),
            ])
    }

    @Test func typesAreCountedFromTheirDeclarationToTheirBrace() {
        let text = """
            /// A comment.
            package struct A: B {
                struct Inner {
                }
            }
            enum C {}
            @MainActor final class D {
            }

            extension A.Inner where E == F {
                var g: Int { 1 }
            }
            """
        #expect(
            SwiftCode(text).types == [
                SwiftType(name: "A", lineCount: 4), SwiftType(name: "D", lineCount: 2),
                SwiftType(name: "A.Inner", lineCount: 3),
            ])
    }
}
