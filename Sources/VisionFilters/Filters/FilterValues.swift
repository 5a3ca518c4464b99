import Foundation
import VisionImage

/// The values of a filter's inputs, as the types that its formula needs. Numbers that are not finite count as absent.
struct FilterValues {
    let values: [String: Any]
    let defaults: [String: Any]

    private func value(_ key: String) -> Any? { values[key] ?? defaults[key] }

    func image(_ key: String = kCIInputImageKey) -> CIImage? { values[key] as? CIImage }

    /// A number, limited to a range.
    func number(_ key: String, _ range: ClosedRange<Double> = -1e6...1e6) -> Double {
        let given = values[key].flatMap(Self.double) ?? defaults[key].flatMap(Self.double) ?? 0
        return min(max(given, range.lowerBound), range.upperBound)
    }

    static func double(_ value: Any) -> Double? {
        let number: Double? =
            switch value {
            case let value as Double: value
            case let value as Float: Double(value)
            case let value as CGFloat: Double(value)
            case let value as Int: Double(value)
            case let value as NSNumber: value.doubleValue
            default: nil
            }
        return number.flatMap { $0.isFinite ? $0 : nil }
    }

    func vector(_ key: String) -> CIVector? {
        switch value(key) {
        case let value as CIVector: value
        case let value as CGPoint: CIVector(cgPoint: value)
        case let value as CGRect: CIVector(cgRect: value)
        default: nil
        }
    }

    func rect(_ key: String) -> CGRect? { vector(key)?.cgRectValue }

    /// A point whose coordinates are finite.
    func point(_ key: String) -> SIMD2<Double>? {
        guard let vector = vector(key) else { return nil }
        let point = SIMD2(Double(vector.x), Double(vector.y))
        return point.x.magnitude < 1e9 && point.y.magnitude < 1e9 ? point : nil
    }

    /// The four numbers of a vector; those that are not finite are zero.
    func coefficients(_ key: String) -> SIMD4<Float> {
        guard let vector = vector(key) else { return .zero }
        let numbers = SIMD4(Float(vector.x), Float(vector.y), Float(vector.z), Float(vector.w))
        return SIMD4(
            numbers.x.isFinite ? numbers.x : 0, numbers.y.isFinite ? numbers.y : 0,
            numbers.z.isFinite ? numbers.z : 0, numbers.w.isFinite ? numbers.w : 0)
    }

    /// A colour, multiplied by its alpha.
    func colour(_ key: String) -> FloatImage.Pixel {
        let colour = value(key) as? CIColor ?? (value(key) as? CGColor).map(CIColor.init(cgColor:)) ?? .black
        func limited(_ part: CGFloat) -> Float { part.isFinite ? Float(min(max(part, -1e3), 1e3)) : 0 }
        let pixel = FloatImage.Pixel(
            limited(colour.red), limited(colour.green), limited(colour.blue), min(max(limited(colour.alpha), 0), 1))
        return pixel.premultiplied
    }

    func transform(_ key: String) -> CGAffineTransform {
        switch value(key) {
        case let value as CGAffineTransform: value
        case let value as CIVector: value.cgAffineTransformValue
        case let value as AffineTransform:
            CGAffineTransform(a: value.m11, b: value.m12, c: value.m21, d: value.m22, tx: value.tX, ty: value.tY)
        default: .identity
        }
    }

    func data(_ key: String) -> Data? {
        switch value(key) {
        case let value as Data: value
        case let value as NSData: Data(referencing: value)
        default: nil
        }
    }

    func text(_ key: String) -> String? {
        switch value(key) {
        case let value as String: value
        case let value as NSString: "\(value)"
        default: nil
        }
    }
}
