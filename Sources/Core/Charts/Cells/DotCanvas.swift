/// The set of characters for drawing charts.
package enum SymbolSet: String, CaseIterable, Sendable {
    /// 2 × 4 dots per cell.
    case braille
    /// 2 × 2 blocks per cell.
    case block
    /// ASCII only: 1 × 2 dots per cell.
    case ascii

    var dotsAcross: Int { self == .ascii ? 1 : 2 }
    var dotsDown: Int { self == .braille ? 4 : 2 }
    package var hasUnicode: Bool { self != .ascii }
}

/// A canvas of dots, which are finer than the cells of a terminal. A cell has only one colour: the colour of the dots
/// with the highest rank.
struct DotCanvas {
    let symbols: SymbolSet
    /// The width in dots.
    let width: Int
    /// The height in dots.
    let height: Int
    private let columns: Int
    private var masks: [UInt8]
    private var inks: [(ink: Ink, rank: Int)]

    /// Makes a blank canvas of at least one cell.
    init(columns: Int, rows: Int, _ symbols: SymbolSet) {
        self.symbols = symbols
        self.columns = max(1, columns)
        width = self.columns * symbols.dotsAcross
        height = max(1, rows) * symbols.dotsDown
        masks = Array(repeating: 0, count: self.columns * max(1, rows))
        inks = Array(repeating: (.text, -1), count: masks.count)
    }

    /// Sets a dot, counted from the top left. Dots outside the canvas are ignored.
    mutating func set(_ x: Int, _ y: Int, _ ink: Ink, rank: Int) {
        guard (0..<width).contains(x), (0..<height).contains(y) else { return }
        let place = y / symbols.dotsDown * columns + x / symbols.dotsAcross
        masks[place] |= bit(x % symbols.dotsAcross, y % symbols.dotsDown)
        if rank >= inks[place].rank { inks[place] = (ink, rank) }
    }

    /// Draws a straight line between two points.
    mutating func line(from start: (x: Int, y: Int), to end: (x: Int, y: Int), _ ink: Ink, rank: Int) {
        let steps = max(abs(end.x - start.x), abs(end.y - start.y))
        guard steps > 0, steps < 100_000 else { return set(start.x, start.y, ink, rank: rank) }
        for step in 0...steps {
            let share = Double(step) / Double(steps)
            let x = start.x + Int((Double(end.x - start.x) * share).rounded())
            let y = start.y + Int((Double(end.y - start.y) * share).rounded())
            set(x, y, ink, rank: rank)
        }
    }

    private func bit(_ x: Int, _ y: Int) -> UInt8 {
        switch symbols {
        // In a braille character, bits 0 to 5 go down the columns of the first three rows; bits 6 and 7 are the fourth
        // row.
        case .braille: y == 3 ? 0x40 << UInt8(x) : 1 << UInt8(x * 3 + y)
        case .block: 1 << UInt8(y * 2 + x)
        case .ascii: 1 << UInt8(y)
        }
    }

    /// Copies the dots to a grid. Grid cells without dots stay unchanged.
    func draw(on grid: inout CellGrid, row: Int, column: Int) {
        for (place, mask) in masks.enumerated() where mask != 0 {
            grid[row + place / columns, column + place % columns] = Cell(character(mask), inks[place].ink)
        }
    }

    private func character(_ mask: UInt8) -> Character {
        switch symbols {
        case .braille: Unicode.Scalar(0x2800 + UInt32(mask)).map(Character.init) ?? " "
        case .block: blocks[Int(mask & 15)]
        case .ascii: asciiDots[Int(mask & 3)]
        }
    }
}

private let blocks = Array(" ▘▝▀▖▌▞▛▗▚▐▜▄▙▟█")
private let asciiDots = Array(" '.:")
