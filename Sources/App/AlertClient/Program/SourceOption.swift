internal import Arguments

/// The option of commands that list what belongs to a source.
let sourceOption = OptionSpecification(
    "source", value: "NAME", kind: .live("sources"), help: "Only this source of prices; default: all")
