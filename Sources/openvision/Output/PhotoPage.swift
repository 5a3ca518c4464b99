import Foundation
import Vision
import VisionPhotos
import VisionThreads
import VisionVideo

/// An HTML page with groups of photos: thumbnails, names and captions. It needs no other file.
struct PhotoPage {
    struct Entry {
        let path: FilePath
        let caption: String
        /// The part of the photo to show, in pixels of the upright photo; nil for all of it.
        var part: CGRect? = nil
    }

    struct Group {
        let heading: String
        let entries: [Entry]
    }

    let title: String
    let groups: [Group]

    /// The largest size of a thumbnail along either axis, in pixels.
    private static let side = 240

    /// Returns an error message when pages cannot be written to a file of that name.
    static func check(_ path: String?) -> String? {
        guard let path, ![".html", ".htm"].contains(where: path.lowercased().hasSuffix) else { return nil }
        return "'\(path)' is not a valid page; its name must end in .html."
    }

    /// - Throws: `VideoError` when the file cannot be written, or is one of the photos.
    func write(to file: String, threads: Int) throws {
        let entries = groups.flatMap(\.entries)
        if let taken = entries.first(where: { $0.path.isSameFile(as: FilePath(file)) }) {
            throw VideoError(
                kind: .io, path: file, reason: "is the photo \(taken.path.printable); it is not overwritten")
        }
        var (next, images) = (entries.makeIterator(), [String]())
        let sheet = ContactSheet(side: Self.side)
        try ParallelPipeline.run(threads: threads, isOrdered: true) {
            next.next()
        } work: { entry in
            // A photo that was deleted leaves an empty field.
            let data = try? sheet.thumbnail(of: try PhotoFile.read(entry.path).data, part: entry.part)
                .converted(to: .rgb8).encodedJPEG(quality: 0.8)
            return data?.base64EncodedString() ?? ""
        } take: {
            images.append($0)
        }
        try OutputFile.write(Data(html(images).utf8), to: file)
    }

    /// - Parameter images: A thumbnail of each entry as a JPEG file in base64; empty for none.
    func html(_ images: [String]) -> String {
        var (body, next) = ("", 0)
        for group in groups {
            body += "<h2>\(Self.escaped(group.heading))</h2>\n<div class=\"row\">\n"
            for entry in group.entries {
                let image = images.indices.contains(next) ? images[next] : ""
                next += 1
                let source = image.isEmpty ? "" : " src=\"data:image/jpeg;base64,\(image)\""
                let link = Self.escaped(URL(fileURLWithPath: entry.path.text).absoluteString)
                body += """
                    <figure><a href="\(link)"><img alt=""\(source)></a><figcaption>\
                    <b>\(Self.escaped(entry.path.name.printable))</b><br>\(Self.escaped(entry.caption))</figcaption>\
                    </figure>

                    """
            }
            body += "</div>\n"
        }
        return """
            <!DOCTYPE html>
            <html lang="en"><head><meta charset="utf-8"><title>\(Self.escaped(title))</title>
            <style>
            body { font: 14px/1.4 system-ui, sans-serif; margin: 2em; background: #fff; color: #222 }
            h1 { font-size: 20px } h2 { font-size: 15px; margin: 1.5em 0 .5em }
            .row { display: flex; flex-wrap: wrap; gap: 12px } figure { margin: 0; width: \(Self.side)px }
            img { max-width: 100%; min-height: 40px; background: #ddd } figcaption { word-break: break-all }
            @media (prefers-color-scheme: dark) { body { background: #181818; color: #ddd } a { color: #8cf } }
            </style></head><body>
            <h1>\(Self.escaped(title))</h1>
            \(body)</body></html>

            """
    }

    static func escaped(_ text: String) -> String {
        [("&", "&amp;"), ("<", "&lt;"), (">", "&gt;"), ("\"", "&quot;")].reduce(text) {
            $0.replacingOccurrences(of: $1.0, with: $1.1)
        }
    }
}
