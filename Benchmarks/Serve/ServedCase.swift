/// The cases that `serve` knows.
struct ServedCase {
    /// One call; what it found goes back to the asking program, which knows the truth.
    typealias Body = () throws -> [Double]

    struct Unknown: Error, CustomStringConvertible {
        let description: String
    }

    let name: String
    let prepare: (_ file: String, _ parameters: [String: String]) throws -> Body

    static func prepare(_ name: String, _ file: String, _ parameters: [String: String]) throws -> Body {
        guard let found = all.first(where: { $0.name == name }) else {
            let names = all.map(\.name).joined(separator: ", ")
            throw Unknown(description: "no case \(name); there are \(names)")
        }
        return try found.prepare(file, parameters)
    }

    static var all: [ServedCase] {
        [
            Decode.cases, Conversion.cases, Resize.cases, Derivatives.cases, Fourier.cases, Registration.cases,
            Homographies.cases, RectangleDetection.cases, Tracking.cases, PrintSearch.cases, ClusterSearches.cases,
            MatrixProducts.cases, Poses.cases,
            Networks.cases, SceneRequests.cases, Faces.cases, Text.cases, Filters.cases,
        ].flatMap { $0 }
    }
}
