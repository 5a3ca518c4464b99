import CoreML
import VisionImage

/// The inputs and outputs of a model, as JSON for C programs.
struct ModelDescriptionRecord: Encodable {
    private struct Feature: Encodable {
        let name: String
        let type: String
        let isOptional: Bool
        /// Of an array; 1 for a length that is not fixed and has no default.
        var shape: [Int]?
        /// Of an array: `int32`, `float16`, `float32` or `float64`.
        var dataType: String?
        /// Of an image, in pixels.
        var width: Int?
        var height: Int?
        /// Of an image: whether it has one channel.
        var isGrey: Bool?

        init(_ feature: MLFeatureDescription) {
            (name, isOptional) = (feature.name, feature.isOptional)
            type = Self.names[feature.type] ?? "unknown"
            if let array = feature.multiArrayConstraint {
                shape = array.shape.map(\.intValue)
                dataType = Self.types[array.dataType]
            }
            if let image = feature.imageConstraint {
                (width, height) = (image.pixelsWide, image.pixelsHigh)
                isGrey = image.pixelFormatType == kCVPixelFormatType_OneComponent8
            }
        }

        private static let names: [MLFeatureType: String] = [
            .int64: "int64", .double: "double", .string: "string", .image: "image", .multiArray: "multiArray",
            .dictionary: "dictionary", .sequence: "sequence", .state: "state",
        ]
        private static let types: [MLMultiArrayDataType: String] = [
            .int32: "int32", .float16: "float16", .float32: "float32", .double: "float64",
        ]
    }

    private let inputs: [Feature]
    private let outputs: [Feature]
    private let predictedFeatureName: String?
    private let predictedProbabilitiesName: String?

    init(_ description: MLModelDescription) {
        func features(_ all: [String: MLFeatureDescription]) -> [Feature] {
            all.values.sorted { $0.name < $1.name }.map { Feature($0) }
        }
        inputs = features(description.inputDescriptionsByName)
        outputs = features(description.outputDescriptionsByName)
        predictedFeatureName = description.predictedFeatureName
        predictedProbabilitiesName = description.predictedProbabilitiesName
    }
}
