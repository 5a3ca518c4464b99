import Foundation

/// Computes a feature print of 512 elements from the outputs of the backbone.
///
/// The logits are projected on the 256 principal directions of the weights of the network's thousand classes. The first
/// half of a print is the projection of the logits minus their mean over photos, divided by the square root of the
/// spread along each direction and normalised: it describes the content also where no class fits. The second half,
/// weighted, is the projection of the square roots of the softmax probabilities (Hellinger distance): it describes the
/// dominant classes. The whole has length 1, so that distances lie in 0…2.
///
/// In revision 3 the first half is a projection of the features instead: the last map's mean under a window about the
/// middle, on principal components. It describes content that no class fits better than the logits do.
///
/// `Documentation/Models.md` says how this was chosen; `Training/Print` makes the tables.
struct PrintProjection: Sendable {
    static let classes = 1000
    /// Elements of each half.
    static let half = 256

    /// Row by row, one a class.
    private let directions: [Float]
    private let firstScales: [Float]
    private let secondScales: [Float]
    private let offset: [Float]
    /// How the last map is pooled and projected; nil for revisions whose first half comes from the logits.
    fileprivate let pooling: Pooling?

    fileprivate struct Pooling {
        /// The weight of each position of the map.
        let window: [Float]
        /// Row by row, one a channel.
        let directions: [Float]
    }

    private static let first = try? PrintProjection(table: BinaryTable(builtIn: "print-1.table"))
    private static let second = try? PrintProjection(table: BinaryTable(builtIn: "print-2.table"))
    private static let third = try? PrintProjection(table: BinaryTable(builtIn: "print-3.table"), poolsFeatures: true)

    /// The projection of a revision; nil where there is none.
    static func of(revision: Int) -> PrintProjection? {
        switch revision {
        case 1: first
        case 2: second
        case 3: third
        default: nil
        }
    }

    /// - Parameter table: `directions`, a row for each class, and `first`, `second` and `offset`, a number for each
    ///   column.
    ///   With `poolsFeatures` also `window`, a number for each position of the last map, and `features`, a row for each
    ///   of its channels.
    /// - Throws: `WeightFileError` for a table that has other arrays.
    init(table: BinaryTable, poolsFeatures: Bool = false) throws(WeightFileError) {
        directions = try table.floats("directions", count: Self.classes * Self.half)
        firstScales = try table.floats("first", count: Self.half)
        secondScales = try table.floats("second", count: Self.half)
        offset = try table.floats("offset", count: Self.half)
        pooling =
            poolsFeatures
            ? Pooling(
                window: try table.floats("window"),
                directions: try table.floats("features", count: Backbone.featureCount * Self.half))
            : nil
    }

    /// Whether the projection reads the last map.
    var readsMap: Bool { pooling != nil }

    /// The print's elements.
    ///
    /// - Parameters:
    ///   - logits: A thousand numbers within ±10⁶.
    ///   - map: The last map, position by position; may be empty unless the projection reads it.
    /// - Returns: nil for a map that does not fit the projection's window.
    func elements(ofLogits logits: [Float], map: [Float] = []) -> [Float]? {
        precondition(logits.count == Self.classes)
        let most = logits.reduce(-.infinity, max)
        let powers = logits.map { exp(Double($0 - most)) }
        let sum = powers.reduce(0, +)
        let roots = powers.map { Float(($0 / sum).squareRoot()) }

        var first = [Float](repeating: 0, count: Self.half)
        var second = first
        if let pooling {
            guard let pooled = pooling.pooled(map) else { return nil }
            Self.add(pooled, times: pooling.directions, to: &first)
        } else {
            Self.add(logits, times: directions, to: &first)
        }
        Self.add(roots, times: directions, to: &second)
        for column in 0..<Self.half {
            first[column] = first[column] * firstScales[column] - offset[column]
            second[column] *= secondScales[column]
        }
        return Self.unit(Self.unit(first) + second)
    }

    /// Adds every row of the directions times its factor. Column by column in the order of the classes: the sums have
    /// the same bits on every machine.
    private static func add(_ factors: [Float], times directions: [Float], to sums: inout [Float]) {
        directions.withUnsafeBufferPointer { directions in
            sums.withUnsafeMutableBufferPointer { sums in
                for row in factors.indices {
                    let factor = factors[row]
                    let first = row * half
                    for column in 0..<half { sums[column] += factor * directions[first + column] }
                }
            }
        }
    }

    private static func unit(_ vector: [Float]) -> [Float] {
        let length = vector.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        return length > 1e-12 ? vector.map { Float(Double($0) / length) } : vector
    }
}

extension PrintProjection.Pooling {
    /// Returns the mean of each channel under the window; nil for a map of another size.
    fileprivate func pooled(_ map: [Float]) -> [Float]? {
        let channels = Backbone.featureCount
        guard map.count == window.count * channels else { return nil }
        var sums = [Float](repeating: 0, count: channels)
        for (position, weight) in window.enumerated() {
            for channel in 0..<channels { sums[channel] += weight * map[position * channels + channel] }
        }
        return sums
    }
}

extension PrintVector {
    /// The elements of a print of the scene networks.
    package static let sceneElementCount = 2 * PrintProjection.half

    /// What scores can be; no NaN among them.
    private static let scores: ClosedRange<Float> = -1e6...1e6

    /// Which backbone each revision of the prints reads.
    package static let backbones: [Int: Backbone.Revision] = [
        1: .efficientNetLite0, 2: .efficientNetLite2, 3: .efficientNetLite2,
    ]

    /// Whether a revision of the prints reads the maps of its backbone.
    package static func readsMaps(revision: Int) -> Bool { PrintProjection.of(revision: revision)?.readsMap ?? false }

    /// Creates the print of an image from the features of a backbone.
    ///
    /// - Parameter revision: The revision of the print; its backbone is the one that made the features.
    /// - Throws: `PrintError.impossible` where there is no print for these features: no such revision, another
    ///   backbone, or scores that are no numbers or beyond ±10⁶.
    package init(_ features: BackboneFeatures, revision: Int) throws(PrintError) {
        guard let projection = PrintProjection.of(revision: revision), Self.backbones[revision] == features.revision
        else {
            throw .impossible("There is no feature print of revision \(revision) for these features.")
        }
        guard features.logits.count == PrintProjection.classes, features.logits.allSatisfy(Self.scores.contains)
        else {
            throw .impossible("The scene network gave scores that no feature print can be made of.")
        }
        let map = features.map(.last)?.values ?? []
        guard map.allSatisfy(Self.scores.contains),
            let elements = projection.elements(ofLogits: features.logits, map: map)
        else { throw .impossible("The scene network gave maps that no feature print can be made of.") }
        try self.init(revision: revision, elements: elements)
    }
}
