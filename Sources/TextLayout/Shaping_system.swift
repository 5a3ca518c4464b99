import CFriBidi
import CHarfBuzz

/// A glyph in the units of its font: how far its origin is moved, and how far the next one is.
struct ShapedGlyph {
    var identifier: UInt32
    var dx: Double
    var dy: Double
    var advance: Double
}

extension FontFace {
    /// Returns the glyphs of a part of a text from left to right.
    ///
    /// - Parameters:
    ///   - text: All characters of the line: those around the part decide how its ends join.
    ///   - script: HarfBuzz's tag of the script.
    func shape(_ text: [UInt32], _ range: Range<Int>, _ script: UInt32, isRightToLeft: Bool) -> [ShapedGlyph] {
        let buffer = hb_buffer_create()
        defer { hb_buffer_destroy(buffer) }
        hb_buffer_add_utf32(
            buffer, text, Int32(clamping: text.count), UInt32(clamping: range.lowerBound), Int32(clamping: range.count))
        hb_buffer_set_direction(buffer, isRightToLeft ? HB_DIRECTION_RTL : HB_DIRECTION_LTR)
        hb_buffer_set_script(buffer, hb_script_t(rawValue: script))
        hb_shape(font, buffer, nil, 0)
        var count: UInt32 = 0
        guard let glyphs = hb_buffer_get_glyph_infos(buffer, &count),
            let positions = hb_buffer_get_glyph_positions(buffer, &count)
        else { return [] }
        return (0..<Int(count)).map { index in
            let position = positions[index]
            return ShapedGlyph(
                identifier: glyphs[index].codepoint, dx: Double(position.x_offset), dy: Double(position.y_offset),
                advance: Double(position.x_advance))
        }
    }
}

/// What Unicode says of the characters of a line.
enum TextAnalysis {
    /// The level of each character: odd ones go from right to left. The first letter decides the direction of the line.
    static func levels(of scalars: [UInt32]) -> [Int8] {
        let count = FriBidiStrIndex(clamping: scalars.count)
        var levels = [Int8](repeating: 0, count: scalars.count)
        // Without a character from Hebrew on, all go from left to right.
        guard scalars.contains(where: { $0 >= 0x590 }) else { return levels }
        var types = [FriBidiCharType](repeating: FRIBIDI_TYPE_ON, count: scalars.count)
        var brackets = [FriBidiBracketType](repeating: 0, count: scalars.count)
        fribidi_get_bidi_types(scalars, count, &types)
        fribidi_get_bracket_types(scalars, count, types, &brackets)
        var direction = FRIBIDI_PAR_ON
        guard fribidi_get_par_embedding_levels_ex(types, brackets, count, &direction, &levels) != 0 else {
            return [Int8](repeating: 0, count: scalars.count)
        }
        return levels
    }

    /// The script of each character; marks and punctuation have that of the letters before, or of the first ones.
    static func scripts(of scalars: [UInt32]) -> [UInt32] {
        let functions = hb_unicode_funcs_get_default()
        let shared = [HB_SCRIPT_COMMON, HB_SCRIPT_INHERITED, HB_SCRIPT_UNKNOWN]
        var scripts = scalars.map { hb_unicode_script(functions, $0) }
        var current = scripts.first { !shared.contains($0) } ?? HB_SCRIPT_COMMON
        for index in scripts.indices {
            if shared.contains(scripts[index]) { scripts[index] = current } else { current = scripts[index] }
        }
        return scripts.map(\.rawValue)
    }
}
