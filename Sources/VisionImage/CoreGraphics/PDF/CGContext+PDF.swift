public import Foundation

/// Where the bytes of a document go: a file or data.
public final class CGDataConsumer {
    private enum Target {
        case file(URL)
        case data(NSMutableData)
    }

    private let target: Target

    /// Writes a file; nil for other addresses.
    public init?(url: CFURL) {
        guard url.isFileURL else { return nil }
        target = .file(url)
    }

    /// Appends to data.
    public init?(data: CFMutableData) { target = .data(data) }

    func write(_ bytes: Data) {
        switch target {
        case .file(let url): try? bytes.write(to: url, options: .atomic)
        case .data(let data): data.append(bytes)
        }
    }
}

/// Key: the title of a document, a string.
public let kCGPDFContextTitle: CFString = "kCGPDFContextTitle"
/// Key: the author of a document, a string.
public let kCGPDFContextAuthor: CFString = "kCGPDFContextAuthor"
/// Key: the subject of a document, a string.
public let kCGPDFContextSubject: CFString = "kCGPDFContextSubject"
/// Key: the keywords of a document, a string or an array of strings.
public let kCGPDFContextKeywords: CFString = "kCGPDFContextKeywords"
/// Key: the program that made a document, a string.
public let kCGPDFContextCreator: CFString = "kCGPDFContextCreator"
/// Key: the rectangle of a page as the data of a `CGRect`.
public let kCGPDFContextMediaBox: CFString = "kCGPDFContextMediaBox"

/// Documents. What is drawn between the begin and the end of a page becomes its content: filled and stroked paths,
/// images without loss, clips, opacity, and text, whose outlines are drawn and whose letters can be searched and
/// copied (invisible text as well). Blend modes, gradients, shadows and masks have no effect. The document is written
/// by `closePDF()`, or when the last reference to the context goes.
extension CGContext {
    /// Creates a context whose pages become a document.
    ///
    /// - Parameters:
    ///   - consumer: Gets the bytes.
    ///   - mediaBox: The rectangle of the pages in points; US Letter if it is nil.
    ///   - auxiliaryInfo: `kCGPDFContextTitle` and others.
    /// - Returns: nil for a rectangle that is empty or not finite.
    public convenience init?(
        consumer: CGDataConsumer, mediaBox: UnsafePointer<CGRect>?, _ auxiliaryInfo: CFDictionary?
    ) {
        let box = mediaBox?.pointee.standardized ?? CGRect(x: 0, y: 0, width: 612, height: 792)
        guard Self.isPage(box) else { return nil }
        var information: [String: String] = [:]
        for (key, name) in [
            (kCGPDFContextTitle, "Title"), (kCGPDFContextAuthor, "Author"), (kCGPDFContextSubject, "Subject"),
            (kCGPDFContextKeywords, "Keywords"), (kCGPDFContextCreator, "Creator"),
        ] {
            let value = auxiliaryInfo?[key]
            information[name] = value as? String ?? (value as? [String])?.joined(separator: ", ")
        }
        self.init(
            document: PDFWriter(mediaBox: box, information: information), consumer: consumer,
            width: Int(max(box.width, box.maxX).rounded(.up)), height: Int(max(box.height, box.maxY).rounded(.up)))
    }

    /// Creates a context whose pages become a file. See `init(consumer:mediaBox:_:)`.
    public convenience init?(_ url: CFURL, mediaBox: UnsafePointer<CGRect>?, _ auxiliaryInfo: CFDictionary?) {
        guard let consumer = CGDataConsumer(url: url) else { return nil }
        self.init(consumer: consumer, mediaBox: mediaBox, auxiliaryInfo)
    }

    private static func isPage(_ box: CGRect) -> Bool {
        box.width >= 1 && box.height >= 1 && box.width < 1e5 && box.height < 1e5 && box.minX.magnitude < 1e6
            && box.minY.magnitude < 1e6
    }

    /// Begins a page, and ends the one before. The state of the context starts anew.
    ///
    /// - Parameter pageInfo: Its `kCGPDFContextMediaBox` replaces the context's rectangle.
    public func beginPDFPage(_ pageInfo: CFDictionary?) {
        let data = pageInfo?[kCGPDFContextMediaBox] as? Data
        var box: CGRect?
        if let data, data.count == MemoryLayout<CGRect>.size {
            box = data.withUnsafeBytes { $0.loadUnaligned(as: CGRect.self) }.standardized
        }
        begin(box)
    }

    /// Begins a page, and ends the one before. The state of the context starts anew.
    ///
    /// - Parameter mediaBox: Its rectangle; that of the context if it is nil.
    public func beginPage(mediaBox: UnsafePointer<CGRect>?) { begin(mediaBox?.pointee.standardized) }

    private func begin(_ box: CGRect?) {
        document?.beginPage(box.flatMap { Self.isPage($0) ? $0 : nil })
        resetState()
    }

    /// Ends a page.
    public func endPDFPage() { document?.endPage() }

    /// Ends a page.
    public func endPage() { document?.endPage() }

    /// Writes the document. Nothing can be drawn afterwards.
    public func closePDF() {
        guard let document else { return }
        consumer?.write(document.finished())
        (self.document, consumer) = (nil, nil)
    }

    /// Whether what is drawn goes to a document, or would have gone to one that is closed.
    package var isDocument: Bool { memory.count == 0 || document != nil }

    /// Makes text that is drawn, or invisible, searchable in a document.
    ///
    /// - Parameters:
    ///   - size: That of the font.
    ///   - width: From the start to the end of the text.
    ///   - matrix: From the coordinates of the text, with the baseline at 0, to user coordinates.
    package func addSearchable(text: String, size: CGFloat, width: CGFloat, matrix: CGAffineTransform) {
        document?.write(text: text, size: size, width: width, matrix.concatenating(ctm))
    }
}
