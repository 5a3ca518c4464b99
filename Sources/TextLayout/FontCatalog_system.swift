import CFontconfig
import Foundation
import VisionThreads

/// The installed fonts for one request, in the order in which they are asked for a glyph: the font that is nearest to
/// the request, then the others as fontconfig sorts them by style and language of the environment.
final class FontSet: Sendable {
    /// The nearest font; nil if no font is installed.
    let primary: FontFace?

    private struct Others {
        var fonts: UnsafeMutablePointer<FcFontSet>
        var request: OpaquePointer
        /// The fonts that were opened, by their index; nil for those that cannot be read.
        var opened: [Int: FontFace?] = [:]
    }

    /// Nil until the first character that the nearest font lacks: sorting takes time where many fonts are installed.
    private let others = Locked<Others?>(nil)

    private let request: FontRequest

    init(_ request: FontRequest) {
        self.request = request
        var result = FcResultMatch
        let pattern = Self.pattern(request)
        defer { FcPatternDestroy(pattern) }
        let nearest = FcFontMatch(nil, pattern, &result).flatMap(FontFace.init(owning:))
        primary = nearest ?? Self.firstUsable(pattern)
    }

    deinit {
        others.withLock {
            guard let value = $0 else { return }
            FcFontSetDestroy(value.fonts)
            FcPatternDestroy(value.request)
        }
    }

    /// Returns the font with which a cluster of characters is drawn.
    ///
    /// - Parameters:
    ///   - scalars: A base character and the marks on it.
    ///   - previous: The font of the cluster before, which goes on if it can: words look better in one font.
    func face(for scalars: some Collection<UInt32>, previous: FontFace?) -> FontFace? {
        guard let primary else { return nil }
        let shown = scalars.filter { !Self.isInvisible($0) }
        if shown.isEmpty { return previous ?? primary }
        for face in [primary, previous] { if let face, face.covers(shown) { return face } }
        let composed = String(String.UnicodeScalarView(shown.compactMap(Unicode.Scalar.init)))
            .precomposedStringWithCanonicalMapping.unicodeScalars.map(\.value)
        if primary.covers(composed) { return primary }
        return firstOther { $0.covers(shown) } ?? firstOther { $0.covers(shown.prefix(1)) } ?? primary
    }

    /// Whether a character needs no glyph: joiners, variation selectors, marks of direction.
    private static func isInvisible(_ scalar: UInt32) -> Bool {
        Unicode.Scalar(scalar)?.properties.isDefaultIgnorableCodePoint ?? false
    }

    private func firstOther(where matches: (FontFace) -> Bool) -> FontFace? {
        others.withLock { others in
            if others == nil {
                var result = FcResultMatch
                guard let pattern = Self.pattern(request) else { return nil }
                guard let fonts = FcFontSort(nil, pattern, FcTrue, nil, &result) else {
                    FcPatternDestroy(pattern)
                    return nil
                }
                others = Others(fonts: fonts, request: pattern)
            }
            guard var value = others else { return nil }
            defer { others = value }
            for index in 0..<Int(value.fonts.pointee.nfont) {
                guard let font = value.fonts.pointee.fonts[index] else { continue }
                let face =
                    value.opened[index]
                    ?? FcFontRenderPrepare(nil, value.request, font).flatMap(FontFace.init(owning:))
                value.opened[index] = .some(face)
                if let face, matches(face) { return face }
            }
            return nil
        }
    }

    /// The request in fontconfig's terms, with the rules of the system applied.
    private static func pattern(_ request: FontRequest) -> OpaquePointer? {
        let pattern = FcPatternCreate()
        if !request.family.isEmpty { FcPatternAddString(pattern, FC_FAMILY, request.family) }
        FcPatternAddInteger(pattern, FC_WEIGHT, request.isBold ? FC_WEIGHT_BOLD : FC_WEIGHT_NORMAL)
        FcPatternAddInteger(pattern, FC_SLANT, request.isItalic ? FC_SLANT_ITALIC : FC_SLANT_ROMAN)
        FcPatternAddBool(pattern, FC_OUTLINE, FcTrue)
        FcConfigSubstitute(nil, pattern, FcMatchPattern)
        FcDefaultSubstitute(pattern)
        return pattern
    }

    private static func firstUsable(_ pattern: OpaquePointer?) -> FontFace? {
        var result = FcResultMatch
        guard let fonts = FcFontSort(nil, pattern, FcTrue, nil, &result) else { return nil }
        defer { FcFontSetDestroy(fonts) }
        for index in 0..<Int(fonts.pointee.nfont) {
            guard let font = fonts.pointee.fonts[index] else { continue }
            if let face = FcFontRenderPrepare(nil, pattern, font).flatMap(FontFace.init(owning:)) { return face }
        }
        return nil
    }
}

/// The fonts of the requests of this process.
enum FontCatalog {
    private static let sets = Locked<[FontRequest: FontSet]>([:])
    /// Names of families may come from outside.
    private static let limit = 64

    static func fonts(for request: FontRequest) -> FontSet {
        sets.withLock { sets in
            if let found = sets[request] { return found }
            if sets.count >= limit { sets.removeAll() }
            let made = FontSet(request)
            sets[request] = made
            return made
        }
    }
}
