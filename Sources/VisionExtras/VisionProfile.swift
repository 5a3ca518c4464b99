import Vision

/// The SDK that a program counts as linked against, which determines the default revisions of its requests.
///
/// On Apple's systems this follows from the SDK that the program was built with. Here a program sets it once, at its
/// start: `VisionProfile.use(.iOS12)`. Revisions that are set explicitly are not affected.
public enum VisionProfile: CaseIterable, Sendable {
    /// iOS 12, macOS 10.14.
    case iOS12
    /// iOS 13, macOS 10.15: the default.
    case iOS13
    /// The newest revisions of this package.
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
