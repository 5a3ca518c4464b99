import VisionImage

/// What a filter of a name does: its inputs with their default values, and the image that it makes.
struct FilterDefinition: Sendable {
    /// One input of a filter.
    struct Input: Sendable {
        let key: String
        let standard: Standard
    }

    /// The value of an input that was not set.
    enum Standard: Sendable {
        case none
        case number(Double)
        case vector([CGFloat])
        case colour(CIColor)
        case transform
        case text(String)

        var value: Any? {
            switch self {
            case .none: nil
            case .number(let number): number
            case .vector(let numbers): CIVector(numbers)
            case .colour(let colour): colour
            case .transform: CGAffineTransform.identity
            case .text(let text): text
            }
        }
    }

    let name: String
    let inputs: [Input]
    let categories: [String]
    let make: @Sendable (FilterValues) -> CIImage?

    init(
        _ name: String, _ category: String, _ inputs: [(String, Standard)],
        make: @escaping @Sendable (FilterValues) -> CIImage?
    ) {
        self.name = name
        self.inputs = inputs.map { Input(key: $0.0, standard: $0.1) }
        categories = [category, kCICategoryBuiltIn, kCICategoryStillImage]
        self.make = make
    }

    var defaults: [String: Any] {
        inputs.reduce(into: [:]) { $0[$1.key] = $1.standard.value }
    }

    /// All filters by name.
    static let all: [String: FilterDefinition] = {
        let groups = [colours, blurs, geometry, compositions, reductions, generators]
        return Dictionary(groups.joined().map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    }()

    /// A filter of a user's own, whose `outputImage` is overridden.
    static let none = FilterDefinition("", kCICategoryBuiltIn, []) { _ in nil }
}
