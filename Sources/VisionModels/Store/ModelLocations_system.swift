import Foundation
import VisionThreads

extension ModelLocations {
    /// What the folders depend on.
    private struct Variables: Equatable {
        let values: [String?]

        static let names = ["OPENVISION_MODELS", "XDG_CACHE_HOME", "HOME"]

        static var current: Variables { Variables(values: names.map { getenv($0).map { String(cString: $0) } }) }

        var environment: [String: String] {
            Dictionary(uniqueKeysWithValues: zip(Self.names, values)).compactMapValues { $0 }
        }
    }

    private static let known = Locked<(variables: Variables, locations: ModelLocations)?>(nil)

    /// The folders by the environment as it is now. Every request asks for them, so they are made once for each
    /// environment.
    package static var current: ModelLocations {
        let variables = Variables.current
        return known.withLock { known in
            if let known, known.variables == variables { return known.locations }
            let locations = ModelLocations(environment: variables.environment)
            known = (variables, locations)
            return locations
        }
    }
}
