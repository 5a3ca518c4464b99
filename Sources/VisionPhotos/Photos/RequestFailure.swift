import Foundation

/// A request failed. The description omits the domain and code of the error.
package struct RequestFailure: Error, CustomStringConvertible {
    package let path: String
    package let reason: String

    package init(path: String, _ error: any Error) {
        self.path = path
        reason = error.photoReason
    }

    package var description: String { "\(path): \(reason)" }
}
