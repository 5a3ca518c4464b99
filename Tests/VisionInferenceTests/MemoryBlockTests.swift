import Foundation
import XCTest

@testable import VisionInference

final class MemoryBlockTests: XCTestCase {
    func testBlocksAreAlignedZeroedAndLargeOnesMapped() throws {
        for count in [0, 1, 63, 4097, MemoryBlock.smallestMapping - 1, MemoryBlock.smallestMapping, 5_000_001] {
            let block = try XCTUnwrap(MemoryBlock(byteCount: count))
            XCTAssertEqual(block.byteCount, count)
            XCTAssertEqual(block.isMapped, count >= MemoryBlock.smallestMapping)
            XCTAssertEqual(UInt(bitPattern: block.base) % UInt(MemoryBlock.alignment), 0)
            let bytes = UnsafeMutableRawBufferPointer(start: block.base, count: count)
            XCTAssertTrue(bytes.allSatisfy { $0 == 0 })
            for index in bytes.indices { bytes[index] = 255 }
            block.deallocate()
        }
    }

    func testALargeBlockThatWasUsedBeforeIsZeroed() throws {
        for _ in 0..<3 {
            let block = try XCTUnwrap(MemoryBlock(byteCount: 3 << 20))
            XCTAssertEqual(block.base.load(fromByteOffset: 1 << 20, as: UInt8.self), 0)
            block.base.storeBytes(of: 1, toByteOffset: 1 << 20, as: UInt8.self)
            block.deallocate()
        }
    }

    func testMoreThanThereIsIsRefused() {
        XCTAssertNil(MemoryBlock(byteCount: 1 << 56))
    }

    /// Returns whether no memory is mapped where `use` says that some was, in one of several tries: another thread may
    /// map its own memory there.
    private func isGivenBack(_ use: () throws -> UnsafeMutableRawPointer) rethrows -> Bool {
        for _ in 0..<8 {
            let page = try UInt(bitPattern: use()) & ~UInt(sysconf(Int32(_SC_PAGESIZE)) - 1)
            var state: UInt8 = 0
            if mincore(UnsafeMutableRawPointer(bitPattern: page), 1, &state) == -1, errno == ENOMEM { return true }
        }
        return false
    }

    func testALargeBlockGoesBackToTheSystem() throws {
        XCTAssertTrue(
            try isGivenBack {
                let block = try XCTUnwrap(MemoryBlock(byteCount: 8 << 20))
                block.base.storeBytes(of: 1, toByteOffset: 4 << 20, as: UInt8.self)
                block.deallocate()
                return block.base + (4 << 20)
            })
    }

    /// A network of images of any size that needs an arena of some megabytes for 512 × 512.
    private func session(preparedLimit: Int, sharesArenas: Bool) throws -> Session {
        var graph = Graph()
        let input = graph.addInput("x", .float32, [1, nil, nil, 4])
        let sums = graph.add(BinaryOperation(kind: .add), [input, input], name: "sum")
        graph.addOutput(sums, name: "y", .float32)
        return try Session(
            graph: graph, options: .init(threads: 1, preparedLimit: preparedLimit, sharesArenas: sharesArenas))
    }

    /// Runs the network once, and returns where its input lies.
    private func input(of session: Session, size: Int) throws -> UnsafeMutableRawPointer {
        var base: UnsafeMutableRawPointer?
        try session.run(
            shapes: [[1, size, size, 4]],
            fill: { _, input in
                base = input.base
                clearBytes(input.byteCount, at: input.base)
            }, read: { _ in })
        return try XCTUnwrap(base)
    }

    func testTheArenaOfASessionGoesWithIt() throws {
        XCTAssertTrue(
            try isGivenBack { try input(of: try session(preparedLimit: 8, sharesArenas: false), size: 512) })
    }

    func testTheArenaOfASizeGoesWithTheSizesThatAreKept() throws {
        let session = try session(preparedLimit: 2, sharesArenas: false)
        var size = 512
        XCTAssertTrue(
            try isGivenBack {
                size += 1
                let base = try input(of: session, size: size)
                for small in 8..<16 { _ = try input(of: session, size: small) }
                return base
            })
    }

    func testSmallerSizesUseTheArenaOfALargerOneWhereArenasAreShared() throws {
        let session = try session(preparedLimit: 8, sharesArenas: true)
        let large = try input(of: session, size: 512)
        let bytes = try session.profile(shapes: [[1, 512, 512, 4]], runs: 1).arenaBytes
        for size in [500, 300, 511, 512] {
            let distance = try input(of: session, size: size) - large
            XCTAssertLessThan(abs(distance), bytes, "\(size)")
        }
        XCTAssertFalse(isGivenBack { large })
    }
}
