/// A colour with 8 bits per component.
struct Colour: Hashable, Sendable {
    var red: UInt8
    var green: UInt8
    var blue: UInt8

    static let black = Colour(red: 0, green: 0, blue: 0)
    static let white = Colour(red: 255, green: 255, blue: 255)
    static let grey = Colour(red: 128, green: 128, blue: 128)

    /// Colours that are told apart on dark and on light photos, most different ones first.
    static let palette: [Colour] = [
        Colour(red: 64, green: 196, blue: 99), Colour(red: 255, green: 112, blue: 67),
        Colour(red: 66, green: 165, blue: 245), Colour(red: 255, green: 202, blue: 40),
        Colour(red: 236, green: 90, blue: 182), Colour(red: 38, green: 214, blue: 206),
        Colour(red: 171, green: 128, blue: 255), Colour(red: 205, green: 220, blue: 57),
        Colour(red: 239, green: 83, blue: 80), Colour(red: 121, green: 150, blue: 255),
        Colour(red: 20, green: 150, blue: 140), Colour(red: 129, green: 212, blue: 250),
        Colour(red: 212, green: 140, blue: 92), Colour(red: 224, green: 64, blue: 251),
        Colour(red: 165, green: 230, blue: 160), Colour(red: 255, green: 171, blue: 190),
    ]

    /// Returns the colour of a target or an object by its number from 0.
    static func forTarget(_ index: Int) -> Colour { palette[((index % palette.count) + palette.count) % palette.count] }

    /// Returns a colour for each class: the same one in every image, unless two classes of an image would share it.
    static func forClasses(_ names: some Sequence<String>) -> [String: Colour] {
        var (colours, taken): ([String: Colour], Set<Int>) = ([:], [])
        for name in Set(names).sorted() {
            // The FNV-1a hash, which is the same in every run.
            let hash = name.utf8.reduce(0xcbf2_9ce4_8422_2325 as UInt64) { ($0 ^ UInt64($1)) &* 0x100_0000_01b3 }
            var index = Int(hash % UInt64(palette.count))
            if taken.count < palette.count {
                while taken.contains(index) { index = (index + 1) % palette.count }
            }
            taken.insert(index)
            colours[name] = palette[index]
        }
        return colours
    }

    /// How bright the colour looks, 0 to 1.
    var luminance: Double { (0.299 * Double(red) + 0.587 * Double(green) + 0.114 * Double(blue)) / 255 }

    /// Black or white, whichever is read better on this colour.
    var ink: Colour { luminance > 0.45 ? .black : .white }

    /// Blue, green and red.
    var bgr: SIMD3<Float> { SIMD3(Float(blue), Float(green), Float(red)) }
}
