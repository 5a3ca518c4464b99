import Foundation
import XCTest

/// Returns the result of `load`, which needs an installed model, and skips the test where it throws.
///
/// `make test` installs the models and sets OPENVISION_REQUIRE_MODELS: then a failure stays one.
public func requireModel<Result>(_ load: () throws -> Result) throws -> Result {
    do {
        return try load()
    } catch {
        guard ProcessInfo.processInfo.environment["OPENVISION_REQUIRE_MODELS"] == nil else { throw error }
        throw XCTSkip("\(error)")
    }
}
