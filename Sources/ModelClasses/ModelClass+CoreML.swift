package import Foundation
import VisionInference

extension ModelClass {
    /// The class of a Core ML file or package. Only its description is read: what the model is made of does not matter.
    ///
    /// - Throws: `ModelError` when it cannot be read, is damaged, or is no Core ML file.
    package init(
        coreMLAt url: URL, name: String? = nil, access: Access = .internal, bundle: ResourceBundle = .module
    ) throws {
        let isPackage = url.pathExtension.lowercased() == "mlpackage"
        let file = isPackage ? try CoreMLPackage.specification(in: url) : url
        let description = try ModelError.adding(.init(file: file.path)) {
            let bytes = try ModelBytes(contentsOf: file)
            guard ModelFileKind(bytes).isCoreML else { throw ModelError.damaged("it is no Core ML file") }
            return try CoreMLModel.description(bytes)
        }
        self.init(
            name: name ?? url.deletingPathExtension().lastPathComponent, fileName: url.lastPathComponent,
            inputs: description.inputs.compactMap(ModelFeature.init),
            outputs: description.outputs.compactMap(ModelFeature.init), access: access, bundle: bundle)
    }
}

extension ModelFeature {
    /// nil for states, which are no features.
    init?(_ feature: CoreMLFeature) {
        let kind: Kind
        switch feature.kind {
        case .int64: kind = .int64
        case .double: kind = .double
        case .string: kind = .string
        case .image(let image):
            let format: PixelFormat =
                switch image.colours {
                case .rgb, .bgr: .colour
                case .grey: .grey
                case .greyHalf: .greyHalf
                }
            kind = .image(width: image.width, height: image.height, format)
        case .array(let array):
            let scalar: Scalar =
                switch array.type {
                case .float64: .double
                case .float16: .half
                case .int32, .int8: .int32
                default: .float
                }
            let shape = array.openShape.compactMap { $0 }
            let isFixed = !shape.isEmpty && shape.count == array.openShape.count
            kind = .array(shape: isFixed ? shape : nil, scalar)
        case .dictionary(let stringKeys): kind = .dictionary(stringKeys: stringKeys)
        case .sequence(let ofStrings): kind = .sequence(ofStrings: ofStrings)
        case .state: return nil
        }
        self.init(
            name: feature.name, summary: feature.shortDescription, kind: kind, isOptional: feature.isOptional)
    }
}
