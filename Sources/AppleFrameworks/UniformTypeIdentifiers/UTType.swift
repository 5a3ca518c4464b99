@_exported public import Foundation

/// A type of files or data by its identifier, such as `public.jpeg`.
///
/// The types of images that this package reads and writes are here, and their file name extensions.
public struct UTType: Hashable, Sendable, Codable, CustomStringConvertible {
    /// The identifier.
    public let identifier: String

    private static let known: [(identifier: String, extensions: [String], mime: String?, parents: [String])] = [
        ("public.item", [], nil, []),
        ("public.data", [], nil, ["public.item"]),
        ("public.image", [], nil, ["public.data"]),
        ("public.jpeg", ["jpeg", "jpg", "jpe"], "image/jpeg", ["public.image"]),
        ("public.png", ["png"], "image/png", ["public.image"]),
        ("public.tiff", ["tiff", "tif"], "image/tiff", ["public.image"]),
        ("com.compuserve.gif", ["gif"], "image/gif", ["public.image"]),
        ("org.webmproject.webp", ["webp"], "image/webp", ["public.image"]),
        ("public.heic", ["heic"], "image/heic", ["public.image"]),
        ("public.heif", ["heif"], "image/heif", ["public.image"]),
        ("com.microsoft.bmp", ["bmp"], "image/bmp", ["public.image"]),
        ("public.movie", [], nil, ["public.data"]),
        ("public.mpeg-4", ["mp4"], "video/mp4", ["public.movie"]),
        ("com.apple.quicktime-movie", ["mov", "qt"], "video/quicktime", ["public.movie"]),
        ("public.audio", [], nil, ["public.data"]),
        ("public.aiff-audio", ["aiff", "aif"], "audio/aiff", ["public.audio"]),
        ("com.microsoft.waveform-audio", ["wav"], "audio/vnd.wave", ["public.audio"]),
        ("public.mp3", ["mp3"], "audio/mpeg", ["public.audio"]),
        ("public.mpeg-4-audio", ["m4a"], "audio/mp4", ["public.audio"]),
        ("com.apple.coreml.model", ["mlmodel"], nil, ["public.data"]),
        ("public.json", ["json"], "application/json", ["public.data"]),
        ("com.adobe.pdf", ["pdf"], "application/pdf", ["public.data"]),
        ("public.folder", [], nil, ["public.item"]),
    ]

    private init(known identifier: String) { self.identifier = identifier }

    /// Creates a type from its identifier; nil for one that is not known here.
    public init?(_ identifier: String) {
        guard let found = Self.known.first(where: { $0.identifier == identifier.lowercased() }) else { return nil }
        self.identifier = found.identifier
    }

    /// Creates a type from its identifier, known here or not.
    public init(importedAs identifier: String, conformingTo parentType: UTType? = nil) { self.identifier = identifier }

    /// Creates a type from its identifier, known here or not.
    public init(exportedAs identifier: String, conformingTo parentType: UTType? = nil) { self.identifier = identifier }

    /// Creates the type of a file name extension, in any case; nil for one that is not known here.
    public init?(filenameExtension: String, conformingTo supertype: UTType = .data) {
        let wanted = filenameExtension.lowercased()
        guard let found = Self.known.first(where: { $0.extensions.contains(wanted) }) else { return nil }
        self.identifier = found.identifier
        guard conforms(to: supertype) else { return nil }
    }

    /// Creates the type of a MIME type; nil for one that is not known here.
    public init?(mimeType: String, conformingTo supertype: UTType = .data) {
        let wanted = mimeType.lowercased()
        guard let found = Self.known.first(where: { $0.mime == wanted }) else { return nil }
        self.identifier = found.identifier
        guard conforms(to: supertype) else { return nil }
    }

    /// The usual extension of file names, without a point; nil if there is none.
    public var preferredFilenameExtension: String? { entry?.extensions.first }

    /// The MIME type; nil if there is none.
    public var preferredMIMEType: String? { entry?.mime }

    /// The identifier.
    public var description: String { identifier }

    /// Whether a value of this type is one of the other type: that itself, or one that it is a kind of.
    public func conforms(to type: UTType) -> Bool {
        identifier == type.identifier
            || (entry?.parents.contains { UTType(known: $0).conforms(to: type) } ?? false)
    }

    private var entry: (identifier: String, extensions: [String], mime: String?, parents: [String])? {
        Self.known.first { $0.identifier == identifier }
    }

    /// Anything: files and folders.
    public static let item = UTType(known: "public.item")
    /// Bytes.
    public static let data = UTType(known: "public.data")
    /// An image of any format.
    public static let image = UTType(known: "public.image")
    /// JPEG.
    public static let jpeg = UTType(known: "public.jpeg")
    /// PNG.
    public static let png = UTType(known: "public.png")
    /// TIFF.
    public static let tiff = UTType(known: "public.tiff")
    /// GIF.
    public static let gif = UTType(known: "com.compuserve.gif")
    /// WebP.
    public static let webP = UTType(known: "org.webmproject.webp")
    /// HEIC.
    public static let heic = UTType(known: "public.heic")
    /// HEIF.
    public static let heif = UTType(known: "public.heif")
    /// BMP.
    public static let bmp = UTType(known: "com.microsoft.bmp")
    /// A video with or without sound.
    public static let movie = UTType(known: "public.movie")
    /// MPEG-4.
    public static let mpeg4Movie = UTType(known: "public.mpeg-4")
    /// QuickTime.
    public static let quickTimeMovie = UTType(known: "com.apple.quicktime-movie")
    /// Sound of any format.
    public static let audio = UTType(known: "public.audio")
    /// AIFF.
    public static let aiff = UTType(known: "public.aiff-audio")
    /// WAVE.
    public static let wav = UTType(known: "com.microsoft.waveform-audio")
    /// MP3.
    public static let mp3 = UTType(known: "public.mp3")
    /// Sound in MPEG-4.
    public static let mpeg4Audio = UTType(known: "public.mpeg-4-audio")
    /// JSON.
    public static let json = UTType(known: "public.json")
    /// PDF.
    public static let pdf = UTType(known: "com.adobe.pdf")
    /// A folder.
    public static let folder = UTType(known: "public.folder")
}
