import Foundation

/// Collects the pages of a document and writes them as PDF 1.5. Coordinates are points, as on the page.
final class PDFWriter {
    /// Parts of a page's content that name an object: images, fonts and graphics states.
    private struct Page {
        let box: CGRect
        var content = ""
        var depth = 0
        var images: [Int] = []
        var opacities: Set<Int> = []
        var hasText = false
    }

    /// The objects, of which the first has the number 1; nil for one that comes at the end.
    private var objects: [Data?] = [nil, nil]
    private var pages: [Int] = []
    private var page: Page?
    private var fontObject: Int?
    /// What was drawn already; the images are kept, so that no other one gets the identifier.
    private var imageObjects: [ObjectIdentifier: (image: CGImage, object: Int)] = [:]
    private let information: [String: String]
    private let defaultBox: CGRect

    private static let (catalog, pageTree) = (1, 2)

    /// - Parameter information: Title, Author, Subject, Creator, Keywords.
    init(mediaBox: CGRect, information: [String: String]) {
        (defaultBox, self.information) = (mediaBox, information)
    }

    // MARK: - Pages

    func beginPage(_ box: CGRect?) {
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

    /// The bytes of the document with the pages so far.
    func finished() -> Data {
        endPage()
        objects[Self.catalog - 1] = Data("<</Type /Catalog /Pages \(Self.pageTree) 0 R>>".utf8)
        let kids = pages.map { "\($0) 0 R" }.joined(separator: " ")
        objects[Self.pageTree - 1] = Data("<</Type /Pages /Kids [\(kids)] /Count \(pages.count)>>".utf8)
        let facts = information.keys.sorted().map { "/\($0) \(Self.text(information[$0] ?? ""))" }
        let factsObject = add("<<\(facts.joined(separator: " "))>>")
        var file = Data("%PDF-1.5\n%\u{e2}\u{e3}\u{cf}\u{d3}\n".utf8)
        var offsets: [Int] = []
        for (index, object) in objects.enumerated() {
            offsets.append(file.count)
            file.append(Data("\(index + 1) 0 obj\n".utf8) + (object ?? Data("null".utf8)) + Data("\nendobj\n".utf8))
        }
        let start = file.count
        var table = "xref\n0 \(objects.count + 1)\n0000000000 65535 f \n"
        for offset in offsets {
            let digits = String(offset)
            table += String(repeating: "0", count: max(0, 10 - digits.count)) + digits + " 00000 n \n"
        }
        table += "trailer\n<</Size \(objects.count + 1) /Root \(Self.catalog) 0 R /Info \(factsObject) 0 R>>\n"
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
        // An image that is drawn again is in the document once.
        guard let object = imageObjects[ObjectIdentifier(image)]?.object ?? imageObject(image) else { return }
        imageObjects[ObjectIdentifier(image)] = (image, object)
        setOpacity(opacity)
        write("q\n\(matrix) cm\n/Im\(object) Do\nQ")
        if page?.images.contains(object) == false { page?.images.append(object) }
    }

    /// Writes text that is not seen, but found and copied.
    ///
    /// - Parameters:
    ///   - width: From the start to the end of the text, before the transform.
    ///   - transform: From the coordinates of the text, with the baseline at 0, to the page.
    func write(text: String, size: CGFloat, width: CGFloat, _ transform: CGAffineTransform) {
        let units = Array(text.utf16)
        guard page != nil, !units.isEmpty, size > 0, width > 0, let matrix = Self.operands(of: transform) else {
            return
        }
        if fontObject == nil { fontObject = addFont() }
        page?.hasText = true
        let scale = 100 * width / (CGFloat(units.count) * Self.letterWidth / 1000 * size)
        let digits = units.map { unit in
            let hex = String(unit, radix: 16, uppercase: true)
            return String(repeating: "0", count: 4 - hex.count) + hex
        }
        write(
            "BT\n3 Tr\n/F0 \(Self.number(size)) Tf\n\(Self.number(scale)) Tz\n\(matrix) Tm\n<\(digits.joined())> Tj\nET"
        )
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
    private static func text(_ text: String) -> String {
        let digits = ([0xFEFF] + Array(text.utf16)).map { unit -> String in
            let hex = String(unit, radix: 16, uppercase: true)
            return String(repeating: "0", count: 4 - hex.count) + hex
        }
        return "<\(digits.joined())>"
    }

    // MARK: - Objects

    private func add(_ text: String) -> Int {
        objects.append(Data(text.utf8))
        return objects.count
    }

    private func add(stream: Data, _ entries: String) -> Int {
        objects.append(
            Data("<</Length \(stream.count)\(entries)>>\nstream\n".utf8) + stream + Data("\nendstream".utf8))
        return objects.count
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
