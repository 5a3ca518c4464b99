import CFontconfig
import CHarfBuzz
import VisionImage

/// A family of fonts in one style.
package struct FontRequest: Hashable, Sendable {
    package let family: String
    package let isBold: Bool
    package let isItalic: Bool

    package init(family: String, isBold: Bool = false, isItalic: Bool = false) {
        (self.family, self.isBold, self.isItalic) = (family.contains("\0") ? "" : family, isBold, isItalic)
    }
}

/// An installed font with outlines, opened for HarfBuzz.
///
/// The handles of fontconfig and HarfBuzz are not changed after `init`, and both libraries allow reads of such
/// objects from several threads.
package final class FontFace: @unchecked Sendable {
    /// What fontconfig knows of the font, prepared for rendering.
    private let pattern: OpaquePointer
    let font: OpaquePointer
    /// The units of the font's design in one em.
    let unitsPerEm: Double

    /// The metrics of the font in ems, downwards positive for the descent.
    struct Metrics {
        var ascent = 0.0
        var descent = 0.0
        var leading = 0.0
    }

    let metrics: Metrics

    /// Opens a font.
    ///
    /// - Parameter pattern: The font as fontconfig found it; owned by the face from here on, even where this is nil.
    init?(owning pattern: OpaquePointer) {
        var file: UnsafeMutablePointer<FcChar8>?
        var index: Int32 = 0
        guard Self.isUsable(pattern), FcPatternGetString(pattern, FC_FILE, 0, &file) == FcResultMatch, let file,
            let blob = hb_blob_create_from_file_or_fail(UnsafeRawPointer(file).assumingMemoryBound(to: CChar.self))
        else {
            FcPatternDestroy(pattern)
            return nil
        }
        defer { hb_blob_destroy(blob) }
        FcPatternGetInteger(pattern, FC_INDEX, 0, &index)
        // The low half is the font of a collection, the high one a named instance of a variable font.
        let face = hb_face_create(blob, UInt32(bitPattern: index) & 0xFFFF)
        defer { hb_face_destroy(face) }
        guard hb_face_get_glyph_count(face) > 0, let font = hb_font_create(face) else {
            FcPatternDestroy(pattern)
            return nil
        }
        let instance = UInt32(bitPattern: index) >> 16
        if instance > 0, instance < 0x8000 { hb_font_set_var_named_instance(font, instance - 1) }
        // Where a family has no italics, fontconfig asks for slanted letters.
        var matrix: UnsafeMutablePointer<FcMatrix>?
        if FcPatternGetMatrix(pattern, FC_MATRIX, 0, &matrix) == FcResultMatch, let matrix {
            hb_font_set_synthetic_slant(font, Float(matrix.pointee.xy))
        }
        hb_font_make_immutable(font)
        let units = Double(max(1, hb_face_get_upem(face)))
        var extents = hb_font_extents_t()
        hb_font_get_h_extents(font, &extents)
        metrics = Metrics(
            ascent: Double(extents.ascender) / units, descent: -Double(extents.descender) / units,
            leading: max(0, Double(extents.line_gap) / units))
        (self.pattern, self.font, unitsPerEm) = (pattern, font, units)
    }

    deinit {
        hb_font_destroy(font)
        FcPatternDestroy(pattern)
    }

    /// Whether a font has outlines that HarfBuzz reads: neither bitmaps, nor Type 1.
    private static func isUsable(_ pattern: OpaquePointer) -> Bool {
        var outlines: FcBool = 0
        var format: UnsafeMutablePointer<FcChar8>?
        guard FcPatternGetBool(pattern, FC_OUTLINE, 0, &outlines) == FcResultMatch, outlines != 0,
            FcPatternGetString(pattern, FC_FONTFORMAT, 0, &format) == FcResultMatch, let format
        else { return false }
        return ["TrueType", "CFF"].contains(String(cString: format))
    }

    /// Whether the font has a glyph of each character.
    func covers(_ scalars: some Sequence<UInt32>) -> Bool {
        var glyph: hb_codepoint_t = 0
        return scalars.allSatisfy { hb_font_get_nominal_glyph(font, $0, &glyph) != 0 }
    }

    /// Runs a closure with fontconfig's pattern of the font (`FcPattern`), which is valid inside it only.
    package func withPattern<Result>(_ body: (OpaquePointer) -> Result) -> Result { body(pattern) }
}
