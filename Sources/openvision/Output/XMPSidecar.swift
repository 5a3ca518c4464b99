import Foundation
import VisionPhotos

/// Keywords of a photo in a file beside it, as photo managers read them: photo.jpg.xmp.
enum XMPSidecar {
    private static let mark = "<xmp:CreatorTool>openvision</xmp:CreatorTool>"

    /// Writes the sidecar of a photo. One that another program made, or that was edited by one, is not overwritten.
    ///
    /// - Throws: `PhotoFile.Failure` where there is such a file, `VideoError` where it cannot be written.
    static func write(_ keywords: [String], for photo: FilePath) throws {
        // The bytes of a name that is not UTF-8 would become others.
        guard let path = String(validating: photo.bytes + Array(".xmp".utf8), as: UTF8.self) else {
            throw PhotoFile.Failure(description: "its name is not UTF-8, so it gets no sidecar")
        }
        if FileManager.default.fileExists(atPath: path) {
            let old = try PhotoFile.read(FilePath(path)).data
            guard String(decoding: old, as: UTF8.self).contains(mark) else {
                throw PhotoFile.Failure(
                    description: "has a sidecar that openvision did not write; it is not overwritten")
            }
        }
        try OutputFile.write(Data(text(keywords).utf8), to: path)
    }

    /// Returns an XMP packet with the keywords as `dc:subject`.
    static func text(_ keywords: [String]) -> String {
        let items = keywords.map { "     <rdf:li>\(PhotoPage.escaped($0))</rdf:li>\n" }.joined()
        return """
            <?xpacket begin="\u{FEFF}" id="W5M0MpCehiHzreSzNTczkc9d"?>
            <x:xmpmeta xmlns:x="adobe:ns:meta/">
             <rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
              <rdf:Description rdf:about="" xmlns:dc="http://purl.org/dc/elements/1.1/" \
            xmlns:xmp="http://ns.adobe.com/xap/1.0/">
               \(mark)
               <dc:subject>
                <rdf:Bag>
            \(items)    </rdf:Bag>
               </dc:subject>
              </rdf:Description>
             </rdf:RDF>
            </x:xmpmeta>
            <?xpacket end="w"?>

            """
    }
}
