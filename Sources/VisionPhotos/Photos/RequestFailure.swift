import Foundation

/// A request that failed, in the words of its error alone: the domain and code that come with them are for programs.
package struct RequestFailure: Error, CustomStringConvertible {
    package let path: String
    package let reason: String

    package init(path: String, _ error: any Error) {
        self.path = path
        reason = error.localizedDescription
    }

    package var description: String { "\(path): \(reason)" }
}
