import Foundation
package import VisionAlgorithms
package import VisionImage
import VisionInference
import VisionThreads

/// The networks of the search for rectangles, ready to run: one set for a process.
package final class RectangleNetworks: Sendable {
    private let coarse: Session
    private let judge: Session
    private let mover: Session

    /// Pictures of quads that are looked at together; prepared for each of these numbers.
    private static let batches = (small: 8, large: 32)
    /// More threads have too little to do.
    private static let mostThreads = 8

    /// - Throws: `ModelError`.
    package init(_ graphs: RectangleGraphs) throws {
        let threads = min(Processors.count, Self.mostThreads)
        coarse = try Session(graph: ONNXImporter.graph(graphs.coarse), options: .init(threads: threads))
        judge = try Session(graph: ONNXImporter.graph(graphs.judge), options: .init(threads: threads))
        mover = try Session(graph: ONNXImporter.graph(graphs.mover), options: .init(threads: threads))
    }

    private static let loaded = Locked<RectangleNetworks?>(nil)

    /// The networks as they were trained, prepared when they are first wanted.
    ///
    /// - Throws: `WeightFileError`, `ModelError`.
    package static func shared() throws -> RectangleNetworks {
        try loaded.withLock { loaded in
            if let loaded { return loaded }
            let networks = try RectangleNetworks(RectangleGraphs(.trained))
            loaded = networks
            return networks
        }
    }

    /// A quad that the first network believes to be a thing, about.
    package struct Guess: Sendable {
        /// In pixels of the picture.
        package var quad: PlanarQuad
        /// The logarithm of the odds that the middle of a thing is where the network told of it.
        package var score: Double
    }

    /// What the judge says of a quad.
    package struct Verdict: Sendable {
        /// Logarithms of the odds that a thing's outline is near, and that this is it.
        package var near: Double
        package var exact: Double
        /// Where the outline is rather; nil where the answer is no quad.
        package var moved: PlanarQuad?
    }

    /// The guesses for a picture of bytes from `least` on, by falling score.
    ///
    /// - Parameter threads: The most threads that the run uses; nil for all. The numbers do not depend on it.
    package func guesses(in picture: Raster, least: Double, threads: Int? = nil) throws -> [Guess] {
        let side = RectangleGraphs.coarseSide
        let scale = Double(side) / Double(max(picture.width, picture.height))
        func length(_ pixels: Int) -> Int {
            min(max(Int((Double(pixels) * scale).rounded(.toNearestOrEven)), 1), side)
        }
        let (width, height) = (length(picture.width), length(picture.height))
        let (left, top) = ((side - width) / 2, (side - height) / 2)
        let small = try picture.resized(width: width, height: height, filter: .area)
        return try coarse.run(shapes: [[1, side, side, 3]], threads: threads) { _, input in
            let floats: UnsafeMutableBufferPointer<Float> = input.elements()
            for index in floats.indices { floats[index] = 0 }
            try small.writeInterleaved(
                to: .init(rebasing: floats[(3 * (top * side + left))...]), rowFloats: 3 * side, scale: 1 / 128, bias: -1
            )
        } read: { outputs in
            let scores: UnsafeMutableBufferPointer<Float> = outputs[0].elements()
            let corners: UnsafeMutableBufferPointer<Float> = outputs[1].elements()
            let cells = RectangleGraphs.cells * RectangleGraphs.cells
            precondition(scores.count == cells && corners.count == 8 * cells)
            let wanted = (0..<cells).filter { Double(scores[$0]) >= least }.sorted {
                scores[$0] != scores[$1] ? scores[$0] > scores[$1] : $0 < $1
            }
            return wanted.map { cell in
                func place(_ number: Int, _ index: Int, _ margin: Int) -> Double {
                    let middle = (Double(index) + 0.5) * Double(RectangleGraphs.step)
                    let offset = Double(corners[number * cells + cell]) * RectangleGraphs.offsetUnit
                    return (middle + offset - Double(margin)) / scale
                }
                func corner(_ number: Int) -> PlanarPoint {
                    PlanarPoint(
                        x: place(2 * number, cell % RectangleGraphs.cells, left),
                        y: place(2 * number + 1, cell / RectangleGraphs.cells, top))
                }
                let quad = PlanarQuad(
                    topLeft: corner(0), topRight: corner(1), bottomRight: corner(2), bottomLeft: corner(3))
                return Guess(quad: quad, score: Double(scores[cell]))
            }
        }
    }

    /// An image as the judge and the mover see it.
    package static func pictures(of image: Raster) throws -> QuadPictures {
        try QuadPictures(image, side: RectangleGraphs.cropSide)
    }

    /// What the judge says of quads, in their order; nil for those that are no perspective view of a rectangle.
    ///
    /// - Parameter willRun: Called before each run; what it throws ends the search.
    package func verdicts(
        on quads: [PlanarQuad], in pictures: QuadPictures, threads: Int? = nil, willRun: () throws -> Void = {}
    ) throws -> [Verdict?] {
        let looks = try looks(at: quads, pictures, judge, margin: RectangleGraphs.judgeMargin, threads, willRun)
        return looks.map { look in
            guard let (map, numbers) = look, numbers.allSatisfy(\.isFinite) else { return nil }
            return Verdict(near: numbers[0], exact: numbers[1], moved: Self.moved(map, by: numbers[2...], most: 0.45))
        }
    }

    /// Where the mover believes the outlines near quads, for each the likeliest first.
    ///
    /// - Parameter willRun: Called before each run; what it throws ends the search.
    package func moves(
        of quads: [PlanarQuad], in pictures: QuadPictures, threads: Int? = nil, willRun: () throws -> Void = {}
    ) throws -> [[PlanarQuad]] {
        let looks = try looks(at: quads, pictures, mover, margin: RectangleGraphs.moverMargin, threads, willRun)
        return looks.map { look in
            guard let (map, numbers) = look, numbers.allSatisfy(\.isFinite) else { return [] }
            let starts = (0..<RectangleGraphs.moves).map { $0 * RectangleGraphs.moveNumbers }
            return starts.sorted { numbers[$0] != numbers[$1] ? numbers[$0] > numbers[$1] : $0 < $1 }.compactMap {
                Self.moved(map, by: numbers[($0 + 1)..<($0 + RectangleGraphs.moveNumbers)], most: 0.85)
            }
        }
    }

    /// The numbers that a network gives for each quad; nil for those that are no perspective view of a rectangle.
    private func looks(
        at quads: [PlanarQuad], _ pictures: QuadPictures, _ network: Session, margin: Int, _ threads: Int?,
        _ willRun: () throws -> Void
    ) throws -> [(map: Homography, numbers: [Double])?] {
        var result = [(map: Homography, numbers: [Double])?](repeating: nil, count: quads.count)
        let maps = quads.enumerated().compactMap { index, quad in
            Homography(squareTo: quad).map { (index: index, map: $0) }
        }
        let side = RectangleGraphs.cropSide
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
