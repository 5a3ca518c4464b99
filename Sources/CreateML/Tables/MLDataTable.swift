/// A table with named columns, limited to the results of a classifier: it cannot be computed with.
public struct MLDataTable: Sendable, Hashable {
    /// The columns, from left to right.
    public let columnNames: [String]
    private let values: [[MLDataValue]]
    /// The error of creating the table; nil for a valid one.
    public let error: MLCreateError?

    init(columnNames: [String], rows: [[MLDataValue]], error: MLCreateError? = nil) {
        precondition(rows.allSatisfy { $0.count == columnNames.count })
        self.columnNames = columnNames
        values = rows
        self.error = error
    }

    /// Returns whether both have the same columns, rows and error.
    public static func == (left: MLDataTable, right: MLDataTable) -> Bool {
        left.columnNames == right.columnNames && left.values == right.values && left.error == right.error
    }

    /// Hashes the values that determine equality.
    public func hash(into hasher: inout Hasher) {
        hasher.combine(columnNames)
        hasher.combine(values)
    }

    /// Whether the table is valid.
    public var isValid: Bool { error == nil }

    /// The number of rows and columns.
    public var size: (rows: Int, columns: Int) { (values.count, columnNames.count) }

    /// The rows, from the top.
    public var rows: Rows { Rows(table: self) }

    /// Returns the values of a column, from the top; nil if there is no column of that name.
    public subscript(columnName: String) -> [MLDataValue]? {
        columnNames.firstIndex(of: columnName).map { index in values.map { $0[index] } }
    }

    /// The rows of a table.
    public struct Rows: RandomAccessCollection, Sendable {
        fileprivate let table: MLDataTable

        /// Always 0.
        public var startIndex: Int { 0 }
        /// The number of rows.
        public var endIndex: Int { table.values.count }
        /// The row at an index.
        public subscript(position: Int) -> Row { Row(table: table, index: position) }
    }

    /// One row of a table.
    public struct Row: Sendable {
        fileprivate let table: MLDataTable
        fileprivate let index: Int

        /// The row's values, from left to right.
        public var values: [MLDataValue] { table.values[index] }

        /// The value in a column; nil if there is no column of that name.
        public subscript(columnName: String) -> MLDataValue? {
            table.columnNames.firstIndex(of: columnName).map { table.values[index][$0] }
        }
    }
}

extension MLDataTable: CustomStringConvertible {
    /// The table as text, numbers aligned to the right.
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
