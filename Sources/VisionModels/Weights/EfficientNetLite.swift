/// The layers of EfficientNet-Lite: EfficientNet without squeeze-and-excitation, with ReLU6, and with a stem and a head
/// that do not grow with the network. Tan and Le, "EfficientNet", ICML 2019; the Lite variants: tensorflow/tpu,
/// efficientnet/lite.
package struct EfficientNetLite: Sendable, Equatable {
    /// Factors of the channels and of the repetitions.
    package let width: Double
    package let depth: Double
    /// Rows and columns of the input.
    package let side: Int

    static let stemChannels = 32
    static let headChannels = 1280
    static let classCount = 1000

    /// A convolution with its batch norm, and whether ReLU6 follows.
    struct Convolution: Equatable {
        /// The name in the graph.
        var name: String
        /// Names in the checkpoint.
        var weights: String
        var norm: String
        var kernel = 1
        var stride = 1
        var isDepthwise = false
        var inputs: Int
        var outputs: Int
        var isActivated = true

        /// The shape in the checkpoint: outputs, inputs of a group, rows, columns.
        var shape: [Int] { [outputs, isDepthwise ? 1 : inputs, kernel, kernel] }
    }

    enum Layer: Equatable {
        case convolution(Convolution)
        /// Adds the input of the block.
        case residual(name: String)
        /// The next layer is the first of a block.
        case blockStart
    }

    private struct Stage {
        let repeats: Int, kernel: Int, stride: Int, expansion: Int, outputs: Int
    }

    private static let stages = [
        Stage(repeats: 1, kernel: 3, stride: 1, expansion: 1, outputs: 16),
        Stage(repeats: 2, kernel: 3, stride: 2, expansion: 6, outputs: 24),
        Stage(repeats: 2, kernel: 5, stride: 2, expansion: 6, outputs: 40),
        Stage(repeats: 3, kernel: 3, stride: 2, expansion: 6, outputs: 80),
        Stage(repeats: 3, kernel: 5, stride: 1, expansion: 6, outputs: 112),
        Stage(repeats: 4, kernel: 5, stride: 2, expansion: 6, outputs: 192),
        Stage(repeats: 1, kernel: 3, stride: 1, expansion: 6, outputs: 320),
    ]

    /// The layers up to the pooling, in order.
    var layers: [Layer] {
        var layers: [Layer] = [
            .convolution(
                Convolution(
                    name: "stem", weights: "_conv_stem", norm: "_bn0", kernel: 3, stride: 2, inputs: 3,
                    outputs: Self.stemChannels))
        ]
        var (inputs, block) = (Self.stemChannels, 0)
        for (number, stage) in Self.stages.enumerated() {
            let outputs = channels(stage.outputs)
            // The first and the last stage are not repeated more often in deeper networks.
            let isScaled = number > 0 && number < Self.stages.count - 1
            for repetition in 0..<(isScaled ? repeats(stage.repeats) : stage.repeats) {
                layers += Self.block(
                    block, stage, stride: repetition == 0 ? stage.stride : 1, inputs: inputs, outputs: outputs)
                (inputs, block) = (outputs, block + 1)
            }
        }
        layers.append(
            .convolution(
                Convolution(
                    name: "head", weights: "_conv_head", norm: "_bn1", inputs: inputs, outputs: Self.headChannels)))
        return layers
    }

    /// The name of the last layer of all blocks that make a map of 1/8 of the input's rows and columns; so for 1/2,
    /// 1/4, ….
    var lastBlocks: [Int: String] {
        var names: [Int: String] = [:]
        var reduction = 1
        for layer in layers {
            switch layer {
            case .convolution(let layer):
                reduction *= layer.stride
                if !layer.isActivated { names[reduction] = layer.name }
            case .residual(let name): names[reduction] = name
            case .blockStart: break
            }
        }
        return names
    }

    /// An inverted bottleneck: expand, filter each channel, project.
    private static func block(_ number: Int, _ stage: Stage, stride: Int, inputs: Int, outputs: Int) -> [Layer] {
        let wide = inputs * stage.expansion
        let (name, key) = ("block\(number)", "_blocks.\(number).")
        var layers: [Layer] = [.blockStart]
        if stage.expansion > 1 {
            layers.append(
                .convolution(
                    Convolution(
                        name: name + ".expand", weights: key + "_expand_conv", norm: key + "_bn0", inputs: inputs,
                        outputs: wide)))
        }
        layers.append(
            .convolution(
                Convolution(
                    name: name + ".depthwise", weights: key + "_depthwise_conv", norm: key + "_bn1",
                    kernel: stage.kernel, stride: stride, isDepthwise: true, inputs: wide, outputs: wide)))
        layers.append(
            .convolution(
                Convolution(
                    name: name + ".project", weights: key + "_project_conv", norm: key + "_bn2", inputs: wide,
                    outputs: outputs, isActivated: false)))
        if stride == 1, inputs == outputs { layers.append(.residual(name: name + ".add")) }
        return layers
    }

    /// Channels times the width, to a multiple of 8 that is not more than a tenth too small.
    private func channels(_ count: Int) -> Int {
        guard width != 1 else { return count }
        let scaled = Double(count) * width
        let rounded = max(8, Int(scaled + 4) / 8 * 8)
        return Double(rounded) < 0.9 * scaled ? rounded + 8 : rounded
    }

    private func repeats(_ count: Int) -> Int { Int((Double(count) * depth).rounded(.up)) }

    /// Returns TensorFlow's "same" padding: the fewest rows that give ⌈size / stride⌉ results, the odd one at the end.
    /// The weights were trained with it; padding evenly costs 6 points of accuracy.
    static func samePadding(size: Int, kernel: Int, stride: Int) -> (before: Int, after: Int) {
        let results = (size + stride - 1) / stride
        let total = max(0, (results - 1) * stride + kernel - size)
        return (total / 2, total - total / 2)
    }
}
