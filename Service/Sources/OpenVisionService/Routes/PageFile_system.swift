import CServicePage

/// A file of the page, which is part of the binary.
struct PageFile: Sendable {
    let name: String
    let bytes: [UInt8]

    /// The name of the page itself.
    static let index = "index.html"

    /// All files.
    static let all: [PageFile] = (0..<csp_file_count()).map { number in
        let file = csp_file_at(number)
        return PageFile(
            name: String(cString: file.name), bytes: Array(UnsafeRawBufferPointer(start: file.bytes, count: file.count))
        )
    }

    /// The media type by the extension.
    var mediaType: String {
        switch name.split(separator: ".").last {
        case "html": "text/html; charset=utf-8"
        case "js": "text/javascript; charset=utf-8"
        case "css": "text/css; charset=utf-8"
        case "svg": "image/svg+xml"
        case "png": "image/png"
        default: "application/octet-stream"
        }
    }
}
