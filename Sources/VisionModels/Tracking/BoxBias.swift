import Foundation
import VisionImage

/// The bias of the network's boxes of a target against the box that was given for it, and its correction.
struct BoxBias: Sendable {
    /// The bias of the centre, relative to the size of the network's box.
    private let shiftX: Double
    private let shiftY: Double
    /// The logarithms of the ratios of the sides.
    private let width: Double
    private let height: Double

    /// Ratios beyond this are failures of the network rather than a bias.
    private static let maximumLogRatio = log(1.35)

    /// - Parameters:
    ///   - boxes: The network's boxes in the first frame.
    ///   - given: The box that was given in the first frame.
    ///   - strength: The share of the bias that is corrected, 0 … 1.
    init(of boxes: [PixelRegion], given: PixelRegion, strength: Double) {
        func median(_ value: (PixelRegion) -> Double, limit: Double) -> Double {
            let values = boxes.map(value).filter(\.isFinite).sorted()
            guard !values.isEmpty else { return 0 }
            return strength * min(max(values[values.count / 2], -limit), limit)
        }
        width = median({ log($0.width / given.width) }, limit: Self.maximumLogRatio)
        height = median({ log($0.height / given.height) }, limit: Self.maximumLogRatio)
        shiftX = median({ ($0.x + $0.width / 2 - given.x - given.width / 2) / $0.width }, limit: 0.2)
        shiftY = median({ ($0.y + $0.height / 2 - given.y - given.height / 2) / $0.height }, limit: 0.2)
    }

    /// Returns the size of the network's box for a target of this size.
    func expected(width: Double, height: Double) -> (width: Double, height: Double) {
        (width * exp(self.width), height * exp(self.height))
    }

    /// Returns one of the network's boxes, corrected for the bias: its centre and size.
    func given(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> (
        x: Double, y: Double, width: Double, height: Double
    ) { (x - shiftX * width, y - shiftY * height, width * exp(-self.width), height * exp(-self.height)) }
}
