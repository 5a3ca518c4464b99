import Foundation
import Vision

/// A PDF of photos with their text: each page shows a photo, and holds the words invisibly where the photo shows them,
/// so that the document can be searched and its text copied.
///
/// The words are set in fonts without shapes (Type 3), each of at most 255 characters with a table that says what they
/// are in Unicode: no font file is needed for any script.
struct SearchablePDF {
    /// The unit of a PDF is 1/72 inch; photos are taken to have this many pixels per inch.
    private static let resolution = 150.0
    private static let codesOfFont = 255

    private var bytes = Data()
    /// Where each object begins; objects count from 1.
    private var offsets: [Int: Int] = [:]
    /// The objects with fixed numbers: the catalogue and the tree of pages.
    private var nextObject = 3

    /// Returns the document.
    ///
    /// - Throws: The error of decoding a photo or encoding it again.
    static func document(of pages: [TextPage]) throws -> Data {
        var pdf = SearchablePDF()
        return try pdf.write(pages)
    }

    private mutating func write(_ pages: [TextPage]) throws -> Data {
        bytes.append(Data("%PDF-1.7\n%âãÏÓ\n".utf8))
        let characters = Set(pages.flatMap { $0.lines.flatMap { $0.words.flatMap { $0.text } } }).sorted()
        var codes: [Character: (font: Int, code: Int)] = [:]
        for (index, character) in characters.enumerated() {
            codes[character] = (index / Self.codesOfFont, index % Self.codesOfFont + 1)
        }
        let groups = stride(from: 0, to: characters.count, by: Self.codesOfFont).map {
            Array(characters[$0..<min($0 + Self.codesOfFont, characters.count)])
        }
        let fonts = groups.map { addFont($0) }
        let resources = fonts.enumerated().map { "/F\($0) \($1) 0 R" }.joined(separator: " ")
        var kids: [Int] = []
        for page in pages {
            let image = try addImage(page.photo)
            let (width, height) = (
                Double(page.photo.width) * 72 / Self.resolution, Double(page.photo.height) * 72 / Self.resolution
            )
            var content = "q \(number(width)) 0 0 \(number(height)) 0 0 cm /I Do Q\nBT 3 Tr\n"
            for word in page.lines.flatMap(\.words) { content += text(word, page, codes) }
            let stream = add(stream: Data((content + "ET\n").utf8), "")
            kids.append(
                add(
                    "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 \(number(width)) \(number(height))] "
                        + "/Contents \(stream) 0 R /Resources << /XObject << /I \(image) 0 R >> "
                        + "/Font << \(resources) >> >> >>"
                ))
        }
        set(2, "<< /Type /Pages /Count \(kids.count) /Kids [\(kids.map { "\($0) 0 R" }.joined(separator: " "))] >>")
        set(1, "<< /Type /Catalog /Pages 2 0 R >>")
        return finished()
    }

    // MARK: - Text

    /// Sets one word: stretched to its box, and along its line.
    private func text(_ word: TextWord, _ page: TextPage, _ codes: [Character: (font: Int, code: Int)]) -> String {
        let corners = word.quad.corners.map {
            (x: Double($0.x), y: Double(page.photo.height) - Double($0.y))
        }
        let (left, right, top) = (corners[3], corners[2], corners[0])
        let length = hypot(right.x - left.x, right.y - left.y)
        let height = hypot(top.x - left.x, top.y - left.y)
        guard length.isFinite, height.isFinite, length > 0, height > 0, !word.text.isEmpty else { return "" }
        let scale = 72 / Self.resolution
        let (c, s) = ((right.x - left.x) / length, (right.y - left.y) / length)
        // Every character is one unit wide: the words are stretched to their boxes, with the space behind them.
        let stretch = length / (Double(word.text.count) * height)
        let matrix = [c * stretch, s * stretch, -s, c, left.x * scale, left.y * scale]
        var result = matrix.map(number).joined(separator: " ") + " Tm\n"
        var font: Int?
        var run = ""
        func flushed() -> String { run.isEmpty ? "" : "<\(run)> Tj\n" }
        for character in word.text {
            guard let entry = codes[character] else { continue }
            if font != entry.font {
                result += flushed()
                run = ""
                font = entry.font
                result += "/F\(entry.font) \(number(height * scale)) Tf\n"
            }
            run += String(format: "%02X", entry.code)
        }
        return result + flushed()
    }

    private mutating func addFont(_ characters: [Character]) -> Int {
        let shape = add(stream: Data("1000 0 d0\n".utf8), "")
        let names = characters.indices.map { "/c\($0 + 1)" }
        var map = """
            /CIDInit /ProcSet findresource begin 12 dict begin begincmap /CMapType 2 def /CMapName /T def
            1 begincodespacerange <00> <FF> endcodespacerange

            """
        for start in stride(from: 0, to: characters.count, by: 100) {
            let part = characters[start..<min(start + 100, characters.count)]
            map += "\(part.count) beginbfchar\n"
            for (index, character) in part.enumerated() {
                let units = String(character).utf16.map { String(format: "%04X", $0) }.joined()
                map += String(format: "<%02X> ", start + index + 1) + "<\(units)>\n"
            }
            map += "endbfchar\n"
        }
        map += "endcmap CMapName currentdict /CMap defineresource pop end end\n"
        let unicode = add(stream: Data(map.utf8), "")
        let shapes = names.map { "\($0) \(shape) 0 R" }.joined(separator: " ")
        let widths = [String](repeating: "1000", count: characters.count).joined(separator: " ")
        return add(
            "<< /Type /Font /Subtype /Type3 /FontBBox [0 0 1000 1000] /FontMatrix [0.001 0 0 0.001 0 0] /FirstChar 1 "
                + "/LastChar \(characters.count) /Widths [\(widths)] /CharProcs << \(shapes) >> /Encoding << /Type "
                + "/Encoding /Differences [1 \(names.joined(separator: " "))] >> /ToUnicode \(unicode) 0 R /Resources "
                + "<< >> >>")
    }

    // MARK: - Objects

    private mutating func addImage(_ photo: Photo) throws -> Int {
        let jpeg = try photo.jpeg()
        return add(
            stream: jpeg,
            "/Type /XObject /Subtype /Image /Width \(photo.width) /Height \(photo.height) /ColorSpace /DeviceRGB "
                + "/BitsPerComponent 8 /Filter /DCTDecode ")
    }

    private mutating func add(_ body: String) -> Int {
        nextObject += 1
        set(nextObject - 1, body)
        return nextObject - 1
    }

    private mutating func set(_ object: Int, _ body: String) {
        offsets[object] = bytes.count
        bytes.append(Data("\(object) 0 obj\n\(body)\nendobj\n".utf8))
    }

    private mutating func add(stream: Data, _ dictionary: String) -> Int {
        nextObject += 1
        offsets[nextObject - 1] = bytes.count
        bytes.append(
            Data("\(nextObject - 1) 0 obj\n<< \(dictionary)/Length \(stream.count) >>\nstream\n".utf8))
        bytes.append(stream)
        bytes.append(Data("\nendstream\nendobj\n".utf8))
        return nextObject - 1
    }

    private mutating func finished() -> Data {
        let start = bytes.count
        var table = "xref\n0 \(nextObject)\n0000000000 65535 f \n"
        for object in 1..<nextObject { table += String(format: "%010d 00000 n \n", offsets[object] ?? 0) }
        bytes.append(
            Data("\(table)trailer\n<< /Size \(nextObject) /Root 1 0 R >>\nstartxref\n\(start)\n%%EOF\n".utf8))
        return bytes
    }

    private func number(_ value: Double) -> String { Decimals.text(value, 4) }
}
