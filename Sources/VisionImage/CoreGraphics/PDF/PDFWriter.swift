package import Foundation

/// Collects the pages of a document and writes them as PDF 1.5. Coordinates are points, as on the page.
package final class PDFWriter {
    /// Parts of a page's content that name an object: images, fonts and graphics states.
    private struct Page {
        let box: CGRect
        var content = ""
        var depth = 0
        var images: [Int] = []
        var opacities: Set<Int> = []
        var hasText = false
    }

    /// An image and its object. The image is not kept: a document of many photos would hold all of them, decoded.
    private struct Drawn {
        weak var image: CGImage?
        let object: Int
    }

    private var file = Data("%PDF-1.5\n%\u{e2}\u{e3}\u{cf}\u{d3}\n".utf8)
    /// Where each object begins, of which the first has the number 1. The first two come at the end.
    private var offsets = [0, 0]
    private var pages: [Int] = []
    private var page: Page?
    private var fontObject: Int?
    /// What was drawn already.
    private var drawn: [ObjectIdentifier: Drawn] = [:]
    private let information: [String: String]
    private let defaultBox: CGRect

    private static let (catalog, pageTree) = (1, 2)

    /// - Parameter information: Title, Author, Subject, Creator, Keywords.
    package init(mediaBox: CGRect, information: [String: String]) {
        (defaultBox, self.information) = (mediaBox, information)
    }

    // MARK: - Pages

    package func beginPage(_ box: CGRect?) {
        endPage()
        page = Page(box: box ?? defaultBox)
    }

    func endPage() {
        guard var page else { return }
        self.page = nil
        page.content += String(repeating: "Q\n", count: page.depth)
        let content = add(stream: Data(page.content.utf8), "")
        var resources = "/ProcSet [/PDF /Text /ImageB /ImageC]"
        if !page.images.isEmpty {
            resources += " /XObject <<\(page.images.map { " /Im\($0) \($0) 0 R" }.joined())>>"
        }
        if !page.opacities.isEmpty {
            let states = page.opacities.sorted().map { level -> String in
                let value = Self.number(CGFloat(level) / 1000)
                return " /GS\(level) <</ca \(value) /CA \(value)>>"
            }
            resources += " /ExtGState <<\(states.joined())>>"
        }
        if page.hasText, let fontObject { resources += " /Font <</F0 \(fontObject) 0 R>>" }
        let box = page.box
        let edges = [box.minX, box.minY, box.maxX, box.maxY].map(Self.number).joined(separator: " ")
        pages.append(
            add(
                "<</Type /Page /Parent \(Self.pageTree) 0 R /MediaBox [\(edges)] /Contents \(content) 0 R "
                    + "/Resources <<\(resources)>>>>"))
    }

    /// Ends the document and returns its bytes.
    package func finished() -> Data {
        endPage()
        write(object: Self.catalog, Data("<</Type /Catalog /Pages \(Self.pageTree) 0 R>>".utf8))
        let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
        write(object: Self.pageTree, Data("<</Type /Pages /Kids [\(kids)] /Count \(pages.count)>>".utf8))
        let facts = information.keys.sorted().map { "/\($0) \(Self.text(information[$0] ?? ""))" }
        let factsObject = add("<<\(facts.joined(separator: " "))>>")
        let start = file.count
        var table = "xref\n0 \(offsets.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            table += String(repeating: "0", count: max(0, 10 - digits.count)) + digits + " 00000 n \n"
        }
        table += "trailer\n<</Size \(offsets.count + 1) /Root \(Self.catalog) 0 R /Info \(factsObject) 0 R>>\n"
        table += "startxref\n\(start)\n%%EOF\n"
        file.append(Data(table.utf8))
        return file
    }

    // MARK: - Content

    func saveState() {
        write("q")
        page?.depth += 1
    }

    func restoreState() {
        guard let depth = page?.depth, depth > 0 else { return }
        write("Q")
        page?.depth = depth - 1
    }

    func fill(_ outline: PathOutline, _ rule: CGPathFillRule, _ colour: Colour, opacity: CGFloat) {
        guard let path = Self.operators(of: outline) else { return }
        setOpacity(opacity * CGFloat(colour.alpha))
        let parts = [colour.red, colour.green, colour.blue].map { Self.number(CGFloat($0) / 255) }
        write(parts.joined(separator: " ") + " rg\n" + path + (rule == .winding ? "f" : "f*"))
    }

    func clip(_ outline: PathOutline, _ rule: CGPathFillRule) {
        // A clip without a path lets nothing through.
        let path = Self.operators(of: outline) ?? "0 0 0 0 re\n"
        write(path + (rule == .winding ? "W n" : "W* n"))
    }

    /// Draws an image to the unit square under a transform.
    func draw(_ image: CGImage, _ transform: CGAffineTransform, opacity: CGFloat) {
        guard page != nil, let matrix = Self.operands(of: transform) else { return }
        // An image that is drawn again is in the document once. Another one may have got its identifier since.
        var known = drawn[ObjectIdentifier(image)]
        if known?.image !== image { known = imageObject(image).map { Drawn(image: image, object: $0) } }
        guard let known else { return }
        drawn[ObjectIdentifier(image)] = known
        setOpacity(opacity)
        show(known.object, matrix)
    }

    /// Draws the image of a JPEG file, of red, green and blue, as it is to the unit square under a transform.
    package func draw(jpeg: Data, width: Int, height: Int, _ transform: CGAffineTransform) {
        guard page != nil, let matrix = Self.operands(of: transform) else { return }
        let entries =
            " /Type /XObject /Subtype /Image /Width \(width) /Height \(height) /BitsPerComponent 8"
            + " /ColorSpace /DeviceRGB /Filter /DCTDecode"
        show(add(stream: jpeg, entries), matrix)
    }

    private func show(_ image: Int, _ matrix: String) {
        write("q\n\(matrix) cm\n/Im\(image) Do\nQ")
        if page?.images.contains(image) == false { page?.images.append(image) }
    }

    /// Writes text that is not seen, but found and copied.
    ///
    /// - Parameters:
    ///   - width: From the start to the end of the text, before the transform.
    ///   - transform: From the coordinates of the text, with the baseline at 0, to the page.
    package func write(text: String, size: CGFloat, width: CGFloat, _ transform: CGAffineTransform) {
        let units = Array(text.utf16)
        guard page != nil, !units.isEmpty, size > 0, width > 0, let matrix = Self.operands(of: transform) else {
            return
        }
        if fontObject == nil { fontObject = addFont() }
        page?.hasText = true
        let scale = 100 * width / (CGFloat(units.count) * Self.letterWidth / 1000 * size)
        let font = "/F0 \(Self.number(size)) Tf\n\(Self.number(scale)) Tz"
        write("BT\n3 Tr\n\(font)\n\(matrix) Tm\n\(Self.digits(units)) Tj\nET")
    }

    private func write(_ operators: String) { page?.content += operators + "\n" }

    private func setOpacity(_ opacity: CGFloat) {
        let level = Int((min(max(opacity, 0), 1) * 1000).rounded())
        page?.opacities.insert(level)
        write("/GS\(level) gs")
    }

    /// The operators of a path; nil without elements, or if a coordinate is not finite.
    private static func operators(of outline: PathOutline) -> String? {
        guard !outline.points.isEmpty, outline.points.allSatisfy({ $0.x.magnitude < 1e9 && $0.y.magnitude < 1e9 })
        else { return nil }
        var (text, current) = ("", CGPoint.zero)
        outline.forEach { type, points in
            func put(_ points: [CGPoint], _ name: String) {
                text += points.map { number($0.x) + " " + number($0.y) }.joined(separator: " ") + " " + name + "\n"
            }
            let points = Array(points)
            switch type {
            case .moveToPoint: put(points, "m")
            case .addLineToPoint: put(points, "l")
            case .addCurveToPoint: put(points, "c")
            case .addQuadCurveToPoint:
                // The same curve of the third degree.
                func between(_ end: CGPoint) -> CGPoint {
                    CGPoint(x: end.x + (points[0].x - end.x) * 2 / 3, y: end.y + (points[0].y - end.y) * 2 / 3)
                }
                put([between(current), between(points[1]), points[1]], "c")
            case .closeSubpath: text += "h\n"
            }
            if let last = points.last { current = last }
        }
        return text
    }

    private static func operands(of transform: CGAffineTransform) -> String? {
        let values = [transform.a, transform.b, transform.c, transform.d, transform.tx, transform.ty]
        guard values.allSatisfy({ $0.magnitude < 1e9 }) else { return nil }
        return values.map(number).joined(separator: " ")
    }

    /// Without an exponent, which PDF lacks.
    static func number(_ value: CGFloat) -> String {
        let millionths = (Double(value) * 1e5).rounded()
        guard millionths.magnitude < 1e17 else { return "0" }
        let (whole, rest) = Int(millionths.magnitude).quotientAndRemainder(dividingBy: 100_000)
        let sign = millionths < 0 ? "-" : ""
        guard rest != 0 else { return sign + "\(whole)" }
        let digits = String(rest + 100_000).dropFirst()
        return sign + "\(whole)." + String(digits.reversed().drop { $0 == "0" }.reversed())
    }

    /// A string of UTF-16.
    private static func text(_ text: String) -> String { digits([0xFEFF] + Array(text.utf16)) }

    private static func digits(_ units: [UInt16]) -> String {
        let digits = units.map { unit -> String in
            let hex = String(unit, radix: 16, uppercase: true)
            return String(repeating: "0", count: 4 - hex.count) + hex
        }
        return "<\(digits.joined())>"
    }

    // MARK: - Objects

    private func add(_ text: String) -> Int {
        offsets.append(0)
        write(object: offsets.count, Data(text.utf8))
        return offsets.count
    }

    private func add(stream: Data, _ entries: String) -> Int {
        offsets.append(0)
        let head = Data("<</Length \(stream.count)\(entries)>>\nstream\n".utf8)
        write(object: offsets.count, head, stream, Data("\nendstream".utf8))
        return offsets.count
    }

    private func write(object number: Int, _ parts: Data...) {
        offsets[number - 1] = file.count
        file.append(Data("\(number) 0 obj\n".utf8))
        for part in parts { file.append(part) }
        file.append(Data("\nendobj\n".utf8))
    }

    /// An image without loss; its opacity is an image of its own. Nil if memory is short.
    private func imageObject(_ image: CGImage) -> Int? {
        let raster = image.raster
        let opaque = [.none, .noneSkipFirst, .noneSkipLast].contains(image.alphaInfo)
        var mask = ""
        if !opaque {
            guard let alpha = try? PDFImage.opacity(of: raster), let stream = try? PDFImage(alpha) else { return nil }
            mask = " /SMask \(add(stream: stream.data, stream.entries)) 0 R"
        }
        let multiplied = image.alphaInfo == .premultipliedFirst || image.alphaInfo == .premultipliedLast
        guard let colours = try? PDFImage.colours(of: raster, dividesByAlpha: multiplied),
            let stream = try? PDFImage(colours)
        else { return nil }
        return add(stream: stream.data, stream.entries + mask)
    }

    /// The width of every letter in thousandths of the size: text is scaled to its own width.
    private static let letterWidth: CGFloat = 500

    /// A font without outlines whose codes are UTF-16.
    private func addFont() -> Int {
        let map = """
            /CIDInit /ProcSet findresource begin
            12 dict begin
            begincmap
            /CIDSystemInfo <</Registry (Adobe) /Ordering (UCS) /Supplement 0>> def
            /CMapName /Adobe-Identity-UCS def
            /CMapType 2 def
            1 begincodespacerange
            <0000> <FFFF>
            endcodespacerange
            1 beginbfrange
            <0000> <FFFF> <0000>
            endbfrange
            endcmap
            CMapName currentdict /CMap defineresource pop
            end
            end
            """
        let unicode = add(stream: Data(map.utf8), "")
        let descriptor = add(
            "<</Type /FontDescriptor /FontName /Invisible /Flags 5 /FontBBox [0 0 500 1000] /ItalicAngle 0 "
                + "/Ascent 1000 /Descent -1 /CapHeight 1000 /StemV 80>>")
        let letters = add(
            "<</Type /Font /Subtype /CIDFontType2 /BaseFont /Invisible /CIDToGIDMap /Identity /DW 500 "
                + "/CIDSystemInfo <</Registry (Adobe) /Ordering (Identity) /Supplement 0>> "
                + "/FontDescriptor \(descriptor) 0 R>>")
        return add(
            "<</Type /Font /Subtype /Type0 /BaseFont /Invisible /Encoding /Identity-H "
                + "/DescendantFonts [\(letters) 0 R] /ToUnicode \(unicode) 0 R>>")
    }
}
