import NetworkMetadata
import VisionInference

extension ModelInterface.Input {
    /// - Parameter isOnlyOne: Whether the network has no other input.
    /// - Throws: `MLModelError.generic` if the metadata does not match the network's input.
    init(port: Graph.Port, isOnlyOne: Bool, metadata: ModelMetadata.Feature?) throws {
        self.port = port
        defaultValue = metadata?.defaultValue
        let form: InputForm
        do {
            form = try InputForm(
                of: port.name, shape: port.shape, isFloat: port.type.isFloat,
                mayBeImage: port.type.isFloat || port.type == .uint8, isOnlyOne: isOnlyOne, stated: metadata)
        } catch {
            throw MLModelError(.generic, error.description)
        }
        kind =
            switch form {
            case .image(let axes): .image(ImageInput(port, axes, metadata))
            case .array: .array
            case .number: .number
            case .integer: .integer
            }
        shape = form.shape(of: port.shape)
    }

    var description: MLFeatureDescription {
        if let stated { return stated }
        let isOptional = defaultValue != nil
        switch kind {
        case .image(let image):
            return MLFeatureDescription(
                name: port.name, type: .image, isOptional: isOptional,
                constraint: .image(
                    MLImageConstraint(
                        width: image.width, height: image.height,
                        pixelFormatType: image.channels == 1
                            ? kCVPixelFormatType_OneComponent8 : kCVPixelFormatType_32BGRA)))
        case .number: return MLFeatureDescription(name: port.name, type: .double, isOptional: isOptional)
        case .integer: return MLFeatureDescription(name: port.name, type: .int64, isOptional: isOptional)
        case .value(let description): return description
        case .array:
            return MLFeatureDescription(
                name: port.name, type: .multiArray, isOptional: isOptional,
                constraint: .multiArray(
                    MLMultiArrayConstraint(lengths: shape, dataType: MLMultiArrayDataType(port.type))))
        }
    }

    // MARK: - Values

    /// Converts a feature to the network's input.
    ///
    /// Besides the type of the description, an image may be given as an array of the network's own shape, and a single
    /// number as an integer, a floating-point number or an array.
    ///
    /// - Throws: `MLModelError.featureType` if it is invalid.
    func input(of value: MLFeatureValue?) throws -> NetworkInput {
        guard let value, !value.isUndefined else {
            guard let defaultValue else {
                throw MLModelError(.featureType, "The input “\(port.name)” is missing. It is: \(description).")
            }
            let lengths = usualShape ?? shape.compactMap { $0 }
            guard lengths.count == shape.count else {
                throw MLModelError(
                    .featureType, "The input “\(port.name)” is left out, and its shape is not known without a value.")
            }
            return NetworkInput(number: defaultValue, shape: lengths)
        }
        switch value.content {
        case .image(let buffer):
            guard case .image(let image) = kind else { break }
            do {
                let source = ImageSource(pixelBuffer: buffer)
                let region = PixelRegion(width: buffer.width, height: buffer.height)
                return image.input(of: try source.derivative(image.derivative(region: region, fit: .fill)))
            } catch let error as ImageError {
                throw MLModelError(error)
            }
        case .multiArray(let array): return NetworkInput(array, shape: try lengths(of: array))
        case .double(let number):
            if let lengths = singleNumber { return NetworkInput(number: number, shape: lengths) }
        case .int64(let number):
            if let lengths = singleNumber { return NetworkInput(number: Double(number), shape: lengths) }
        default: break
        }
        throw MLModelError(
            .featureType,
            "The input “\(port.name)” cannot be made of a feature of type \(value.type). It is: "
                + "\(description).")
    }

    /// Returns the shape of an input that holds one number; nil for others.
    private var singleNumber: [Int]? {
        port.shape != nil && shape.allSatisfy { $0 == 1 || $0 == nil } ? shape.map { _ in 1 } : nil
    }

    /// Returns the lengths of the axes with which an array is passed to the network: its own, or with a leading axis of
    /// length 1 if the network has one more.
    private func lengths(of array: MLMultiArray) throws -> [Int] {
        let lengths = array.layout.shape
        guard let wanted = port.shape else { return lengths }
        func fits(_ lengths: [Int]) -> Bool {
            lengths.count == wanted.count && zip(wanted, lengths).allSatisfy { $0 == nil || $0 == $1 }
        }
        if fits(lengths), rule?.allows(lengths) ?? true { return lengths }
        if fits([1] + lengths), rule == nil { return [1] + lengths }
        if array.count == 1, let single = singleNumber { return single }
        var text = wanted.map { $0.map(String.init) ?? "?" }.joined(separator: " × ")
        switch rule {
        case .list(let shapes)?:
            text = shapes.map { $0.map(String.init).joined(separator: " × ") }.joined(separator: " or ")
        case .axes(let ranges)?:
            text = ranges.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)…\($0.upperBound)" }
                .joined(separator: " × ")
        case nil: break
        }
        throw MLModelError(
            .featureType,
            "The input “\(port.name)” has the shape \(text), not \(lengths.map(String.init).joined(separator: " × ")).")
    }
}

extension ImageInput {
    /// The shape of the network's input; nil for a side of any length.
    var shape: [Int?] {
        let sides: [Int?] = channelsLast ? [height, width, channels] : [channels, height, width]
        return hasBatchAxis ? [1] + sides : sides
    }

    init(_ port: Graph.Port, _ axes: InputImageAxes, _ metadata: ModelMetadata.Feature?) {
        name = port.name
        (width, height) = (axes.width, axes.height)
        channels = axes.channels
        isBlueFirst = metadata?.colourOrder == .bgr
        channelsLast = axes.channelsLast
        hasBatchAxis = axes.hasBatchAxis
        elementType = port.type
        // Integer inputs take bytes unchanged, floating-point inputs values from 0 to 1, unless the metadata says
        // otherwise.
        scale = metadata?.scale ?? SIMD3(repeating: port.type.isFloat ? 1 / 255 : 1)
        bias = metadata?.bias ?? .zero
    }
}
