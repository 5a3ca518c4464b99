import Foundation

/// A classifier of an image's mean colour as an ONNX file: the scores are the means of red, green and blue.
enum SmallModel {
    /// - Parameter labels: The names of the three classes.
    static func colours(_ labels: [String]) -> Data {
        let node =
            text(1, "image") + text(2, "scores") + text(4, "ReduceMean")
            + message(5, text(1, "axes") + number(8, 2) + number(8, 3) + number(20, 7))
            + message(5, text(1, "keepdims") + number(3, 0) + number(20, 2))
        let graph =
            message(1, node) + text(2, "colours") + message(11, port("image", [1, 3, 8, 8]))
            + message(12, port("scores", [1, 3]))
        let metadata = "{\"labels\": [\(labels.map { "\"\($0)\"" }.joined(separator: ", "))]}"
        return number(1, 8) + message(7, graph) + message(8, text(1, "") + number(2, 17))
            + message(14, text(1, "openvision") + text(2, metadata))
    }

    /// A tensor of floats that goes in or out.
    private static func port(_ name: String, _ shape: [Int]) -> Data {
        let dimensions = shape.reduce(into: Data()) { $0 += message(1, number(1, $1)) }
        return text(1, name) + message(2, message(1, number(1, 1) + message(2, dimensions)))
    }

    // Fields of a protocol buffer.

    private static func number(_ field: Int, _ value: Int) -> Data { variable(field << 3) + variable(value) }

    private static func text(_ field: Int, _ text: String) -> Data { message(field, Data(text.utf8)) }

    private static func message(_ field: Int, _ contents: Data) -> Data {
        variable(field << 3 | 2) + variable(contents.count) + contents
    }

    private static func variable(_ value: Int) -> Data {
        var (rest, bytes) = (value, Data())
        while rest >= 0x80 {
            bytes.append(UInt8(rest & 0x7F) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
        return bytes
    }
}
