import Testing

@testable import Arguments

struct ManualDocumentTests {
    private static let program = CommandLineSpecification(
        "prog", summary: "do it", discussion: ["First `bold one`.", "Second."],
        examples: [Example("prog a", "Does a.")],
        options: [OptionSpecification("all", short: "a", help: "Take all", details: "Slow.")],
        commands: [
            CommandLineSpecification(
                "sub", summary: "Do less", discussion: ["More."], examples: [Example("prog sub x", "Does x.")],
                options: [OptionSpecification("way", value: "WAY", kind: .oneOf(["up", "down"]), help: "Which way")],
                operands: [OperandSpecification("KIND", kind: .oneOf(["x", "y"]), help: "What")],
                commands: [CommandLineSpecification("deep", summary: "Do least")])
        ], exitCodes: [(0, "Done."), (1, "Failed.")])

    @Test func aWholePage() {
        #expect(
            Self.program.manualPage(section: 1, source: "prog 2", date: "2026-01-02").text == #"""
                .TH "PROG" "1" "2026-01-02" "prog 2"
                .nh
                .ad l
                .SH NAME
                prog \- do it
                .SH "SYNOPSIS"
                \fBprog [OPTION]... [COMMAND]\fR
                .SH "DESCRIPTION"
                First \fBbold one\fR.
                .PP
                Second.
                .SH "EXAMPLES"
                .TP
                \fBprog a\fR
                Does a.
                .SH "COMMANDS"
                .SS "sub KIND"
                Do less.
                .PP
                More.
                .TP
                \fBKIND\fR
                What.
                .IP
                One of x, y.
                .TP
                \fB\-\-way\fR \fIWAY\fR
                Which way. One of up, down.
                .TP
                \fBprog sub x\fR
                Does x.
                .SS "sub deep"
                Do least.
                .SH "OPTIONS"
                .TP
                \fB\-a, \-\-all\fR
                Take all. Slow.
                .SH "EXIT STATUS"
                .TP
                \fB0\fR
                Done.
                .TP
                \fB1\fR
                Failed.

                """#)
    }

    @Test func whatThereIsNoneOfHasNoHeading() {
        let text = CommandLineSpecification("p", summary: "s").manualPage(section: 8).text
        #expect(text == ".TH \"P\" \"8\" \"\" \"\"\n.nh\n.ad l\n.SH NAME\np \\- s\n.SH \"SYNOPSIS\"\n\\fBp\\fR\n")
    }

    @Test func partsFollowEachOther() {
        var page = ManualDocument("p", section: 5, summary: "s")
        page.section("A \"B\"")
        page.code([".x", "a-b"])
        page.paragraph("text")
        page.item("t-1", ["one", "two"])
        page.paragraph("after")
        page.code(["c"])
        page.subsection("SUB")
        page.paragraph("first")
        page.seeAlso(["alertd(8)", "a-b.toml(5)"])
        page.paragraph("end")
        let lines = page.text.split(separator: "\n").dropFirst(5).joined(separator: "|")
        #expect(
            lines
                == #"""
                .SH "A \(dqB\(dq"|.RS 4|.nf|\&.x|a\-b|.fi|.RE|.PP|text|.TP|\fBt\-1\fR|one|.IP|two|.PP|after|
                .PP|.RS 4|.nf|c|.fi|.RE|.SS "SUB"|first|.SH "SEE ALSO"|\fBalertd\fR(8),|\fBa\-b.toml\fR(5)|end
                """#.replacing("\n", with: ""))
    }

    @Test func aParagraphBehindAnItemIsNoPartOfIt() {
        var page = ManualDocument("p", section: 5, summary: "s")
        page.section("A")
        page.item("t", ["one"])
        page.paragraph("two")
        #expect(page.text.hasSuffix(".SH \"A\"\n.TP\n\\fBt\\fR\none\n.PP\ntwo\n"))
    }

    @Test(arguments: [(70, true), (71, false)]) func aLineHasSeventyTwoColumns(count: Int, fits: Bool) {
        var page = ManualDocument("p", section: 5, summary: "s")
        let word = String(repeating: "x", count: count)
        page.paragraph(word + " y")
        #expect(page.text.hasSuffix(fits ? "\n\(word) y\n" : "\n\(word)\ny\n"))
    }

    /// A bold text that continues over a line is ended and begun again: no font reaches over a line.
    @Test func linesAreShortAndFontsEndWithThem() {
        var page = ManualDocument("p", section: 5, summary: "s")
        page.paragraph(String(repeating: "word ", count: 13) + "and `bold over the end of a line` and `x` more.")
        #expect(
            page.text.split(separator: "\n").suffix(2).map(String.init) == [
                "word word word word word word word word word word word word word and",
                "\\fBbold over the end of a line\\fR and \\fBx\\fR more.",
            ])
        page.paragraph(String(repeating: "word ", count: 12) + "and `bold over the end of a line`.")
        #expect(
            page.text.split(separator: "\n").suffix(2).map(String.init) == [
                String(repeating: "word ", count: 12) + "and \\fBbold\\fR", "\\fBover the end of a line\\fR.",
            ])
    }

    @Test(arguments: [
        ("plain", "plain"), (#"\"#, #"\e"#), ("-", #"\-"#), ("'", #"\(aq"#), ("\"", #"\(dq"#), ("`", #"\(ga"#),
        ("^", #"\(ha"#), ("~", #"\(ti"#), ("a.b", "a.b"),
    ])
    func troffTakesNothingForItsOwn(text: String, written: String) {
        #expect(troff(text) == written)
    }

    @Test func aFullStopBeginsNoLine() {
        var page = ManualDocument("p", section: 5, summary: "s")
        page.paragraph(".a `.b`")
        page.paragraph("`.c`")
        #expect(page.text.hasSuffix(".PP\n\\&.a \\fB.b\\fR\n.PP\n\\fB.c\\fR\n"))
    }
}
