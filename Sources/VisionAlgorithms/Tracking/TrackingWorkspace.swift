import Foundation
import VisionImage
import VisionThreads

/// Memory that trackers of one kind need only while they look at a frame. They lend it to each other, so that those of one
/// frame work in memory that is in the cache already.
final class TrackingWorkspace {
    let window: Window
    let sizes = Sizes()

    init(cells: Int, channels: Int) throws {
        window = try Window(cells: cells, channels: channels)
    }

    /// For the filter of the place: what was seen last, and what comes of it.
    final class Window {
        let transform: TrackingTransform
        let patch: PatchFeatures
        /// What the features of the cells are weighted by.
        let weights: FloatBlock
        let samples: FloatBlock
        let cellWork: FloatBlock
        let features: FloatBlock
        let spectra: ComplexBlock
        let sum: ComplexBlock
        let response: FloatBlock
        /// The response with the likelihood of colours.
        let merged: FloatBlock
        let work: FloatBlock
        let colours: ColourView

        init(cells: Int, channels: Int) throws {
            let plane = cells * cells
            transform = try TrackingTransform(width: cells, height: cells)
            let hann = (0..<cells).map { Float(0.5 - 0.5 * cos(2 * Double.pi * (Double($0) + 0.5) / Double(cells))) }
            patch = try PatchFeatures(columns: cells, rows: cells, patches: 1) { x, y, _ in hann[x] * hann[y] }
            weights = try FloatBlock(count: plane)
            for y in 0..<cells { for x in 0..<cells { weights[y * cells + x] = hann[x] * hann[y] } }
            samples = try FloatBlock(count: patch.sampleCount)
            cellWork = try FloatBlock(count: patch.workCount)
            features = try FloatBlock(count: plane * channels)
            spectra = try ComplexBlock(count: transform.frequencies * channels)
            sum = try ComplexBlock(count: transform.frequencies)
            response = try FloatBlock(count: plane)
            merged = try FloatBlock(count: plane)
            work = try FloatBlock(count: max(transform.workCount, 3 * transform.frequencies))
            colours = try ColourView(cells: cells)
        }
    }

    /// For the filter of the size, whose patches differ from target to target: as large as any has needed so far.
    final class Sizes {
        private(set) var samples: FloatBlock?
        private(set) var cellWork: FloatBlock?
        private(set) var features: FloatBlock?
        private(set) var spectra: ComplexBlock?

        struct Memory {
            let samples: FloatBlock
            let cellWork: FloatBlock
            let features: FloatBlock
            let spectra: ComplexBlock
        }

        func memory(samples: Int, cellWork: Int, features: Int) throws -> Memory {
            func atLeast(_ count: Int, _ block: FloatBlock?) throws -> FloatBlock {
                if let block, block.count >= count { return block }
                return try FloatBlock(count: count)
            }
            let memory = Memory(
                samples: try atLeast(samples, self.samples), cellWork: try atLeast(cellWork, self.cellWork),
                features: try atLeast(features, self.features),
                spectra: try spectra.flatMap { $0.count >= features ? $0 : nil } ?? ComplexBlock(count: features))
            (self.samples, self.cellWork) = (memory.samples, memory.cellWork)
            (self.features, spectra) = (memory.features, memory.spectra)
            return memory
        }
    }
}

/// The workspaces of one kind of tracker. They go with the last tracker of that kind.
final class WorkspacePool: @unchecked Sendable {
    // Unchecked: what is free is reached under the lock only, and who has taken a workspace has it alone.
    private let cells: Int
    private let channels: Int
    private let free = Locked<[TrackingWorkspace]>([])

    private struct Weak: @unchecked Sendable {
        // Unchecked: reached under the lock of `kinds` only.
        weak var pool: WorkspacePool?
    }

    private static let kinds = Locked<[Int: Weak]>([:])

    private init(cells: Int, channels: Int) {
        self.cells = cells
        self.channels = channels
    }

    /// The pool that all trackers with windows of so many cells share.
    static func shared(cells: Int, channels: Int) -> WorkspacePool {
        kinds.withLock { kinds in
            let key = cells * 1000 + channels
            if let pool = kinds[key]?.pool { return pool }
            let pool = WorkspacePool(cells: cells, channels: channels)
            kinds[key] = Weak(pool: pool)
            return pool
        }
    }

    /// Lends a workspace for the length of a call; there are as many as there are calls at the same time.
    func with<Result>(_ body: (TrackingWorkspace) throws -> Result) throws -> Result {
        let space =
            try free.withLock { $0.popLast() }
            ?? TrackingWorkspace(cells: cells, channels: channels)
        defer { free.withLock { $0.append(space) } }
        return try body(space)
    }
}
