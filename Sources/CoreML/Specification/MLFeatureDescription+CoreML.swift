import VisionInference

// Descriptions of features as a Core ML file states them.

extension MLFeatureDescription {
    convenience init(_ feature: CoreMLFeature) {
        let (type, constraint) = Self.constraint(feature.kind)
        self.init(name: feature.name, type: type, isOptional: feature.isOptional, constraint: constraint)
    }

    private static func constraint(_ kind: CoreMLFeature.Kind) -> (MLFeatureType, Constraint) {
        switch kind {
        case .int64: return (.int64, .none)
        case .double: return (.double, .none)
        case .string: return (.string, .none)
        case .image(let image): return (.image, .image(MLImageConstraint(image)))
        case .array(let array):
            let constraint = MLMultiArrayConstraint(
                lengths: array.openShape, dataType: array.dataType, rule: array.rule, usualShape: array.shape)
            return (.multiArray, .multiArray(constraint))
        case .dictionary(let hasStrings):
            return (.dictionary, .dictionary(MLDictionaryConstraint(keyType: hasStrings ? .string : .int64)))
        case .sequence(let hasStrings):
            let element = MLFeatureDescription(name: "", type: hasStrings ? .string : .int64)
            let range = NSRange(location: 0, length: Int(Int32.max))
            return (.sequence, .sequence(MLSequenceConstraint(valueDescription: element, countRange: range)))
        case .state: return (.multiArray, .none)
        }
    }
}

extension MLImageConstraint {
    convenience init(_ image: CoreMLImageType) {
        let format: OSType =
            switch image.colours {
            case .rgb, .bgr: kCVPixelFormatType_32BGRA
            case .grey: kCVPixelFormatType_OneComponent8
            case .greyHalf: kCVPixelFormatType_OneComponent16Half
            }
        let sizes: MLImageSizeConstraint
        switch image.rule {
        case .list?: sizes = MLImageSizeConstraint(enumerated: image.allSizes)
        case .axes(let ranges)?: sizes = MLImageSizeConstraint(widths: ranges[1], heights: ranges[0])
        case nil: sizes = MLImageSizeConstraint(width: image.width, height: image.height)
        }
        self.init(width: image.width, height: image.height, pixelFormatType: format, sizes: sizes)
    }
}

extension CoreMLImageType {
    /// Sizes that the file lists, the usual one included.
    var allSizes: [(width: Int, height: Int)] {
        enumerated.contains { $0 == (width, height) } ? enumerated : [(width, height)] + enumerated
    }

    /// Heights and widths, where there is more than one.
    var rule: ShapeRule? {
        if !enumerated.isEmpty { return .list(allSizes.map { [$0.height, $0.width] }) }
        guard let widths, let heights else { return nil }
        return .axes(
            [heights, widths].map { range in
                let lowest = max(range.lower, 1)
                return
                    lowest...max(
                        min(range.upper ?? MLImageConstraint.longestSide, MLImageConstraint.longestSide), lowest)
            })
    }
}

extension CoreMLArrayType {
    var dataType: MLMultiArrayDataType {
        switch type {
        case .float64: .double
        case .float16: .float16
        case .int32, .int8: .int32
        default: .float32
        }
    }

    /// The shapes that are allowed, where there is more than one.
    var rule: ShapeRule? {
        if !enumerated.isEmpty { return .list(enumerated.contains(shape) ? enumerated : [shape] + enumerated) }
        if ranges.isEmpty { return nil }
        return .axes(ranges.map { $0.lower...max($0.upper ?? Int(Int32.max), $0.lower) })
    }
}
