import Foundation
package import VisionImage

/// Finds hands: palms in the whole region, and the joints of each in a crop turned with it.
///
/// A hand that fills the image has a larger palm than the palm network was trained for. So where that finds nothing, it
/// runs again on the region reduced within a black margin.
package struct HandFinder: Sendable {
    /// The largest number of crops that are tried for each hand that is wanted.
    private static let triesPerHand = 2
    /// The longer side of the region in the palm network's input, in pixels, in the order in which they are tried.
    private static let spans = [PalmNetwork.side, 128]
    /// The lowest presence of a hand.
    private static let leastPresence = 0.5
    /// Hands nearer than this are one (`HandPose.distance`).
    private static let sameDistance = 0.08
    /// The largest side of a crop relative to the region: a larger one shows little of a hand.
    private static let largestCrop = 8.0

    private let palms: PalmNetwork
    private let hands: HandNetwork

    /// - Throws: `ModelStoreError`.
    package init() throws {
        palms = try .shared()
        hands = try .shared()
    }

    /// Returns the hands of a region, those of the most certain palms first.
    ///
    /// - Parameters:
    ///   - region: The region of the image that may be read.
    ///   - maximumCount: The largest number of hands, at least 1.
    ///   - threads: The maximum number of threads of a network; nil for all. Results do not depend on it.
    ///   - willRun: Called before each run of a network; may throw to end the search.
    ///   - pixels: Makes parts of the image.
    package func hands(
        in region: PixelRegion, maximumCount: Int, threads: Int? = nil, willRun: () throws -> Void = {},
        pixels: @escaping (Derivative) throws -> Raster
    ) throws -> [HandPose] {
        var found: [HandPose] = []
        for span in Self.spans {
            try willRun()
            let view = PalmView(region: region, span: span)
            let candidates = try palms.palms(in: view.pixels(pixels), threads: threads).map(view.imagePalm)
            for palm in candidates.prefix(Self.triesPerHand * maximumCount) where found.count < maximumCount {
                guard let crop = palm.crop(size: HandNetwork.side),
                    crop.extent.x <= Self.largestCrop * max(region.width, region.height),
                    let closeUp = try CloseUp(around: crop, in: region, pixels: pixels)
                else { continue }
                try willRun()
                guard let hand = try hands.hand(of: crop, pixels: try closeUp.pixels(of: crop), threads: threads),
                    hand.presence >= Self.leastPresence,
                    found.allSatisfy({ $0.distance(to: hand) >= Self.sameDistance })
                else { continue }
                found.append(hand)
            }
            if !found.isEmpty { break }
        }
        return found
    }
}

/// The input of the palm network: a region, scaled evenly and centred in black.
private struct PalmView {
    let region: PixelRegion
    private let width: Int
    private let height: Int
    private var left: Int { (PalmNetwork.side - width) / 2 }
    private var top: Int { (PalmNetwork.side - height) / 2 }

    /// - Parameter span: The longer side of the region in the input.
    init(region: PixelRegion, span: Int) {
        self.region = region
        let scale = Double(span) / max(region.width, region.height)
        width = min(span, max(1, Int((region.width * scale).rounded())))
        height = min(span, max(1, Int((region.height * scale).rounded())))
    }

    func pixels(_ pixels: (Derivative) throws -> Raster) throws -> Raster {
        try pixels(Derivative(region: region, width: width, height: height, format: .rgb8))
            .padded(toWidth: PalmNetwork.side, height: PalmNetwork.side, x: left, y: top)
    }

    /// Returns a palm of the input in pixels of the image.
    func imagePalm(_ palm: FoundPalm) -> FoundPalm {
        let scale = SIMD2(region.width / Double(width), region.height / Double(height))
        func point(_ point: SIMD2<Double>) -> SIMD2<Double> {
            SIMD2(region.x, region.y) + (point - SIMD2(Double(left), Double(top))) * scale
        }
        return FoundPalm(
            centre: point(palm.centre), size: palm.size * scale, wrist: point(palm.wrist),
            middleBase: point(palm.middleBase), score: palm.score)
    }
}
