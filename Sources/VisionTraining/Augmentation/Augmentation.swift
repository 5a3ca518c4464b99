/// Which changed copies of a photo are trained with as well.
///
/// Options are applied in the order crop, rotation, blur, exposure, noise, flip. Each adds to the pictures that there
/// are already its variants of each of them: four for a rotation, three for a flip (left to right, upside down, both),
/// one for the others. Where that would make more than 100 pictures of one photo, the option changes each of the copies
/// once instead. The photo itself always stays as it is.
package struct Augmentation: Sendable, Hashable {
    package enum Option: Int, CaseIterable, Sendable {
        case crop, rotation, blur, exposure, noise, flip

        /// The pictures that it makes of one.
        var variantCount: Int {
            switch self {
            case .rotation: 4
            case .flip: 3
            case .crop, .blur, .exposure, .noise: 1
            }
        }
    }

    /// The most pictures of one photo, itself among them.
    package static let largestCount = 100

    package let options: Set<Option>

    package init(_ options: Set<Option> = []) { self.options = options }

    private var ordered: [Option] { Option.allCases.filter(options.contains) }

    /// Pictures of each photo, itself among them.
    package var count: Int {
        ordered.reduce(1) { count, option in
            let more = count * (1 + option.variantCount)
            return more > Self.largestCount ? count : more
        }
    }

    /// What is done with one picture.
    struct Recipe: Hashable {
        /// The part of the picture that stays, in shares of its sides.
        var crop: Part?
        /// Radians.
        var angle: Double?
        /// How much smaller the picture is for a moment.
        var blur: Double?
        /// By how much twice as bright.
        var stops: Double?
        var noise: Noise?
        var flip: Flip?

        struct Part: Hashable {
            var x: Double
            var y: Double
            var width: Double
            var height: Double
        }

        struct Noise: Hashable {
            /// The standard deviation, in levels of 255.
            var strength: Double
            var seed: UInt64
        }

        enum Flip: Int, CaseIterable {
            case leftRight, upDown, both
        }

        static let none = Recipe()
    }

    /// The pictures of one photo, itself first. The same for the same seed.
    func recipes(seed: UInt64) -> [Recipe] {
        var random = RandomSource(seed: seed)
        var recipes = [Recipe.none]
        for option in ordered {
            guard recipes.count * (1 + option.variantCount) <= Self.largestCount else {
                for index in recipes.indices.dropFirst() {
                    recipes[index] = Self.changed(
                        recipes[index], by: option, variant: random.index(below: option.variantCount), &random)
                }
                continue
            }
            recipes += recipes.flatMap { recipe in
                (0..<option.variantCount).map { Self.changed(recipe, by: option, variant: $0, &random) }
            }
        }
        return recipes
    }

    private static func changed(
        _ recipe: Recipe, by option: Option, variant: Int, _ random: inout RandomSource
    ) -> Recipe {
        var recipe = recipe
        switch option {
        case .crop:
            let (width, height) = (random.number(in: 0.65...0.95), random.number(in: 0.65...0.95))
            recipe.crop = Recipe.Part(
                x: random.number(in: 0...1 - width), y: random.number(in: 0...1 - height), width: width, height: height)
        case .rotation:
            // One to each side is certain.
            let angle = random.number(in: 0.05...0.5)
            recipe.angle = variant % 2 == 0 ? angle : -angle
        case .blur: recipe.blur = random.number(in: 1.5...3.5)
        case .exposure:
            let stops = random.number(in: 0.3...1.2)
            recipe.stops = random.index(below: 2) == 0 ? stops : -stops
        case .noise: recipe.noise = Recipe.Noise(strength: random.number(in: 6...20), seed: random.next())
        case .flip: recipe.flip = Recipe.Flip.allCases[variant]
        }
        return recipe
    }
}
