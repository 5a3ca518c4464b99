import Foundation
package import VisionAlgorithms
package import VisionImage
import VisionInference
import VisionThreads

/// The networks of the search for rectangles, ready to run.
///
/// The proposal network sees the whole image and tells where rectangular things are, about: a cell in the middle of one
/// says where its four corners lie (as in Zhou et al., "Objects as points", 2019). Two see a quad brought to a square
/// with what is around it: the refinement network proposes where the outline of a thing is that the quad is far from,
/// the verifier tells whether the quad is the outline, and where the corners are rather. They were trained on rendered
/// scenes (Training/Rectangles).
package final class RectangleNetworks: Sendable {
    /// Rows and columns of the image that the proposal network sees, pixels of it for each cell, and cells along an
    /// edge.
    package static let proposalSide = 160
    private static let step = 8
    package static let cells = proposalSide / step
    /// A corner's offset from the middle of its cell is in these many pixels.
    private static let offsetUnit = 80.0
    /// Rows and columns of the crop of a quad, and how much of it is around the quad on each side.
    package static let cropSide = 64
    package static let verifierMargin = 11
    package static let refinementMargin = 18
    /// The verifier's numbers: two logarithms of odds and eight offsets.
    private static let verifierNumbers = 10
    /// The outlines that the refinement network proposes, and the numbers of each: the logarithm of its odds, relative
    /// to the others, and eight offsets.
    package static let outlines = 3
    private static let outlineNumbers = 9

    private let proposer: Session
    private let verifier: Session
    private let refinement: Session

    /// Crops that are run together; prepared for each of these numbers.
    private static let batches = (small: 8, large: 32)
    /// More threads have too little to do.
    private static let mostThreads = 8

    /// - Parameter network: what is built in under a name of these networks.
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

    /// A quad that the proposal network believes to be a thing, about.
    package struct Proposal: Sendable {
        /// In pixels of the image.
        package var quad: PlanarQuad
        /// The logarithm of the odds that the middle of a thing is where the network told of it.
        package var score: Double
    }

    /// What the verifier says of a quad.
    package struct Verdict: Sendable {
        /// Logarithms of the odds that a thing's outline is near, and that this is it.
        package var near: Double
        package var exact: Double
        /// Where the outline is rather; nil where the answer is no quad.
        package var moved: PlanarQuad?
    }

    /// The proposals for an image of bytes from `least` on, by falling score.
    ///
    /// - Parameter threads: The most threads that the run uses; nil for all. The numbers do not depend on it.
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
            let wanted = (0..<cells).filter { Double(scores[$0]) >= least }.sorted {
                scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1
            }
            return wanted.map { cell in
                func place(_ number: Int, _ index: Int, _ margin: Int) -> Double {
                    let middle = (Double(index) + 0.5) * Double(Self.step)
                    let offset = Double(corners[number * cells + cell]) * Self.offsetUnit
                    return (middle + offset - Double(margin)) / scale
                }
                func corner(_ number: Int) -> PlanarPoint {
                    PlanarPoint(
                        x: place(2 * number, cell % Self.cells, left),
                        y: place(2 * number + 1, cell / Self.cells, top))
                }
                let quad = PlanarQuad(
                    topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
                return Proposal(quad: quad, score: Double(scores[cell]))
            }
        }
    }

    /// An image as the verifier and the refinement network see it.
    package static func pictures(of image: Raster) throws -> QuadCrops {
        try QuadCrops(image, side: Self.cropSide)
    }

    /// What the verifier says of quads, in their order; nil for those that are no perspective view of a rectangle.
    ///
    /// - Parameter willRun: Called before each run; what it throws ends the search.
    package func verdicts(
        on quads: [PlanarQuad], in pictures: QuadCrops, threads: Int? = nil, willRun: () throws -> Void = {}
    ) throws -> [Verdict?] {
        let answers = try answers(for: quads, pictures, verifier, margin: Self.verifierMargin, threads, willRun)
        return answers.map { answer in
            guard let (map, numbers) = answer, numbers.allSatisfy(\.isFinite) else { return nil }
            return Verdict(near: numbers[0], exact: numbers[1], moved: Self.moved(map, by: numbers[2...], most: 0.45))
        }
    }

    /// Where the refinement network believes the outlines near quads, for each the likeliest first.
    ///
    /// - Parameter willRun: Called before each run; what it throws ends the search.
    package func outlines(
        of quads: [PlanarQuad], in pictures: QuadCrops, threads: Int? = nil, willRun: () throws -> Void = {}
    ) throws -> [[PlanarQuad]] {
        let answers = try answers(for: quads, pictures, refinement, margin: Self.refinementMargin, threads, willRun)
        return answers.map { answer in
            guard let (map, numbers) = answer, numbers.allSatisfy(\.isFinite) else { return [] }
            let starts = (0..<Self.outlines).map { $0 * Self.outlineNumbers }
            return starts.sorted { numbers[$0] != numbers[$1] ? numbers[$0] > numbers[$1] : $0 < $1 }.compactMap {
                Self.moved(map, by: numbers[($0 + 1)..<($0 + Self.outlineNumbers)], most: 0.85)
            }
        }
    }

    /// The numbers that a network gives for each quad; nil for those that are no perspective view of a rectangle.
    private func answers(
        for quads: [PlanarQuad], _ pictures: QuadCrops, _ network: Session, margin: Int, _ threads: Int?,
        _ willRun: () throws -> Void
    ) throws -> [(map: Homography, numbers: [Double])?] {
        var result = [(map: Homography, numbers: [Double])?](repeating: nil, count: quads.count)
        let maps = quads.enumerated().compactMap { index, quad in
            Homography(squareTo: quad).map { (index: index, map: $0) }
        }
        let side = Self.cropSide
        var rest = maps[...]
        while !rest.isEmpty {
            // Places of a batch that stay empty cost as much as others.
            let batch = rest.count > Self.batches.large - Self.batches.small ? Self.batches.large : Self.batches.small
            let part = rest.prefix(batch)
            rest = rest.dropFirst(batch)
            try willRun()
            let found = try network.run(shapes: [[batch, side, side, 3]], threads: threads) { _, input in
                let floats: UnsafeMutableBufferPointer<Float> = input.elements()
                let size = 3 * side * side
                // First, not last: a function that can throw must not end in a fill (HACKING.md, A miscompilation).
                for index in part.count * size..<floats.count { floats[index] = 0 }
                for (place, entry) in part.enumerated() {
                    pictures.write(
                        entry.map, margin: margin, to: .init(rebasing: floats[place * size..<(place + 1) * size]))
                }
            } read: { outputs in
                let numbers: UnsafeMutableBufferPointer<Float> = outputs[0].elements()
                let count = numbers.count / batch
                return part.indices.map { place in
                    numbers[(place - part.startIndex) * count..<(place - part.startIndex + 1) * count].map(Double.init)
                }
            }
            for (entry, numbers) in zip(part, found) { result[entry.index] = (entry.map, numbers) }
        }
        return result
    }

    /// A quad with other corners, nil where they make none.
    ///
    /// - Parameters:
    ///   - map: The square from -1 to 1 to the quad.
    ///   - offsets: Of its corners, in sides of the square.
    ///   - most: Larger ones than the network was trained on are not believed.
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
