/// A text table with padded columns.
struct TextTable {
    let header: [String]
    let rows: [[String]]
    /// The columns that are aligned right.
    let numbers: Set<Int>

    var lines: [String] {
        let all = [header] + rows
        let widths = header.indices.map { column in all.map { $0[column].count }.max() ?? 0 }
        return all.map { row in
            let cells = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return numbers.contains(column) ? space + row[column] : row[column] + space
            }
            let line = cells.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }
    }

    func print() { lines.forEach { Swift.print($0) } }
}
