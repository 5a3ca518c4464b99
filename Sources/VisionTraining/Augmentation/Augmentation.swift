import VisionImage
/// The augmentation of training photos.
///
/// Options are applied in the order crop, rotation, blur, exposure, noise, flip. Each option adds variants of all
/// images so far: four for a rotation, three for a flip (left to right, upside down, both), one for the others. If that
/// exceeds 100 images of one photo, the option changes each augmented image once instead. The photo itself is always
/// included unchanged.
package struct Augmentation: Sendable, Hashable {
    package enum Option: Int, CaseIterable, Sendable {
        case crop, rotation, blur, exposure, noise, flip

        /// The number of images that it makes of one.
        var variantCount: Int {
            switch self {
            case .rotation: 4
            case .flip: 3
            case .crop, .blur, .exposure, .noise: 1
            }
        }
    }

    /// The maximum number of images of one photo, including the photo itself.
    package static let largestCount = 100

    package let options: Set<Option>

    package init(_ options: Set<Option> = []) { self.options = options }

    private var ordered: [Option] { Option.allCases.filter(options.contains) }

    /// The number of images of each photo, including the photo itself.
    package var count: Int {
        ordered.reduce(1) { count, option in
            let more = count * (1 + option.variantCount)
            return more > Self.largestCount ? count : more
        }
    }

    /// The parameters of one augmented image.
    struct Recipe: Hashable {
        /// The crop, in fractions of the width and height.
        var crop: Part?
        /// The rotation in radians.
        var angle: Double?
        /// The factor of downscaling before upscaling.
        var blur: Double?
        /// The change of exposure in stops.
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

    /// Returns the recipes of the images of one photo, the photo itself first. Equal seeds give equal recipes.
    func recipes(seed: UInt64) -> [Recipe] {
        var random = SplitMix64(seed: seed)
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
        _ recipe: Recipe, by option: Option, variant: Int, _ random: inout SplitMix64
    ) -> Recipe {
        var recipe = recipe
        switch option {
        case .crop:
            let (width, height) = (random.number(in: 0.65...0.95), random.number(in: 0.65...0.95))
            recipe.crop = Recipe.Part(
                x: random.number(in: 0...1 - width), y: random.number(in: 0...1 - height), width: width, height: height)
        case .rotation:
            // At least one rotation in each direction.
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
