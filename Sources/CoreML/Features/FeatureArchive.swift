/// The form in which a feature is stored in archives and JSON.
package struct FeatureArchive: Codable, Equatable, Sendable {
    private var type: Int
    private var isUndefined: Bool?
    private var int64: Int64?
    private var double: Double?
    private var string: String?
    private var array: Array?
    private var image: PackedImage?
    private var strings: [String]?
    private var integers: [Int64]?
    private var numbers: [Double]?

    private struct Array: Codable, Equatable, Sendable {
        let dataType: Int
        let shape: [Int]
        let data: Data
    }

    package init(_ value: MLFeatureValue) {
        type = value.type.rawValue
        switch value.content {
        case .int64(let value): int64 = value
        case .double(let value): double = value
        case .string(let value): string = value
        case .multiArray(let value):
            array = Array(dataType: value.dataType.rawValue, shape: value.layout.shape, data: value.packedData)
        case .dictionary(let value):
            let entries = value.sorted { "\($0.key)" < "\($1.key)" }
            if entries.allSatisfy({ $0.key.base is String }) {
                strings = entries.compactMap { $0.key.base as? String }
            } else {
                integers = entries.map { Int64("\($0.key)") ?? 0 }
            }
            numbers = entries.map(\.value.doubleValue)
        case .image(let value): image = PackedImage(value)
        case .sequence(let value):
            if value.type == .string {
                strings = value.stringValues
            } else {
                integers = value.int64Values.map(\.int64Value)
            }
        case .undefined: isUndefined = true
        }
    }

    /// Creates the feature; nil if the values are not those of a feature.
    package var value: MLFeatureValue? { content.map { MLFeatureValue($0) } }

    var content: MLFeatureValue.Content? {
        guard let type = MLFeatureType(rawValue: type) else { return nil }
        if isUndefined == true { return .undefined(type) }
        switch type {
        case .int64: return int64.map { .int64($0) }
        case .double: return double.map { .double($0) }
        case .string: return string.map { .string($0) }
        case .multiArray:
            guard let array, let dataType = MLMultiArrayDataType(rawValue: array.dataType),
                let value = MLMultiArray(lengths: array.shape, dataType: dataType, packedData: array.data)
            else { return nil }
            return .multiArray(value)
        case .image: return image?.pixelBuffer.map { .image($0) }
        case .dictionary: return dictionary.map { .dictionary($0) }
        case .sequence:
            if let strings { return .sequence(MLSequence(strings: strings)) }
            return integers.map { .sequence(MLSequence(int64s: $0.map { NSNumber(value: $0) })) }
        case .invalid, .state: return nil
        }
    }

    private var dictionary: [AnyHashable: NSNumber]? {
        guard let numbers else { return nil }
        let keys: [AnyHashable] = strings.map { $0.map { AnyHashable($0) } } ?? (integers ?? []).map { AnyHashable($0) }
        guard keys.count == numbers.count else { return nil }
        return Dictionary(zip(keys, numbers.map { NSNumber(value: $0) })) { first, _ in first }
    }
}

/// The pixels of a buffer without row padding, plane by plane.
package struct PackedImage: Codable, Equatable, Sendable {
    private let width: Int
    private let height: Int
    private let format: UInt32
    private let data: Data

    package init(_ buffer: CVPixelBuffer) {
        width = buffer.width
        height = buffer.height
        format = buffer.format
        var data = Data()
        for (plane, layout) in zip(buffer.planes, buffer.layout.planes) {
            for row in 0..<plane.height {
                data.append(
                    (plane.address + row * plane.rowBytes).assumingMemoryBound(to: UInt8.self),
                    count: plane.width * layout.bytesPerElement)
            }
        }
        self.data = data
    }

    /// Creates a buffer with these pixels; nil for the wrong number of bytes.
    package var pixelBuffer: CVPixelBuffer? {
        guard let layout = PixelFormatLayout(format), width > 0, height > 0,
            (try? ImageLimits.check(width: width, height: height)) != nil, data.count >= width * height
        else { return nil }
        var made: CVPixelBuffer?
        guard CVPixelBufferCreate(nil, width, height, format, nil, &made) == kCVReturnSuccess, let made else {
            return nil
        }
        let rows = zip(made.planes, layout.planes).map { ($0, $0.width * $1.bytesPerElement) }
        guard data.count == rows.reduce(0, { $0 + $1.0.height * $1.1 }) else { return nil }
        data.withUnsafeBytes { bytes in
            guard var source = bytes.baseAddress else { return }
            for (plane, rowLength) in rows {
                for row in 0..<plane.height {
                    (plane.address + row * plane.rowBytes).copyMemory(from: source, byteCount: rowLength)
                    source += rowLength
                }
            }
        }
        return made
    }
}
