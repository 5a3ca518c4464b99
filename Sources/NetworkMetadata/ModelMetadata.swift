/// What a network's file does not contain: which inputs and outputs are images, the names of the classes, the layout of
/// detected boxes. `Documentation/ModelMetadata.md` describes the JSON form.
package struct ModelMetadata: Sendable {
    package enum ColourOrder: String, CaseIterable, Sendable {
        case rgb = "RGB"
        case bgr = "BGR"
        case grey = "grayscale"
    }

    package enum Layout: String, CaseIterable, Sendable {
        case channelsFirst = "NCHW"
        case channelsLast = "NHWC"
    }

    package enum FeatureKind: String, CaseIterable, Sendable {
        case image, array
        /// One floating-point number.
        case number
        /// One integer.
        case integer
    }

    package enum PixelFormat: String, CaseIterable, Sendable {
        case bgra = "32BGRA"
        case grey = "OneComponent8"
        case greyFloat = "OneComponent32Float"
    }

    package enum ScoreFunction: String, CaseIterable, Sendable {
        case none, softmax, sigmoid
    }

    /// An input or an output. Nil properties are derived from the network.
    package struct Feature: Sendable {
        package var kind: FeatureKind?
        package var colourOrder: ColourOrder?
        package var layout: Layout?
        package var scale: SIMD3<Float>?
        package var bias: SIMD3<Float>?
        package var width: Int?
        package var height: Int?
        package var pixelFormat: PixelFormat?
        /// For inputs: the default value.
        package var defaultValue: Double?

        package init() {}
    }

    package struct Classifier: Sendable {
        package var scores: String?
        package var function: ScoreFunction = .none
        package var predictedFeatureName = "classLabel"
        package var predictedProbabilitiesName = "classLabelProbs"

        package init() {}
    }

    /// The longest side of an image in pixels.
    package static let longestSide = 1 << 16

    package var description: String?
    package var author: String?
    package var license: String?
    package var version: String?
    package var userDefined: [String: String] = [:]
    package var labels: [String]?
    package var inputs: [String: Feature] = [:]
    package var outputs: [String: Feature] = [:]
    package var classifier: Classifier?
    package var detector = DetectorSettings()

    package init() {}
}
