import ModelTestSupport
import Foundation
import VisionModels
import XCTest

/// Skips a test that needs the scene network of a revision where it is not installed, unless `make test` has installed
/// it.
func requireSceneNetwork(revision: Int = 1) throws {
    _ = try requireModel { try Backbone.shared(.init(number: revision)) }
}

/// Skips a test that needs the network of a revision of `VNClassifyImageRequest` where it is not installed.
func requireClassification(revision: Int) throws {
    try requireSceneNetwork(revision: try XCTUnwrap(SceneScoring.backbones[revision]).rawValue)
}
