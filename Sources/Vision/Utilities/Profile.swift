import VisionThreads

/// The SDK that a program counts as linked against, which determines the default revision of a new request.
///
/// There is no linked SDK on Linux: a program counts as built with the newest one, and sets an older one that it was
/// written for once, at its start.
package enum Profile: CaseIterable, Sendable {
    case iOS12
    case iOS13
    case latest

    package static let `default` = Profile.latest

    private static let chosen = Locked(Profile.default)

    /// The profile of this process. A change affects requests that are created after it.
    package static var current: Profile {
        get { chosen.current }
        set { chosen.current = newValue }
    }

    var versionNumber: Double {
        switch self {
        case .iOS12: 2
        case .iOS13, .latest: 3
        }
    }
}

/// The generation of the API that the current profile corresponds to: 2.0 for iOS 12, 3.0 for iOS 13.
public var VNVisionVersionNumber: Double { Profile.current.versionNumber }
