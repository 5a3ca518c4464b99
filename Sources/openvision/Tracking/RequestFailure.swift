import Foundation

/// A request that failed, in the words of its error alone: the domain and code that come with them are for programs.
struct RequestFailure: Error, CustomStringConvertible {
    let path: String
    let reason: String

    init(path: String, _ error: any Error) {
        self.path = path
        reason = error.localizedDescription
    }

    var description: String { "\(path): \(reason)" }
}
