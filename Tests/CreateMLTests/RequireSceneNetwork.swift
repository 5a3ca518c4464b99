import ModelTestSupport
import VisionModels

/// Skips a test that needs the scene network where it is not installed, unless `make test` has installed it.
func requireSceneNetwork(revision: Int = 1) throws {
    _ = try requireModel { try Backbone.shared(.init(number: revision)) }
}
