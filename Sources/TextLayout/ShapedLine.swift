/// Text in one font.
package struct TextPiece {
    package var text: String
    package var font: FontRequest
    /// The size of the font in units of the drawing.
    package var size: Double

    package init(text: String, font: FontRequest, size: Double) {
        (self.text, self.font, self.size) = (text, font, size)
    }
}

/// A glyph of a font and where its origin is, from the start of the line, y up.
package struct PositionedGlyph: Sendable {
    package var identifier: UInt32
    package var x: Double
    package var y: Double
}

/// Glyphs of one font, one direction and one piece, in visual order from left to right.
package struct GlyphRun: Sendable {
    /// The index of the piece of which the run is a part.
    package var piece: Int
    /// The characters of the run in the order of reading.
    package var text: String
    package var face: FontFace
    package var size: Double
    package var isRightToLeft: Bool
    /// Where the run begins, from the start of the line, and how wide it is.
    package var offset: Double
    package var width: Double
    package var glyphs: [PositionedGlyph]
}

/// A line of text as positioned glyphs: HarfBuzz shapes it (ligatures, kerning, marks, Arabic and Indic scripts),
/// FriBidi orders parts that are written from right to left, and fontconfig finds fonts for what the font of a piece
/// lacks.
///
/// Without an installed font a line has no runs.
package struct ShapedLine {
    /// In visual order, from left to right.
    package private(set) var runs: [GlyphRun] = []
    package private(set) var width = 0.0
    /// Whether a character has no glyph in any installed font: it is drawn as the box of the first font.
    package private(set) var lacksGlyphs = false

    /// The largest ascent, descent and leading of the fonts of the pieces and the runs.
    package private(set) var ascent = 0.0
    package private(set) var descent = 0.0
    package private(set) var leading = 0.0

    /// Longer lines end here.
    package static let maximumLength = 1 << 20

    /// - Parameter roundsAdvances: Whether each glyph is a whole number of units wide, for small letters on pixels.
    package init(_ pieces: [TextPiece], roundsAdvances: Bool = false) {
        let line = LineCharacters(pieces)
        for piece in pieces {
            if let face = FontCatalog.fonts(for: piece.font).primary { grow(face, piece.size) }
        }
        for part in line.visualParts {
            guard let face = part.face else { continue }
            let piece = pieces[part.piece]
            let shaped = face.shape(line.scalars, part.range, part.script, isRightToLeft: part.level % 2 == 1)
            let scale = piece.size / face.unitsPerEm
            var (pen, glyphs) = (0.0, [PositionedGlyph]())
            glyphs.reserveCapacity(shaped.count)
            for glyph in shaped {
                glyphs.append(
                    PositionedGlyph(
                        identifier: glyph.identifier, x: width + pen + glyph.dx * scale, y: glyph.dy * scale))
                let advance = glyph.advance * scale
                pen += roundsAdvances ? advance.rounded() : advance
                lacksGlyphs = lacksGlyphs || glyph.identifier == 0
            }
            grow(face, piece.size)
            runs.append(
                GlyphRun(
                    piece: part.piece, text: line.text(part.range), face: face, size: piece.size,
                    isRightToLeft: part.level % 2 == 1, offset: width, width: pen, glyphs: glyphs))
            width += pen
        }
    }

    private mutating func grow(_ face: FontFace, _ size: Double) {
        ascent = max(ascent, face.metrics.ascent * size)
        descent = max(descent, face.metrics.descent * size)
        leading = max(leading, face.metrics.leading * size)
    }
}

/// The characters of a line, and what is known of each.
private struct LineCharacters {
    var scalars: [UInt32] = []
    private var pieces: [Int] = []
    private var faces: [FontFace?] = []

    /// Characters with all in common that decides how they are shaped.
    struct Part {
        var range: Range<Int>
        var piece: Int
        var face: FontFace?
        var script: UInt32
        var level: Int8
    }

    init(_ texts: [TextPiece]) {
        for (index, piece) in texts.enumerated() {
            let fonts = FontCatalog.fonts(for: piece.font)
            var previous: FontFace?
            for character in piece.text {
                // Line breaks and other controls have no shape, and would end a paragraph.
                let cluster = character.unicodeScalars.map { scalar in
                    switch scalar.properties.generalCategory {
                    case .control, .lineSeparator, .paragraphSeparator: UInt32(0x20)
                    default: scalar.value
                    }
                }
                guard scalars.count + cluster.count <= ShapedLine.maximumLength else { return }
                previous = fonts.face(for: cluster, previous: previous)
                scalars += cluster
                pieces += Array(repeating: index, count: cluster.count)
                faces += Array(repeating: previous, count: cluster.count)
            }
        }
    }

    func text(_ range: Range<Int>) -> String {
        String(String.UnicodeScalarView(scalars[range].compactMap(Unicode.Scalar.init)))
    }

    /// The parts in visual order.
    var visualParts: [Part] {
        let levels = TextAnalysis.levels(of: scalars)
        let scripts = TextAnalysis.scripts(of: scalars)
        var parts: [Part] = []
        for index in scalars.indices {
            if let last = parts.last, last.piece == pieces[index], last.face === faces[index],
                last.script == scripts[index], last.level == levels[index]
            {
                parts[parts.count - 1].range = last.range.lowerBound..<index + 1
            } else {
                parts.append(
                    Part(
                        range: index..<index + 1, piece: pieces[index], face: faces[index], script: scripts[index],
                        level: levels[index]))
            }
        }
        // Rule L2 of Unicode's bidirectional algorithm: from the highest level down, sequences of at least that
        // level are reversed.
        let highest = parts.map(\.level).max() ?? 0
        for level in stride(from: highest, to: 0, by: -1) {
            var start = 0
            while start < parts.count {
                guard parts[start].level >= level else {
                    start += 1
                    continue
                }
                let end = parts[start...].firstIndex { $0.level < level } ?? parts.count
                parts[start..<end].reverse()
                start = end
            }
        }
        return parts
    }
}
