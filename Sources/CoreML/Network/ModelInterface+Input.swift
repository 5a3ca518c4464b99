import VisionInference

extension ModelInterface.Input {
    /// - Parameter isOnlyOne: Whether the network has no other input.
    /// - Throws: `MLModelError.generic` if the metadata does not match the network's input.
    init(port: Graph.Port, isOnlyOne: Bool, metadata: ModelMetadata.Feature?) throws {
        self.port = port
        defaultValue = metadata?.defaultValue
        func unusable(_ reason: String) -> MLModelError {
            MLModelError(.generic, "The metadata of the input “\(port.name)” does not fit: \(reason).")
        }
        let open = port.shape ?? []
        switch metadata?.kind {
        case .image:
            guard let image = try ImageInput(port, metadata) else {
                let text = open.map { $0.map(String.init) ?? "?" }.joined(separator: " × ")
                throw unusable("its shape \(text) is not that of an image with 1 or 3 channels")
            }
            kind = .image(image)
            shape = image.shape
        case .number, .integer:
            guard open.allSatisfy({ $0 == 1 || $0 == nil }) else { throw unusable("it is more than one number") }
            kind = metadata?.kind == .integer ? .integer : .number
            shape = open.map { _ in 1 }
        case .array:
            kind = .array
            shape = open
        case nil:
            if port.type.isFloat || port.type == .uint8, let image = try ImageInput(port, metadata), image.hasBatchAxis,
                Self.isNamedLikeAnImage(port.name) || isOnlyOne && image.channels == 3
            {
                kind = .image(image)
                shape = image.shape
            } else if port.shape?.isEmpty == true {
                kind = port.type.isFloat ? .number : .integer
                shape = []
            } else {
                kind = .array
                shape = open
            }
        }
    }

    /// Without metadata, an input with the shape of an image counts as an image if its name suggests it, or if it is a
    /// colour image and the network's only input.
    private static func isNamedLikeAnImage(_ name: String) -> Bool {
        let lower = name.lowercased()
        return ["image", "img", "input", "data", "pixel", "photo", "picture"].contains { lower.contains($0) }
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
    /// nil if the shape is not that of an image with 1 or 3 channels.
    init?(_ port: Graph.Port, _ metadata: ModelMetadata.Feature?) throws {
        guard let shape = port.shape, shape.count == 3 || shape.count == 4 else { return nil }
        let axes = Array(shape.suffix(3))
        if shape.count == 4, let batch = shape[0], batch != 1 { return nil }
        let wanted: Int? = metadata?.colourOrder.map { $0 == .grey ? 1 : 3 }
        func counts(_ length: Int?) -> Bool { length == 1 || length == 3 }
        let last: Bool
        switch metadata?.layout {
        case .channelsFirst: last = false
        case .channelsLast: last = true
        case nil:
            // An image one pixel wide is rarer than one with channels last.
            guard counts(axes[0]) || counts(axes[2]) else { return nil }
            last = counts(axes[2]) && (!counts(axes[0]) || axes[0] == 1 && axes[2] == 3)
        }
        guard let channels = (last ? axes[2] : axes[0]) ?? wanted, counts(channels),
            wanted == nil || channels == wanted
        else { return nil }
        name = port.name
        let sides = last ? (axes[0], axes[1]) : (axes[1], axes[2])
        height = sides.0 ?? metadata?.height
        width = sides.1 ?? metadata?.width
        for (own, stated) in [(sides.0, metadata?.height), (sides.1, metadata?.width)] {
            if let own, let stated, own != stated {
                throw MLModelError(
                    .generic,
                    "The metadata gives the input “\(port.name)” a side of \(stated) pixels; the network's has \(own).")
            }
        }
        for side in [height, width] {
            if let side, !(1...MLImageConstraint.longestSide).contains(side) { return nil }
        }
        self.channels = channels
        isBlueFirst = metadata?.colourOrder == .bgr
        channelsLast = last
        hasBatchAxis = shape.count == 4
        elementType = port.type
        // Integer inputs take bytes unchanged, floating-point inputs values from 0 to 1, unless the metadata says
        // otherwise.
        scale = metadata?.scale ?? SIMD3(repeating: port.type.isFloat ? 1 / 255 : 1)
        bias = metadata?.bias ?? .zero
    }

    /// Returns the shape of the network's input; nil for a side of any length.
    var shape: [Int?] {
        let sides: [Int?] = channelsLast ? [height, width, channels] : [channels, height, width]
        return hasBatchAxis ? [1] + sides : sides
    }
}
