import Foundation
import XCTest

/// Returns what `load` makes of an installed model, and skips the test where that fails because models are not installed.
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
