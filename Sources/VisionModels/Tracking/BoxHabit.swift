import Foundation
import VisionImage

/// How the network's boxes of a target differ from the box that was given for it, and what is given for one of them.
struct BoxHabit: Sendable {
    /// Of the middle, in parts of the box.
    private let shiftX: Double
    private let shiftY: Double
    /// Logarithms of what a box is larger by.
    private let width: Double
    private let height: Double

    /// Sizes beyond this factor are no habit but a failure.
    private static let most = log(1.35)

    init(of finds: [PixelRegion], given: PixelRegion, strength: Double) {
        func usual(_ value: (PixelRegion) -> Double, limit: Double) -> Double {
            let values = finds.map(value).filter(\.isFinite).sorted()
            guard !values.isEmpty else { return 0 }
            return strength * min(max(values[values.count / 2], -limit), limit)
        }
        width = usual({ log($0.width / given.width) }, limit: Self.most)
        height = usual({ log($0.height / given.height) }, limit: Self.most)
        shiftX = usual({ ($0.x + $0.width / 2 - given.x - given.width / 2) / $0.width }, limit: 0.2)
        shiftY = usual({ ($0.y + $0.height / 2 - given.y - given.height / 2) / $0.height }, limit: 0.2)
    }

    /// The network's box for a target of this size.
    func expected(width: Double, height: Double) -> (width: Double, height: Double) {
        (width * exp(self.width), height * exp(self.height))
    }

    /// What would be given for one of the network's boxes.
    func given(_ x: Double, _ y: Double, _ width: Double, _ height: Double) -> (
        x: Double, y: Double, width: Double, height: Double
    ) { (x - shiftX * width, y - shiftY * height, width * exp(-self.width), height * exp(-self.height)) }
}
