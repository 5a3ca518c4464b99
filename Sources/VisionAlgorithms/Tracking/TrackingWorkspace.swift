import Foundation
import VisionThreads

/// Buffers that a tracker needs only during an update. The trackers of one kind reuse each other's, so that those of a
/// frame work in memory that is already in the cache.
final class TrackingWorkspace {
    let window: Window
    let sizes = Sizes()
    let stretches = Sizes()

    init(cells: Int, channels: Int) throws {
        window = try Window(cells: cells, channels: channels)
    }

    /// The buffers of the translation filter: the last sampled window and what is computed from it.
    final class Window {
        let transform: TrackingTransform
        let patch: PatchFeatures
        /// The window function that the cells' features are multiplied by.
        let weights: FloatBlock
        let samples: FloatBlock
        let cellWork: FloatBlock
        let features: FloatBlock
        let spectra: ComplexBlock
        let sum: ComplexBlock
        let response: FloatBlock
        /// The response of the filter with the colour likelihood added.
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

    /// The buffers of the scale filter, whose size differs between targets: they grow to the largest size needed so
    /// far.
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

/// The workspaces of one kind of tracker. They are released with the last tracker of that kind.
final class WorkspacePool: @unchecked Sendable {
    // Unchecked: the free list is accessed under the lock only, and a workspace that was taken has one owner.
    private let cells: Int
    private let channels: Int
    private let free = Locked<[TrackingWorkspace]>([])

    private struct Weak: @unchecked Sendable {
        // Unchecked: accessed under the lock of `kinds` only.
        weak var pool: WorkspacePool?
    }

    private static let kinds = Locked<[Int: Weak]>([:])

    private init(cells: Int, channels: Int) {
        self.cells = cells
        self.channels = channels
    }

    /// Returns the pool shared by all trackers with windows of `cells` × `cells` cells.
    static func shared(cells: Int, channels: Int) -> WorkspacePool {
        kinds.withLock { kinds in
            let key = cells * 1000 + channels
            if let pool = kinds[key]?.pool { return pool }
            let pool = WorkspacePool(cells: cells, channels: channels)
            kinds[key] = Weak(pool: pool)
            return pool
        }
    }

    /// Calls `body` with a workspace; there are as many workspaces as concurrent calls.
    func with<Result>(_ body: (TrackingWorkspace) throws -> Result) throws -> Result {
        let space =
            try free.withLock { $0.popLast() }
            ?? TrackingWorkspace(cells: cells, channels: channels)
        defer { free.withLock { $0.append(space) } }
        return try body(space)
    }
}
