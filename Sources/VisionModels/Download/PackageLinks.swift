import Foundation

/// The links of a project's page in a package index (PEP 503): anchors whose URLs end with the names of files.
struct PackageLinks {
    /// The page, in UTF-8.
    let page: [UInt8]
    /// The address of the page, which relative links refer to.
    let base: URL

    /// Returns the first link to a file of a name, without its fragment; only to http and https.
    ///
    /// - Complexity: Linear in the length of the page.
    func url(of fileName: String) -> URL? {
        let name = Array("href".utf8)
        var position = 0
        while position + name.count < page.count {
            // Lower case of ASCII letters; no other byte becomes a letter of the name.
            guard page[position] | 0x20 == name[0],
                page[position..<position + name.count].elementsEqual(name, by: { $0 | 0x20 == $1 })
            else {
                position += 1
                continue
            }
            position += name.count
            guard let value = quotedValue(at: position) else { continue }
            position = value.endIndex
            if let url = resolved(value), url.lastPathComponent == fileName { return url }
        }
        return nil
    }

    /// Returns the text between the quotes of `="…"`.
    private func quotedValue(at start: Int) -> ArraySlice<UInt8>? {
        func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
        let equals = page[start...].drop(while: isSpace)
        guard equals.first == UInt8(ascii: "=") else { return nil }
        let value = equals.dropFirst().drop(while: isSpace)
        guard let quote = value.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else { return nil }
        let body = value.dropFirst()
        // No address is longer, and a quote that nothing closes does not make the search quadratic.
        return body.prefix(8192).firstIndex(of: quote).map { body[..<$0] }
    }

    private func resolved(_ value: ArraySlice<UInt8>) -> URL? {
        let text = String(decoding: value.prefix { $0 != UInt8(ascii: "#") }, as: UTF8.self)
        guard let url = URL(string: text.replacing("&amp;", with: "&"), relativeTo: base)?.absoluteURL,
            ["http", "https"].contains(url.scheme?.lowercased())
        else { return nil }
        return url
    }
}
