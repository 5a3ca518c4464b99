import Foundation
import ModelTestSupport
import VisionImage
import VisionInference
import XCTest

import VisionThreads
@testable import VisionModels

final class ModelRegistryTests: XCTestCase {
    private final class Network: Sendable {}
    private final class OtherNetwork: Sendable {}

    private func store(_ path: String) -> InstalledModels {
        InstalledModels(ModelLocations(writable: URL(fileURLWithPath: path, isDirectory: true)))
    }

    func testANetworkIsLoadedOnceForEachNameTypeAndStore() throws {
        let registry = ModelRegistry()
        let loads = Locked(0)
        func network(_ name: String, _ path: String?) throws -> Network {
            try registry.network(name, in: path.map(store)) {
                loads.withLock { $0 += 1 }
                return Network()
            }
        }
        let first = try network("a", "/one")
        XCTAssertIdentical(try network("a", "/one"), first)
        XCTAssertNotIdentical(try network("b", "/one"), first)
        XCTAssertNotIdentical(try network("a", "/two"), first)
        XCTAssertNotIdentical(try network("a", nil), first)
        XCTAssertIdentical(try network("a", nil), try network("a", nil))
        XCTAssertEqual(loads.withLock { $0 }, 4)
        _ = try registry.network("a", in: store("/one")) { OtherNetwork() }
        XCTAssertIdentical(try network("a", "/one"), first)
    }

    func testThreadsThatWantANetworkAtOnceShareOne() throws {
        let registry = ModelRegistry()
        let loads = Locked(0)
        let seen = Locked<[ObjectIdentifier]>([])
        DispatchQueue.concurrentPerform(iterations: 16) { _ in
            let network = try? registry.network("a", in: nil) {
                loads.withLock { $0 += 1 }
                return Network()
            }
            seen.withLock { $0 += network.map { [ObjectIdentifier($0)] } ?? [] }
        }
        XCTAssertEqual(loads.withLock { $0 }, 1)
        XCTAssertEqual(seen.withLock { $0.count }, 16)
        XCTAssertEqual(seen.withLock { Set($0).count }, 1)
    }

    func testWhatCouldNotBeLoadedIsTriedAgain() throws {
        let registry = ModelRegistry()
        XCTAssertThrowsError(
            try registry.network("a", in: nil) { () throws -> Network in throw ModelError.damaged("x") })
        XCTAssertNoThrow(try registry.network("a", in: nil) { Network() })
    }

    func testErrorsSayWhichNetworkIsDamaged() {
        let registry = ModelRegistry()
        func error(_ store: InstalledModels?, _ error: any Error) -> ModelStoreError? {
            do {
                let _: Network = try registry.network("a", in: store) { throw error }
                return nil
            } catch {
                return error
            }
        }
        let damage = ModelError.damaged("cut off")
        guard case .damaged("a", let reason)? = error(store("/one"), damage) else { return XCTFail() }
        XCTAssertTrue(reason.contains("cut off"), reason)
        guard case .damagedBuiltIn("a", _)? = error(nil, damage) else { return XCTFail() }
        guard case .damagedBuiltIn("a", _)? = error(nil, WeightFileError(.damaged, "x")) else { return XCTFail() }
        let missing = ModelStoreError.notInstalled("b", searched: [])
        XCTAssertEqual(error(store("/one"), missing), missing)
    }

    /// A store without the models must not give networks that were loaded from another one.
    func testNetworksOfAnotherStoreAreNotGiven() {
        let empty = store("/nowhere")
        XCTAssertThrowsError(try Backbone.shared(.efficientNetLite0, store: empty))
        XCTAssertThrowsError(try TrackerNetworks.shared(store: empty))
        XCTAssertThrowsError(try TextNetwork.shared(store: empty))
        XCTAssertThrowsError(try FaceNetwork.shared(.shortRange, store: empty)) { error in
            guard case .notInstalled? = error as? ModelStoreError else { return XCTFail("\(error)") }
        }
    }

    func testModelsThatAreLoadedLaterMustBeThere() throws {
        let installed = try requireModel { try InstalledModels().installed("movenet-multipose") }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent(UUID().uuidString)
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        try FileManager.default.copyItem(
            at: installed.folder, to: folder.appendingPathComponent(installed.folder.lastPathComponent))
        let alone = store(folder.path)
        XCTAssertThrowsError(try KeypointNetwork.shared(store: alone, alongside: PoseFinder.models)) { error in
            guard case .notInstalled("pose-detection", _)? = error as? ModelStoreError else {
                return XCTFail("\(error)")
            }
        }
        XCTAssertNoThrow(try KeypointNetwork.shared(store: alone))
    }
}
