package import VisionAlgorithms
package import VisionImage
import VisionInference
import VisionThreads

/// The networks of the rectangle detector, ready to run.
///
/// The proposal network processes the whole image and proposes quads: a cell at the centre of a rectangular object
/// predicts its four corners (as in Zhou et al., "Objects as points", 2019). Two networks process a quad rectified to a
/// square with its surroundings: the refinement network proposes outlines that the quad is far from, the verifier
/// scores whether the quad is an outline and predicts offsets of the corners. They were trained on rendered scenes
/// (Training/Rectangles).
package final class RectangleNetworks: Sendable {
    /// The side of the proposal network's input in pixels, its stride, and its number of cells along a side.
    package static let proposalSide = 160
    private static let step = 8
    package static let cells = proposalSide / step
    /// The unit of a corner's offset from the centre of its cell, in pixels.
    private static let offsetUnit = 80.0
    /// The side of the crop of a quad, and its margin around the quad on each side, in pixels.
    package static let cropSide = 64
    package static let verifierMargin = 11
    package static let refinementMargin = 18
    /// The number of the verifier's outputs: two logits and eight offsets.
    private static let verifierNumbers = 10
    /// The number of outlines that the refinement network proposes, and of the outputs for each: its relative logit and
    /// eight offsets.
    package static let outlines = 3
    private static let outlineNumbers = 9

    private let proposer: Session
    private let verifier: Session
    private let refinement: Session

    /// The batch sizes that the networks are prepared for.
    private static let batches = (small: 8, large: 32)
    /// More threads would be idle most of the time.
    private static let mostThreads = 8

    /// - Parameter network: Returns one of the built-in networks.
    /// - Throws: `ModelStoreError`, `ModelError`.
    init(_ network: (BuiltInNetwork) throws -> Graph = { try NetworkFile.graph($0.data()) }) throws {
        let options = Session.Options(threads: min(Processors.count, Self.mostThreads))
        let (side, cells) = (Self.proposalSide, Self.cells)
        proposer = try Session(graph: network(.rectangleProposals), options: options)
        try proposer.expect(inputs: [[1, side, side, 3]], outputs: [[1, 1, cells, cells], [1, 8, cells, cells]])
        verifier = try Session(graph: network(.rectangleVerifier), options: options)
        refinement = try Session(graph: network(.rectangleRefinement), options: options)
        for (session, numbers) in [
            (verifier, Self.verifierNumbers), (refinement, Self.outlines * Self.outlineNumbers),
        ] {
            try session.expect(inputs: [[nil, Self.cropSide, Self.cropSide, 3]], outputs: [[nil, numbers]])
        }
    }

    /// The networks of this process.
    ///
    /// - Throws: `ModelStoreError`.
    package static func shared() throws -> RectangleNetworks {
        try ModelRegistry.shared.network(.rectangleProposals) { try RectangleNetworks() }
    }

    /// A proposal of the proposal network: the approximate outline of an object.
    package struct Proposal: Sendable {
        /// In pixels of the image.
        package var quad: PlanarQuad
        /// The logit of an object's centre in the cell.
        package var score: Double
    }

    /// The outputs of the verifier for a quad.
    package struct Verdict: Sendable {
        /// The logits of an object's outline being near the quad, and of the quad being the outline.
        package var near: Double
        package var exact: Double
        /// The quad corrected by the offsets; nil where that is not a valid quad.
        package var moved: PlanarQuad?
    }

    /// Returns the proposals for an image of bytes with at least the score `least`, by falling score.
    ///
    /// - Parameter threads: The maximum number of threads; nil for all. The result does not depend on it.
    package func proposals(in image: Raster, least: Double, threads: Int? = nil) throws -> [Proposal] {
        let side = Self.proposalSide
        let scale = Double(side) / Double(max(image.width, image.height))
        func length(_ pixels: Int) -> Int {
            min(max(Int((Double(pixels) * scale).rounded(.toNearestOrEven)), 1), side)
        }
        let (width, height) = (length(image.width), length(image.height))
        let (left, top) = ((side - width) / 2, (side - height) / 2)
        let small = try image.resized(width: width, height: height, filter: .area)
        return try proposer.run(shapes: [[1, side, side, 3]], threads: threads) { _, input in
            let floats: UnsafeMutableBufferPointer<Float> = input.elements()
            for index in floats.indices { floats[index] = 0 }
            try small.writeInterleaved(
                to: .init(rebasing: floats[(3 * (top * side + left))...]), rowFloats: 3 * side, scale: 1 / 128, bias: -1
            )
        } read: { outputs in
            let scores: UnsafeMutableBufferPointer<Float> = outputs[0].elements()
            let corners: UnsafeMutableBufferPointer<Float> = outputs[1].elements()
            let cells = Self.cells * Self.cells
            precondition(scores.count == cells && corners.count == 8 * cells)
            let selected = (0..<cells).filter { Double(scores[$0]) >= least }.sorted {
                scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1
            }
            return selected.map { cell in
                func coordinate(_ number: Int, _ index: Int, _ margin: Int) -> Double {
                    let middle = (Double(index) + 0.5) * Double(Self.step)
                    let offset = Double(corners[number * cells + cell]) * Self.offsetUnit
                    return (middle + offset - Double(margin)) / scale
                }
                func corner(_ number: Int) -> PlanarPoint {
                    PlanarPoint(
                        x: coordinate(2 * number, cell % Self.cells, left),
                        y: coordinate(2 * number + 1, cell / Self.cells, top))
                }
                let quad = PlanarQuad(
                    topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
                return Proposal(quad: quad, score: Double(scores[cell]))
            }
        }
    }

    /// Returns the source of the crops for the verifier and the refinement network.
    package static func crops(of image: Raster) throws -> QuadCrops {
        try QuadCrops(image, side: Self.cropSide)
    }

    /// Returns the verifier's outputs for quads, in their order; nil for those that are not a perspective view of a
    /// rectangle.
    ///
    /// - Parameter willRun: Called before each run; an error that it throws ends the search.
    package func verdicts(
        on quads: [PlanarQuad], in crops: QuadCrops, threads: Int? = nil, willRun: () throws -> Void = {}
    ) throws -> [Verdict?] {
        let answers = try answers(for: quads, crops, verifier, margin: Self.verifierMargin, threads, willRun)
        return answers.map { answer in
            guard let (map, numbers) = answer, numbers.allSatisfy(\.isFinite) else { return nil }
            return Verdict(near: numbers[0], exact: numbers[1], moved: Self.moved(map, by: numbers[2...], most: 0.45))
        }
    }

    /// Returns the outlines that the refinement network proposes near each quad, most likely first.
    ///
    /// - Parameter willRun: Called before each run; an error that it throws ends the search.
    package func outlines(
        of quads: [PlanarQuad], in crops: QuadCrops, threads: Int? = nil, willRun: () throws -> Void = {}
    ) throws -> [[PlanarQuad]] {
        let answers = try answers(for: quads, crops, refinement, margin: Self.refinementMargin, threads, willRun)
        return answers.map { answer in
            guard let (map, numbers) = answer, numbers.allSatisfy(\.isFinite) else { return [] }
            let starts = (0..<Self.outlines).map { $0 * Self.outlineNumbers }
            return starts.sorted { numbers[$0] != numbers[$1] ? numbers[$0] > numbers[$1] : $0 < $1 }.compactMap {
                Self.moved(map, by: numbers[($0 + 1)..<($0 + Self.outlineNumbers)], most: 0.85)
            }
        }
    }

    /// Returns the outputs of a network for each quad; nil for quads that are not a perspective view of a rectangle.
    private func answers(
        for quads: [PlanarQuad], _ crops: QuadCrops, _ network: Session, margin: Int, _ threads: Int?,
        _ willRun: () throws -> Void
    ) throws -> [(map: Homography, numbers: [Double])?] {
        var result = [(map: Homography, numbers: [Double])?](repeating: nil, count: quads.count)
        let maps = quads.enumerated().compactMap { index, quad in
            Homography(squareTo: quad).map { (index: index, map: $0) }
        }
        let side = Self.cropSide
        var rest = maps[...]
        while !rest.isEmpty {
            // Empty slots of a batch cost as much as others.
            let batch = rest.count > Self.batches.large - Self.batches.small ? Self.batches.large : Self.batches.small
            let part = rest.prefix(batch)
            rest = rest.dropFirst(batch)
            try willRun()
            let found = try network.run(shapes: [[batch, side, side, 3]], threads: threads) { _, input in
                let floats: UnsafeMutableBufferPointer<Float> = input.elements()
                let size = 3 * side * side
                // First, not last: a function that can throw must not end in a fill (HACKING.md, A miscompilation).
                for index in part.count * size..<floats.count { floats[index] = 0 }
                for (slot, entry) in part.enumerated() {
                    crops.write(
                        entry.map, margin: margin, to: .init(rebasing: floats[slot * size..<(slot + 1) * size]))
                }
            } read: { outputs in
                let numbers: UnsafeMutableBufferPointer<Float> = outputs[0].elements()
                let count = numbers.count / batch
                return part.indices.map { index in
                    numbers[(index - part.startIndex) * count..<(index - part.startIndex + 1) * count].map(Double.init)
                }
            }
            for (entry, numbers) in zip(part, found) { result[entry.index] = (entry.map, numbers) }
        }
        return result
    }

    /// Returns a quad with its corners moved by offsets; nil where that is not a valid quad.
    ///
    /// - Parameters:
    ///   - map: The square from -1 to 1 to the quad.
    ///   - offsets: The offsets of its corners, in sides of the square.
    ///   - most: The largest offset that the network was trained on; larger ones are limited to it.
    private static func moved(_ map: Homography, by offsets: ArraySlice<Double>, most: Double) -> PlanarQuad? {
        func corner(_ number: Int, _ x: Double, _ y: Double) -> PlanarPoint {
            func offset(_ index: Int) -> Double { 2 * min(max(offsets[offsets.startIndex + index], -most), most) }
            return map.apply(x + offset(2 * number), y + offset(2 * number + 1))
        }
        let moved = PlanarQuad(
            topLeft: corner(0, -1, -1), topRight: corner(1, 1, -1), bottomRight: corner(2, 1, 1),
            bottomLeft: corner(3, -1, 1))
        return Homography(squareTo: moved) != nil ? moved : nil
    }
}
