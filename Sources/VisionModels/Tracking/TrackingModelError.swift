/// Why a learned tracker could not start or go on.
package enum TrackingModelError: Error, Equatable, CustomStringConvertible {
    /// The network of the store is not the one that the tracker's weights were trained on.
    case unexpectedNetwork(String)
    /// The tracker's own weights are not what the training script wrote.
    case damagedWeights

    package var description: String {
        switch self {
        case .unexpectedNetwork(let reason): "The network that trackers look through cannot be used: \(reason)"
        case .damagedWeights: "The weights of the tracker are damaged"
        }
    }
}
