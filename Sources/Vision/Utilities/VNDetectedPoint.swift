import Foundation

/// A point that was detected, with a confidence. Immutable.
open class VNDetectedPoint: VNPoint, @unchecked Sendable {
    /// How likely the point is where it is stated, 0…1.
    public final let confidence: VNConfidence

    init(x: Double, y: Double, confidence: VNConfidence) {
        self.confidence = confidence
        super.init(x: x, y: y)
    }

    /// Points are equal if their coordinates, confidences and classes are.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? VNDetectedPoint else { return false }
        return super.isEqual(object) && confidence == other.confidence
    }

    open override var description: String { "\(super.description) confidence=\(confidence)" }

    /// Reads an archived point; nil if a value is missing.
    public required init?(coder: NSCoder) {
        guard coder.containsValue(forKey: "confidence") else { return nil }
        confidence = coder.decodeFloat(forKey: "confidence")
        super.init(coder: coder)
    }

    open override func encode(with coder: NSCoder) {
        super.encode(with: coder)
        coder.encode(confidence, forKey: "confidence")
    }
}
