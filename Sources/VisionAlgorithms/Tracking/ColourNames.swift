import Foundation

/// The degree to which each of 4096 colours is called black, blue, brown, grey, green, orange, pink, purple, red, white
/// and yellow, and its brightness: the colour features of the correlation filters.
///
/// The idea is that of van de Weijer, Schmid, Verbeek, Larlus, "Learning color names for real-world applications"
/// (2009). Here a colour's names are weighted by its distance, in CIE L*a*b*, from one typical colour of each name.
enum ColourNames {
    /// 12 values for each colour red << 8 | green << 4 | blue.
    static let table: [Float] = {
        var table: [Float] = []
        table.reserveCapacity(4096 * 12)
        let typical = typicalColours.map { lab($0.0, $0.1, $0.2) }
        for colour in 0..<4096 {
            let red = Double(colour >> 8) * 17, green = Double(colour >> 4 & 15) * 17, blue = Double(colour & 15) * 17
            let colourLab = lab(red, green, blue)
            let distances = typical.map { name in
                // Lightness tells less than hue, because of shadows.
                let difference = colourLab - name
                return difference.x * difference.x * 0.5 + difference.y * difference.y + difference.z * difference.z
            }
            let nearest = distances.min() ?? 0
            let closeness = distances.map { exp(-($0 - nearest) / (2 * softness * softness)) }
            let sum = closeness.reduce(0, +)
            table += closeness.map { Float($0 / sum) }
            table.append(Float((0.299 * red + 0.587 * green + 0.114 * blue) / 255))
        }
        return table
    }()

    /// The standard deviation of the weights over the L*a*b* distance.
    private static let softness = 18.0

    private static let typicalColours: [(Double, Double, Double)] = [
        (0, 0, 0), (30, 60, 200), (120, 70, 25), (128, 128, 128), (30, 150, 50), (250, 140, 20), (250, 150, 190),
        (130, 40, 150), (210, 25, 30), (255, 255, 255), (245, 225, 40),
    ]

    /// CIE L*a*b* of an sRGB colour, white D65.
    private static func lab(_ red: Double, _ green: Double, _ blue: Double) -> SIMD3<Double> {
        func linear(_ byte: Double) -> Double {
            let value = byte / 255
            return value <= 0.04045 ? value / 12.92 : pow((value + 0.055) / 1.055, 2.4)
        }
        func root(_ value: Double) -> Double { value > 0.008856 ? cbrt(value) : 7.787 * value + 16.0 / 116 }
        let (r, g, b) = (linear(red), linear(green), linear(blue))
        let x = root((0.4124 * r + 0.3576 * g + 0.1805 * b) / 0.9505)
        let y = root(0.2126 * r + 0.7152 * g + 0.0722 * b)
        let z = root((0.0193 * r + 0.1192 * g + 0.9505 * b) / 1.089)
        return SIMD3(116 * y - 16, 500 * (x - y), 200 * (y - z))
    }
}
