import Testing

/// Records one issue for all faults together, each on a line of its own.
func expectNone(_ faults: [Fault], at location: SourceLocation = #_sourceLocation) {
    let list = faults.map(\.description).joined(separator: "\n")
    #expect(faults.isEmpty, "\(list)", sourceLocation: location)
}
