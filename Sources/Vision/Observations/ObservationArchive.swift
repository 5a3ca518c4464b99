package import CoreML

/// The values of an observation by name, in the form in which they are stored in archives and JSON.
///
/// An archive is one property list under one key: whatever its bytes are, reading it gives values of known types or
/// nothing, and no decoder is asked for another type.
package struct ObservationArchive: Equatable, Sendable {
    package enum Value: Equatable, Sendable, Codable {
        case number(Double)
        case integer(Int)
        case text(String)
        case numbers([Double])
        case integers([Int64])
        case texts([String])
        case feature(FeatureArchive)
        case image(PackedImage)
    }

    package private(set) var values: [String: Value]

    package init(values: [String: Value] = [:]) { self.values = values }

    // MARK: - Coders

    private static let key = "VNObservation"

    init?(from coder: NSCoder) {
        if let coder = coder as? ArchiveCoder {
            self = coder.archive
            return
        }
        guard coder.allowsKeyedCoding, coder.containsValue(forKey: Self.key),
            let data = coder.decodeObject(of: NSData.self, forKey: Self.key),
            let values = try? PropertyListDecoder().decode([String: Value].self, from: data as Data)
        else { return nil }
        self.values = values
    }

    /// A coder that hands these values to `init(coder:)`.
    var coder: NSCoder { ArchiveCoder(self) }

    func write(to coder: NSCoder) {
        let encoder = PropertyListEncoder()
        encoder.outputFormat = .binary
        // Numbers and strings always encode.
        guard let data = try? encoder.encode(values) else { return }
        coder.encode(data as NSData, forKey: Self.key)
    }

    // MARK: - Values

    /// Adds the values of a component, each under the component's name and its own.
    mutating func set(_ part: String, _ values: ObservationArchive) {
        for (key, value) in values.values { self.values["\(part).\(key)"] = value }
    }

    /// Returns the values of a component; nil without any.
    func part(_ name: String) -> ObservationArchive? {
        let prefix = "\(name)."
        let some = values.filter { $0.key.hasPrefix(prefix) }
        guard !some.isEmpty else { return nil }
        return ObservationArchive(
            values: Dictionary(
                some.map { (String($0.key.dropFirst(prefix.count)), $0.value) }, uniquingKeysWith: { first, _ in first }
            ))
    }

    mutating func set(_ key: String, _ value: Value) { values[key] = value }

    mutating func set(_ key: String, _ value: Double) { values[key] = .number(value) }

    mutating func set(_ key: String, _ value: Int) { values[key] = .integer(value) }

    mutating func set(_ key: String, _ value: UUID) { values[key] = .text(value.uuidString) }

    mutating func set(_ key: String, _ value: CGPoint) { values[key] = .numbers([value.x, value.y].map(Double.init)) }

    mutating func set(_ key: String, _ value: [CGPoint]) {
        values[key] = .numbers(value.flatMap { [Double($0.x), Double($0.y)] })
    }

    mutating func set(_ key: String, _ value: CGRect) {
        values[key] = .numbers(
            [value.origin.x, value.origin.y, value.size.width, value.size.height].map(Double.init))
    }

    mutating func set(_ key: String, _ value: CGAffineTransform) {
        values[key] = .numbers([value.a, value.b, value.c, value.d, value.tx, value.ty].map(Double.init))
    }

    mutating func set(_ key: String, _ value: CMTimeRange) {
        let times = [value.start, value.duration]
        values[key] = .integers(times.flatMap { [$0.value, Int64($0.timescale), Int64($0.flags.rawValue), $0.epoch] })
    }

    mutating func set(_ key: String, _ value: String) { values[key] = .text(value) }

    mutating func set(_ key: String, _ value: [Double]) { values[key] = .numbers(value) }

    mutating func set(_ key: String, _ value: [Int64]) { values[key] = .integers(value) }

    mutating func set(_ key: String, _ value: [String]) { values[key] = .texts(value) }

    mutating func set(_ key: String, _ value: MLFeatureValue) { values[key] = .feature(FeatureArchive(value)) }

    mutating func set(_ key: String, _ value: CVPixelBuffer) { values[key] = .image(PackedImage(value)) }

    func number(_ key: String) -> Double? {
        switch values[key] {
        case .number(let value) where value.isFinite: value
        // Text formats write whole numbers without a fraction.
        case .integer(let value): Double(value)
        default: nil
        }
    }

    func integer(_ key: String) -> Int? {
        guard case .integer(let value) = values[key] else { return nil }
        return value
    }

    /// Returns integers; also accepts an empty array of another type, as `texts` does.
    func integers(_ key: String) -> [Int64]? {
        switch values[key] {
        case .integers(let values): values
        case .numbers(let values) where values.isEmpty: []
        case .texts(let values) where values.isEmpty: []
        default: nil
        }
    }

    func text(_ key: String) -> String? {
        guard case .text(let value) = values[key] else { return nil }
        return value
    }

    /// Returns strings; also accepts an empty array of another type, because text formats do not store the type of an
    /// empty array.
    func texts(_ key: String) -> [String]? {
        switch values[key] {
        case .texts(let values): values
        case .numbers(let values) where values.isEmpty: []
        case .integers(let values) where values.isEmpty: []
        default: nil
        }
    }

    func feature(_ key: String) -> MLFeatureValue? {
        guard case .feature(let value) = values[key] else { return nil }
        return value.value
    }

    func image(_ key: String) -> CVPixelBuffer? {
        guard case .image(let value) = values[key] else { return nil }
        return value.pixelBuffer
    }

    func uuid(_ key: String) -> UUID? {
        guard case .text(let value) = values[key] else { return nil }
        return UUID(uuidString: value)
    }

    func point(_ key: String) -> CGPoint? {
        guard let numbers = numbers(key, count: 2) else { return nil }
        return CGPoint(x: numbers[0], y: numbers[1])
    }

    /// Returns `count` points with finite coordinates.
    func points(_ key: String, count: Int) -> [CGPoint]? {
        guard let numbers = numbers(key, count: 2 * count) else { return nil }
        return (0..<count).map { CGPoint(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) }
    }

    func rect(_ key: String) -> CGRect? {
        guard let numbers = numbers(key, count: 4) else { return nil }
        return CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3])
    }

    func transform(_ key: String) -> CGAffineTransform? {
        guard let numbers = numbers(key, count: 6) else { return nil }
        return CGAffineTransform(
            a: numbers[0], b: numbers[1], c: numbers[2], d: numbers[3], tx: numbers[4], ty: numbers[5])
    }

    func timeRange(_ key: String) -> CMTimeRange? {
        guard case .integers(let parts) = values[key], parts.count == 8, let start = Self.time(parts[0..<4]),
            let duration = Self.time(parts[4..<8])
        else { return nil }
        return CMTimeRange(start: start, duration: duration)
    }

    private static func time(_ parts: ArraySlice<Int64>) -> CMTime? {
        let parts = Array(parts)
        guard let timescale = Int32(exactly: parts[1]), let flags = UInt32(exactly: parts[2]) else { return nil }
        return CMTime(value: parts[0], timescale: timescale, flags: CMTimeFlags(rawValue: flags), epoch: parts[3])
    }

    /// Returns `count` finite numbers.
    func numbers(_ key: String, count: Int) -> [Double]? {
        let numbers: [Double]
        switch values[key] {
        case .numbers(let values): numbers = values
        case .integers(let values): numbers = values.map(Double.init)
        default: return nil
        }
        return numbers.count == count && numbers.allSatisfy(\.isFinite) ? numbers : nil
    }
}

/// Carries values that are already read, from class to superclass and from text formats.
///
/// `init(coder:)` is the only initialiser that every class must have: subclasses in other modules have to be able to
/// call it.
private final class ArchiveCoder: NSCoder {
    let archive: ObservationArchive

    init(_ archive: ObservationArchive) { self.archive = archive }
}

/// A class whose objects are stored and compared by their values.
protocol ArchivableValues: NSObject, NSSecureCoding {
    /// Adds the values of the class.
    func encode(into archive: inout ObservationArchive)
}

extension ArchivableValues {
    /// Reads the values of an archive; nil if one is missing or invalid.
    init?(archive: ObservationArchive) { self.init(coder: archive.coder) }

    /// Returns all values by name.
    func archive() -> ObservationArchive {
        var values = ObservationArchive()
        encode(into: &values)
        return values
    }

    /// Whether the other object has the same class and the same values.
    func hasValues(of object: Any?) -> Bool {
        guard let other = object as? Self, type(of: other) == type(of: self) else { return false }
        return other === self || other.archive() == archive()
    }
}
