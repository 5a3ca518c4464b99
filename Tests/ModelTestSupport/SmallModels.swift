package import Foundation
import VisionInference

/// What is on the breakfast table.
package let breakfast = ["bagel", "banana", "coffee", "croissant", "egg", "waffle"]

/// The colours by which `breakfastDetector` tells them apart: red, green, blue, from 0 to 1.
package let breakfastColours: [[Float]] = [
    [1, 0.5, 0], [1, 1, 0], [0.25, 0, 0], [0.5, 0, 1], [1, 1, 1], [0, 1, 0.5],
]

package func breakfastMetadata(_ more: String = "") -> String {
    "{\"labels\": [\(breakfast.map { "\"\($0)\"" }.joined(separator: ", "))]\(more)}"
}

/// A detector of six classes in the form of YOLOv8: input 64 × 64, output `output0` 10 × 84.
///
/// Each cell of three grids (8, 16 and 32 pixels) is a box. Its score for a class is one minus the distance of its mean
/// colour to that of the class, and counts for the grid of 16 pixels only.
///
/// - Parameter metadata: The JSON that goes into the file; nil for none.
package func breakfastDetector(metadata: String? = nil) throws -> Data {
    var builder = ONNXBuilder(opset: 17)
    if let metadata { builder.model.metadata["openvision"] = metadata }
    let image = builder.input("images", [1, 3, 64, 64])
    var means: [String] = []
    var boxes: [[Float]] = [[], [], [], []]
    var weights: [Float] = []
    for stride in [8, 16, 32] {
        let cells = 64 / stride
        let blocks = try builder.initialiser(
            "blocks\(stride)", [6], [1, 3, cells, stride, cells, stride].map { Int64($0) })
        let flat = try builder.initialiser("flat\(stride)", [4], [1, 1, 3, cells * cells].map { Int64($0) })
        let cut = builder.node("Reshape", [image, blocks])
        let mean = builder.node("ReduceMean", [cut], ["axes": [3, 5], "keepdims": 0])
        means.append(builder.node("Reshape", [mean, flat]))
        for row in 0..<cells {
            for column in 0..<cells {
                boxes[0].append((Float(column) + 0.5) * Float(stride))
                boxes[1].append((Float(row) + 0.5) * Float(stride))
                boxes[2].append(Float(stride))
                boxes[3].append(Float(stride))
                weights.append(stride == 16 ? 1 : 0)
            }
        }
    }
    let all = builder.node("Concat", means, ["axis": 3])
    let colours = try builder.initialiser("colours", [1, 6, 3, 1], breakfastColours.flatMap { $0 })
    let distance = try builder.node(
        "ReduceSum",
        [builder.node("Abs", [builder.node("Sub", [all, colours])]), builder.initialiser("axis", [1], [Int64(2)])],
        ["keepdims": 0])
    let one = try builder.initialiser("one", [], [Float(1)])
    let nearness = builder.node("Relu", [builder.node("Sub", [one, distance])])
    let scores = try builder.node("Mul", [nearness, builder.initialiser("weights", [1, 1, 84], weights)])
    let places = try builder.initialiser("boxes", [1, 4, 84], boxes.flatMap { $0 })
    builder.output(
        builder.node("Concat", [places, scores], ["axis": 1], output: "output0"), [1, 10, 84])
    return builder.data()
}

/// Two images of 8 × 8 and a number in, two images out: `mixed` is their mixture, `difference` how far they are apart.
package func imageMixer() throws -> Data {
    var builder = ONNXBuilder(opset: 17)
    builder.model.metadata["openvision"] = """
        {"outputs": {"mixed": {"type": "image"}, "difference": {"type": "image"}}, "description": "Mixes two images"}
        """
    let content = builder.input("contentImage", [1, 3, 8, 8])
    let style = builder.input("styleImage", [1, 3, 8, 8])
    let ratio = builder.input("mixRatio", [])
    let difference = builder.node("Sub", [style, content])
    builder.output(
        builder.node("Add", [content, builder.node("Mul", [difference, ratio])], output: "mixed"), [1, 3, 8, 8])
    builder.output(builder.node("Abs", [difference], output: "difference"), [1, 3, 8, 8])
    return builder.data()
}

/// A classifier of the mean colour: scores of `labels.count` classes, the first of which likes red, the second green,
/// the third blue.
package func colourClassifier(metadata: String) throws -> Data {
    var builder = ONNXBuilder(opset: 17)
    builder.model.metadata["openvision"] = metadata
    let image = builder.input("image", ["batch", 3, "height", "width"])
    builder.output(
        builder.node("ReduceMean", [image], ["axes": [2, 3], "keepdims": 0], output: "scores"), ["batch", 3])
    return builder.data()
}

/// A model with an operator that does not exist.
package func modelWithUnknownOperator() -> Data {
    var builder = ONNXBuilder(opset: 17)
    let x = builder.input("x", [1])
    builder.output(builder.node("Teleport", [x], name: "beam"), [1])
    return builder.data()
}
