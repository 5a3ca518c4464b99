import Vision

/// The SDK that a program counts as linked against, which determines the default revisions of its requests.
///
/// On Apple's systems this follows from the SDK that the program was built with. Here every program gets the newest
/// revisions, as if it were built with a current SDK, and one that was tuned to older ones sets their SDK once, at its
/// start: `VisionProfile.use(.iOS13)`. Revisions that are set explicitly are not affected. `Documentation/Revisions.md`
/// has a table of all requests.
public enum VisionProfile: CaseIterable, Sendable {
    /// iOS 12, macOS 10.14.
    case iOS12
    /// iOS 13, macOS 10.15.
    case iOS13
    /// The newest revisions: the default.
    case latest

    /// Makes this the profile of the process. Existing requests keep their revisions.
    public static func use(_ profile: VisionProfile) {
        Profile.current = profile.profile
    }

    /// The profile of the process.
    public static var current: VisionProfile {
        switch Profile.current {
        case .iOS12: .iOS12
        case .iOS13: .iOS13
        case .latest: .latest
        }
    }

    private var profile: Profile {
        switch self {
        case .iOS12: .iOS12
        case .iOS13: .iOS13
        case .latest: .latest
        }
    }
}
