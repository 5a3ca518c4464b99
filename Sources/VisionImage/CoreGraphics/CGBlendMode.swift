import Foundation

/// How what is drawn is combined with what is there (PDF's blend modes, and those of Porter and Duff).
public enum CGBlendMode: Int32, Sendable, CaseIterable {
    /// The source over what is there.
    case normal = 0
    /// The product.
    case multiply = 1
    /// The product of the complements.
    case screen = 2
    /// Multiplies dark and screens light parts of what is there.
    case overlay = 3
    /// The darker one.
    case darken = 4
    /// The lighter one.
    case lighten = 5
    /// Brightens what is there.
    case colorDodge = 6
    /// Darkens what is there.
    case colorBurn = 7
    /// As a diffuse light.
    case softLight = 8
    /// As a harsh light.
    case hardLight = 9
    /// The absolute difference.
    case difference = 10
    /// A difference with less contrast.
    case exclusion = 11
    /// The hue of the source.
    case hue = 12
    /// The saturation of the source.
    case saturation = 13
    /// Hue and saturation of the source.
    case color = 14
    /// The luminosity of the source.
    case luminosity = 15
    /// Nothing: R = 0.
    case clear = 16
    /// The source alone: R = S.
    case copy = 17
    /// R = S·Da.
    case sourceIn = 18
    /// R = S·(1 - Da).
    case sourceOut = 19
    /// R = S·Da + D·(1 - Sa).
    case sourceAtop = 20
    /// R = S·(1 - Da) + D.
    case destinationOver = 21
    /// R = D·Sa.
    case destinationIn = 22
    /// R = D·(1 - Sa).
    case destinationOut = 23
    /// R = S·(1 - Da) + D·Sa.
    case destinationAtop = 24
    /// R = S·(1 - Da) + D·(1 - Sa).
    case xor = 25
    /// R = max(0, 1 - ((1 - D) + (1 - S))).
    case plusDarker = 26
    /// R = min(1, S + D).
    case plusLighter = 27

    /// Combines two colours, 0…1, multiplied by alpha (the last component).
    func combine(_ source: SIMD4<Float>, over under: SIMD4<Float>) -> SIMD4<Float> {
        let (sa, da) = (source.w, under.w)
        switch self {
        case .normal: return source + under * (1 - sa)
        case .clear: return .zero
        case .copy: return source
        case .sourceIn: return source * da
        case .sourceOut: return source * (1 - da)
        case .sourceAtop: return source * da + under * (1 - sa)
        case .destinationOver: return source * (1 - da) + under
        case .destinationIn: return under * sa
        case .destinationOut: return under * (1 - sa)
        case .destinationAtop: return source * (1 - da) + under * sa
        case .xor: return source * (1 - da) + under * (1 - sa)
        case .plusLighter: return (source + under).clamped(lowerBound: .zero, upperBound: .one)
        case .plusDarker:
            // Of colours multiplied by alpha: the complements are those within alpha.
            let alpha = min(1, sa + da)
            var result = (source + under - (SIMD4(repeating: sa + da) - alpha)).clamped(
                lowerBound: .zero, upperBound: SIMD4(repeating: alpha))
            result.w = alpha
            return result
        default:
            let alpha = sa + da - sa * da
            guard sa > 0, da > 0 else { return source + under }
            let (s, d) = (SIMD3(source.x, source.y, source.z), SIMD3(under.x, under.y, under.z))
            // Bitmaps of callers may hold colours that are brighter than their alpha allows.
            let mixed = blend(pointwiseMin(d / da, .one), pointwiseMin(s / sa, .one))
            let colour = s * (1 - da) + d * (1 - sa) + mixed * (sa * da)
            return SIMD4(colour, alpha)
        }
    }

    /// The formula of PDF 32000-1, 11.3.5, for opaque colours.
    private func blend(_ under: SIMD3<Float>, _ source: SIMD3<Float>) -> SIMD3<Float> {
        switch self {
        case .hue: return under.withLuminosity(source.withSaturation(under.saturation), under.luminosity)
        case .saturation: return under.withLuminosity(under.withSaturation(source.saturation), under.luminosity)
        case .color: return under.withLuminosity(source, under.luminosity)
        case .luminosity: return under.withLuminosity(under, source.luminosity)
        default:
            return SIMD3(
                component(under.x, source.x), component(under.y, source.y), component(under.z, source.z))
        }
    }

    private func component(_ b: Float, _ s: Float) -> Float {
        switch self {
        case .multiply: return b * s
        case .screen: return b + s - b * s
        case .overlay: return Self.hardLight(s, b)
        case .darken: return min(b, s)
        case .lighten: return max(b, s)
        case .colorDodge: return b == 0 ? 0 : s >= 1 ? 1 : min(1, b / (1 - s))
        case .colorBurn: return b >= 1 ? 1 : s <= 0 ? 0 : 1 - min(1, (1 - b) / s)
        case .hardLight: return Self.hardLight(b, s)
        case .softLight:
            if s <= 0.5 { return b - (1 - 2 * s) * b * (1 - b) }
            let root = b <= 0.25 ? ((16 * b - 12) * b + 4) * b : b.squareRoot()
            return b + (2 * s - 1) * (root - b)
        case .difference: return abs(b - s)
        case .exclusion: return b + s - 2 * b * s
        default: return s
        }
    }

    private static func hardLight(_ b: Float, _ s: Float) -> Float {
        s <= 0.5 ? 2 * b * s : b + (2 * s - 1) - b * (2 * s - 1)
    }
}

extension SIMD3<Float> {
    fileprivate var luminosity: Float { 0.3 * x + 0.59 * y + 0.11 * z }
    fileprivate var saturation: Float { self.max() - self.min() }

    /// Returns another colour with a luminosity, and its excess clipped.
    fileprivate func withLuminosity(_ colour: SIMD3<Float>, _ luminosity: Float) -> SIMD3<Float> {
        let moved = colour + (luminosity - colour.luminosity)
        let (l, low, high) = (moved.luminosity, moved.min(), moved.max())
        if low < 0 { return l + (moved - l) * (l / (l - low)) }
        if high > 1 { return l + (moved - l) * ((1 - l) / (high - l)) }
        return moved
    }

    fileprivate func withSaturation(_ saturation: Float) -> SIMD3<Float> {
        let (low, range) = (self.min(), self.saturation)
        return range > 0 ? (self - low) * (saturation / range) : .zero
    }
}
