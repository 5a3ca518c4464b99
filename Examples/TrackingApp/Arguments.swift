import Foundation
import Vision

/// The arguments of the command line.
struct Arguments {
    /// What is to be tracked.
    enum Targets {
        /// The boxes that the user picked in the first frame.
        case picked([VNDetectedObjectObservation])
        /// One face, wherever it is.
        case face
    }

    struct InvalidArguments: LocalizedError, Equatable {
        let errorDescription: String?
    }

    static let usage = """
        usage: TrackingApp FOLDER-OF-FRAMES fast|accurate X,Y,WIDTH,HEIGHT…
               TrackingApp FOLDER-OF-FRAMES fast|accurate face
        Numbers are fractions of the image, origin at the lower left. Eight are the corners of a rectangle: top left, \
        top
        right, bottom right, bottom left. "face" is detected again every fifty frames.
        """

    var folder: URL
    var level: VNRequestTrackingLevel
    var targets: Targets

    /// - Parameter arguments: The arguments behind the name of the program.
    /// - Throws: `InvalidArguments` with the reason.
    init(_ arguments: [String]) throws {
        guard arguments.count > 2 else { throw InvalidArguments(errorDescription: Self.usage) }
        folder = URL(fileURLWithPath: arguments[0])
        switch arguments[1] {
        case "fast": level = .fast
        case "accurate": level = .accurate
        default: throw InvalidArguments(errorDescription: "\(arguments[1]) is neither fast nor accurate\n\(Self.usage)")
        }
        let targets = arguments.dropFirst(2)
        self.targets = targets == ["face"] ? .face : .picked(try targets.map(Self.target))
    }

    private static func target(_ text: String) throws -> VNDetectedObjectObservation {
        let parts = text.split(separator: ",", omittingEmptySubsequences: false)
        let numbers = parts.compactMap { Double($0) }
        guard numbers.count == parts.count, numbers.count == 4 || numbers.count == 8 else {
            throw InvalidArguments(
                errorDescription: "\(text) is neither four nor eight numbers with commas between them\n\(usage)")
        }
        guard numbers.count == 8 else {
            return VNDetectedObjectObservation(
                boundingBox: CGRect(x: numbers[0], y: numbers[1], width: numbers[2], height: numbers[3]))
        }
        let corners = (0..<4).map { CGPoint(x: numbers[2 * $0], y: numbers[2 * $0 + 1]) }
        return VNRectangleObservation(
            requestRevision: VNTrackRectangleRequestRevision1, topLeft: corners[0], topRight: corners[1],
            bottomRight: corners[2], bottomLeft: corners[3])
    }
}
