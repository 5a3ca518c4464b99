extension MLModelDescription {
    /// - Throws: `MLModelError.featureType` for memory that cannot be that of an output, by its description.
    func check(_ backings: [String: Any]) throws {
        for (name, backing) in backings {
            let target = try MLMultiArray.backing(backing, of: name)
            guard let constraint = outputDescriptionsByName[name]?.multiArrayConstraint else {
                throw MLMultiArray.noArray(name)
            }
            guard constraint.allows(target), constraint.dataType == target.dataType else {
                throw MLModelError(
                    .featureType,
                    "The output “\(name)” is \(constraint.dataType) \(constraint.shape), the memory for it "
                        + "\(target.dataType) \(target.layout.shape).")
            }
        }
    }
}

extension MLFeatureProvider {
    /// Returns the outputs with the arrays that the options name, to which their numbers are copied.
    ///
    /// - Throws: `MLModelError.featureType` for an output that is not there or no array, or an array of another shape
    ///   or type.
    func stored(in backings: [String: Any]) throws -> any MLFeatureProvider {
        guard !backings.isEmpty else { return self }
        var features: [String: MLFeatureValue] = [:]
        for name in featureNames { features[name] = featureValue(for: name) }
        for (name, backing) in backings {
            let target = try MLMultiArray.backing(backing, of: name)
            guard let source = features[name]?.multiArrayValue else { throw MLMultiArray.noArray(name) }
            guard source.layout.shape == target.layout.shape, source.dataType == target.dataType else {
                throw MLModelError(
                    .featureType,
                    "The output “\(name)” is \(source.dataType) \(source.layout.shape), the memory for it "
                        + "\(target.dataType) \(target.layout.shape).")
            }
            target.copyNumbers(of: source)
            features[name] = MLFeatureValue(multiArray: target)
        }
        return MLDictionaryFeatureProvider(features: features)
    }
}

extension MLMultiArray {
    fileprivate static func backing(_ backing: Any, of name: String) throws -> MLMultiArray {
        guard let array = backing as? MLMultiArray else {
            throw MLModelError(
                .featureType, "The memory for the output “\(name)” must be an MLMultiArray, not \(type(of: backing)).")
        }
        return array
    }

    fileprivate static func noArray(_ name: String) -> MLModelError {
        MLModelError(.featureType, "The model has no output “\(name)” that is an array.")
    }

    /// Copies the numbers of an array of the same shape and type.
    fileprivate func copyNumbers(of source: MLMultiArray) {
        let size = dataType.size
        if layout.isContiguous, source.layout.isContiguous {
            let bytes = UnsafeRawBufferPointer(start: source.dataPointer, count: count * size)
            UnsafeMutableRawBufferPointer(start: dataPointer, count: count * size).copyBytes(from: bytes)
            return
        }
        for index in 0..<count {
            let (to, from) = (layout.offset(ofElement: index) * size, source.layout.offset(ofElement: index) * size)
            for byte in 0..<size {
                let value = source.dataPointer.load(fromByteOffset: from + byte, as: UInt8.self)
                dataPointer.storeBytes(of: value, toByteOffset: to + byte, as: UInt8.self)
            }
        }
    }

    /// Creates an array over the pixels of a buffer, which are not copied. Its rows are the last axis.
    ///
    /// - Parameters:
    ///   - pixelBuffer: Of the format `kCVPixelFormatType_OneComponent16Half` or `…32Float`. Another one is a
    ///     programming error and ends the process.
    ///   - shape: The last length is the width of the buffer, the product of the others its height; another shape is a
    ///     programming error and ends the process.
    public convenience init(pixelBuffer: CVPixelBuffer, shape: [NSNumber]) {
        let dataType: MLMultiArrayDataType
        switch pixelBuffer.format {
        case kCVPixelFormatType_OneComponent16Half: dataType = .float16
        case kCVPixelFormatType_OneComponent32Float: dataType = .float32
        default: preconditionFailure("A pixel buffer of an array has floats of one component.")
        }
        let lengths = shape.map(\.intValue)
        precondition(
            lengths.last == pixelBuffer.width && lengths.dropLast().reduce(1, *) == pixelBuffer.height,
            "An array of shape \(lengths) has not \(pixelBuffer.width) × \(pixelBuffer.height) pixels.")
        let plane = pixelBuffer.planes[0]
        precondition(
            plane.rowBytes.isMultiple(of: dataType.size), "Rows of \(plane.rowBytes) bytes hold no whole numbers.")
        var strides = [1]
        var stride = plane.rowBytes / dataType.size
        for length in lengths.dropLast().reversed() {
            strides.insert(stride, at: 0)
            stride *= length
        }
        do {
            let layout = try MultiArrayLayout(shape: lengths, strides: strides, elementSize: dataType.size)
            let memory = PixelMemory(borrowing: plane.address, count: layout.extent * dataType.size) {
                withExtendedLifetime(pixelBuffer) {}
            }
            self.init(layout: layout, dataType: dataType, memory: memory, pixelBuffer: pixelBuffer)
        } catch {
            preconditionFailure("\(error)")
        }
    }
}
