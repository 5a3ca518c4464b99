/// The natural order of file names: runs of digits compare as numbers, so that 2 precedes 10.
enum NaturalOrder {
    static func precedes(_ left: String, _ right: String) -> Bool {
        let (a, b) = (pieces(left), pieces(right))
        for (first, second) in zip(a, b) where first != second {
            return first < second
        }
        // Names that differ only in leading zeros need a fixed order, too.
        return a.count == b.count ? left < right : a.count < b.count
    }

    private enum Piece: Equatable, Comparable {
        // Without leading zeros, the longer number is larger; any length is supported.
        case number(length: Int, digits: String)
        case text(String)
    }

    private static func pieces(_ name: String) -> [Piece] {
        var pieces: [Piece] = []
        var rest = name.lowercased()[...]
        while let first = rest.first {
            let isNumber = first.isASCII && first.isNumber
            let run = rest.prefix { ($0.isASCII && $0.isNumber) == isNumber }
            rest = rest.dropFirst(run.count)
            if isNumber {
                let digits = run.drop { $0 == "0" }
                pieces.append(.number(length: digits.count, digits: String(digits)))
            } else {
                pieces.append(.text(String(run)))
            }
        }
        return pieces
    }
}
