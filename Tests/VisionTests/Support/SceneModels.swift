import Foundation
import VisionModels
import XCTest

/// Skips a test that needs the scene network of a revision where it is not installed, unless `make test` has installed
/// it.
func requireSceneNetwork(revision: Int = 1) throws {
    do {
        _ = try Backbone.shared(.init(number: revision))
    } catch let error as ModelStoreError {
        guard ProcessInfo.processInfo.environment["OPENVISION_REQUIRE_MODELS"] == nil else { throw error }
        throw XCTSkip(error.description)
    }
}
