import CVisionKernels
import Foundation

/// Products of float matrices: the shapes of training, of dense layers and of print search.
enum MatrixProducts {
    /// One product of a rows × inner matrix and an inner × columns one, or one of `columns` rows of `inner` values
    /// each.
    private final class Product {
        let rows: Int32
        let columns: Int32
        let inner: Int32
        let isTransposed: Bool
        private let left: [Float]
        private let right: [Float]
        private(set) var result: [Float]
        private var work: [UInt64]

        init(left: [Float], right: [Float], rows: Int, columns: Int, inner: Int, isTransposed: Bool) {
            precondition(left.count == rows * inner && right.count == inner * columns)
            (self.left, self.right, self.isTransposed) = (left, right, isTransposed)
            (self.rows, self.columns, self.inner) = (Int32(rows), Int32(columns), Int32(inner))
            result = [Float](repeating: 0, count: rows * columns)
            let bytes = cvk_f32_multiply_work_bytes(self.rows, self.columns, self.inner)
            work = [UInt64](repeating: 0, count: bytes / 8 + 8)
        }

        func run() {
            let width = Int(columns)
            let depth = Int(inner)
            work.withUnsafeMutableBytes { work in
                guard let base = work.baseAddress else { return }
                // Work memory of kernels is aligned to 64 bytes.
                let aligned = UnsafeMutableRawPointer(bitPattern: (UInt(bitPattern: base) + 63) / 64 * 64)
                result.withUnsafeMutableBufferPointer { result in
                    left.withUnsafeBufferPointer { left in
                        right.withUnsafeBufferPointer { right in
                            cvk_f32_multiply(
                                result.baseAddress, width * 4, left.baseAddress, depth * 4, 4, right.baseAddress,
                                isTransposed ? 4 : width * 4, isTransposed ? depth * 4 : 4, rows, columns, inner, 1,
                                aligned)
                        }
                    }
                }
            }
        }
    }

    static var cases: [ServedCase] {
        [
            // The file holds the left matrix and then the right one, row by row, as floats. With "transposed" the right
            // one has `columns` rows of `inner` values. With "output" the product is written to that file.
            ServedCase(name: "product") { file, parameters in
                func size(_ name: String) throws -> Int {
                    guard let value = parameters[name].flatMap({ Int($0) }), (1...1 << 24).contains(value) else {
                        throw ServedCase.Unknown(description: "product needs the sizes rows, columns and inner")
                    }
                    return value
                }
                let (rows, columns, inner) = (try size("rows"), try size("columns"), try size("inner"))
                let bytes = try Data(contentsOf: URL(fileURLWithPath: file))
                guard bytes.count == 4 * inner * (rows + columns) else {
                    throw ServedCase.Unknown(description: "\(file) does not have the bytes of the two matrices")
                }
                let values = bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
                let product = Product(
                    left: Array(values[..<(rows * inner)]), right: Array(values[(rows * inner)...]), rows: rows,
                    columns: columns, inner: inner, isTransposed: parameters["transposed"] == "1")
                return {
                    product.run()
                    if let output = parameters["output"] {
                        try product.result.withUnsafeBytes { Data($0) }.write(to: URL(fileURLWithPath: output))
                    }
                    return []
                }
            }
        ]
    }
}
