/// Rows of values in named columns, as far as the results of a classifier need them: nothing can be computed with them here.
public struct MLDataTable: Sendable, Hashable {
    /// The columns, from left to right.
    public let columnNames: [String]
    private let values: [[MLDataValue]]
    /// What went wrong with making the table; nil for a good one.
    public let error: MLCreateError?

    init(columnNames: [String], rows: [[MLDataValue]], error: MLCreateError? = nil) {
        precondition(rows.allSatisfy { $0.count == columnNames.count })
        self.columnNames = columnNames
        values = rows
        self.error = error
    }

    /// Whether both have the same columns, rows and error.
    public static func == (left: MLDataTable, right: MLDataTable) -> Bool {
        left.columnNames == right.columnNames && left.values == right.values && left.error == right.error
    }

    /// Hashes what makes two tables equal.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(columnNames)
        hasher.combine(values)
    }

    /// Whether the table could be made.
    public var isValid: Bool { error == nil }

    /// How many rows and columns there are.
    public var size: (rows: Int, columns: Int) { (values.count, columnNames.count) }

    /// The rows, from the top.
    public var rows: Rows { Rows(table: self) }

    /// The values of a column, from the top; nil without a column of that name.
    public subscript(columnName: String) -> [MLDataValue]? {
        columnNames.firstIndex(of: columnName).map { place in values.map { $0[place] } }
    }

    /// The rows of a table.
    public struct Rows: RandomAccessCollection, Sendable {
        fileprivate let table: MLDataTable

        /// Always 0.
        public var startIndex: Int { 0 }
        /// The number of rows.
        public var endIndex: Int { table.values.count }
        /// The row at a place.
        public subscript(position: Int) -> Row { Row(table: table, place: position) }
    }

    /// One row of a table.
    public struct Row: Sendable {
        fileprivate let table: MLDataTable
        fileprivate let place: Int

        /// The row's values, from left to right.
        public var values: [MLDataValue] { table.values[place] }

        /// The value in a column; nil without a column of that name.
        public subscript(columnName: String) -> MLDataValue? {
            table.columnNames.firstIndex(of: columnName).map { table.values[place][$0] }
        }
    }
}

extension MLDataTable: CustomStringConvertible {
    /// The table as text, numbers flush right.
    public var description: String {
        if let error { return error.reason }
        let cells = [columnNames] + values.map { $0.map(\.description) }
        let widths = columnNames.indices.map { column in cells.map { $0[column].count }.max() ?? 0 }
        let numbers = columnNames.indices.map { column in values.contains { $0[column].doubleValue != nil } }
        return cells.map { row in
            let line = row.indices.map { column in
                let space = String(repeating: " ", count: widths[column] - row[column].count)
                return numbers[column] ? space + row[column] : row[column] + space
            }.joined(separator: "  ")
            return String(line.reversed().drop { $0 == " " }.reversed())
        }.joined(separator: "\n")
    }
}
