import Foundation

/// The formats in which `openvision text` writes what it has read.
enum TextFormat: String, CaseIterable {
    case text, json, hocr, alto, pdf
}

/// Characters that XML reserves, and those that it cannot hold.
enum XML {
    static func escaped(_ text: String) -> String {
        var result = ""
        for scalar in text.unicodeScalars {
            switch scalar {
            case "&": result += "&amp;"
            case "<": result += "&lt;"
            case ">": result += "&gt;"
            case "\"": result += "&quot;"
            case "\t", "\n", "\r": result += " "
            default:
                if scalar.value >= 0x20 && scalar.value != 0xFFFE && scalar.value != 0xFFFF {
                    result.unicodeScalars.append(scalar)
                }
            }
        }
        return result
    }
}

/// A box in whole pixels around four corners.
private struct WholeBox {
    let left, top, right, bottom: Int

    init(_ quad: PixelQuad, _ page: TextPage) {
        func whole(_ value: Double, _ limit: Int) -> Int {
            value.isFinite ? min(max(Int(min(max(value, 0), Double(limit)).rounded()), 0), limit) : 0
        }
        let (xs, ys) = (quad.corners.map { Double($0.x) }, quad.corners.map { Double($0.y) })
        left = whole(xs.min() ?? 0, page.photo.width)
        right = whole(xs.max() ?? 0, page.photo.width)
        top = whole(ys.min() ?? 0, page.photo.height)
        bottom = whole(ys.max() ?? 0, page.photo.height)
    }
}

/// Text as HTML with the boxes of pages, lines and words (hOCR 1.2).
enum HOCRDocument {
    static func text(_ pages: [TextPage]) -> String {
        var lines = [
            "<!DOCTYPE html>", "<html>", "<head>", "<meta charset=\"utf-8\">",
            "<meta name=\"ocr-system\" content=\"openvision\">",
            "<meta name=\"ocr-capabilities\" content=\"ocr_page ocr_line ocrx_word\">", "</head>", "<body>",
        ]
        for (number, page) in pages.enumerated() {
            let title =
                "image \"\(page.path.printable)\"; bbox 0 0 \(page.photo.width) \(page.photo.height); ppageno \(number)"
            lines.append("<div class=\"ocr_page\" id=\"page_\(number + 1)\" title=\"\(XML.escaped(title))\">")
            for (index, line) in page.lines.enumerated() {
                let id = "\(number + 1)_\(index + 1)"
                lines.append("<span class=\"ocr_line\" id=\"line_\(id)\" title=\"\(bounds(line.quad, page))\">")
                for (place, word) in line.words.enumerated() {
                    let confidence = Int((line.confidence * 100).rounded())
                    lines.append(
                        "<span class=\"ocrx_word\" id=\"word_\(id)_\(place + 1)\" title=\"\(bounds(word.quad, page)); "
                            + "x_wconf \(confidence)\">\(XML.escaped(word.text))</span>")
                }
                lines.append("</span><br>")
            }
            lines.append("</div>")
        }
        return (lines + ["</body>", "</html>"]).joined(separator: "\n") + "\n"
    }

    private static func bounds(_ quad: PixelQuad, _ page: TextPage) -> String {
        let box = WholeBox(quad, page)
        return "bbox \(box.left) \(box.top) \(box.right) \(box.bottom)"
    }
}

/// Text as XML of the libraries (ALTO 4).
enum ALTODocument {
    static func text(_ pages: [TextPage]) -> String {
        var lines = [
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "<alto xmlns=\"http://www.loc.gov/standards/alto/ns-v4#\">",
            "<Description><MeasurementUnit>pixel</MeasurementUnit></Description>", "<Layout>",
        ]
        for (number, page) in pages.enumerated() {
            let size = "WIDTH=\"\(page.photo.width)\" HEIGHT=\"\(page.photo.height)\""
            lines.append("<Page ID=\"page_\(number + 1)\" PHYSICAL_IMG_NR=\"\(number + 1)\" \(size)>")
            lines.append("<PrintSpace HPOS=\"0\" VPOS=\"0\" \(size)>")
            if !page.lines.isEmpty {
                lines.append("<TextBlock ID=\"block_\(number + 1)\" HPOS=\"0\" VPOS=\"0\" \(size)>")
                for (index, line) in page.lines.enumerated() {
                    lines.append(
                        "<TextLine ID=\"line_\(number + 1)_\(index + 1)\" \(position(line.quad, page))>")
                    let confidence = Decimals.text(Double(line.confidence), 3)
                    lines += line.words.enumerated().map { place, word in
                        (place > 0 ? "<SP/>" : "") + "<String \(position(word.quad, page)) "
                            + "CONTENT=\"\(XML.escaped(word.text))\" WC=\"\(confidence)\"/>"
                    }
                    lines.append("</TextLine>")
                }
                lines.append("</TextBlock>")
            }
            lines += ["</PrintSpace>", "</Page>"]
        }
        return (lines + ["</Layout>", "</alto>"]).joined(separator: "\n") + "\n"
    }

    private static func position(_ quad: PixelQuad, _ page: TextPage) -> String {
        let box = WholeBox(quad, page)
        return "HPOS=\"\(box.left)\" VPOS=\"\(box.top)\" WIDTH=\"\(box.right - box.left)\" "
            + "HEIGHT=\"\(box.bottom - box.top)\""
    }
}
