package import Foundation
package import VisionFiles
import VisionThreads

/// A cache of image features on disk, by contents of the photo and feature source, so that training again only
/// processes new photos.
///
/// A database in the folder says which contents a file had, so that photos that did not change need not be read, and
/// holds the features of contents. Any number of processes may use it at the same time. Rows have checksums; a row that
/// is damaged does not count. Nothing here fails: a cache that cannot be read or written is none, and a damaged one is
/// recreated.
package final class FeatureCache: Sendable {
    /// The folder that is used unless the environment names another in `OPENVISION_FEATURES`; an empty name there turns
    /// the cache off.
    package static var standardFolder: URL? {
        let environment = ProcessInfo.processInfo.environment
        if let folder = environment["OPENVISION_FEATURES"] {
            return folder.isEmpty ? nil : URL(fileURLWithPath: folder, isDirectory: true)
        }
        let cache: String
        if let folder = environment["XDG_CACHE_HOME"], folder.hasPrefix("/") {
            cache = folder
        } else if let home = environment["HOME"], home.hasPrefix("/") {
            cache = home + "/.cache"
        } else {
            return nil
        }
        return URL(fileURLWithPath: cache, isDirectory: true).appendingPathComponent(
            "openvision/features", isDirectory: true)
    }

    package static let fileName = "features.db"

    /// A warning for the user when a cache of an earlier version was replaced.
    package let notice: String?
    private let database: Locked<FeatureStore>?
    private let featureCount: Int

    /// Opens the cache in a folder, which is created if it does not exist.
    ///
    /// - Parameters:
    ///   - folder: nil for no cache.
    ///   - identity: Identifies everything that the features depend on except the photo.
    ///   - featureCount: The number of features of a photo.
    package init(folder: URL?, identity: String, featureCount: Int) {
        self.featureCount = featureCount
        guard let folder,
            (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil
        else {
            database = nil
            notice = nil
            return
        }
        notice =
            Self.removeEarlierFiles(in: folder)
            ? "the feature cache in \(folder.path) was written by an earlier version; features are computed again" : nil
        database = FeatureStore(
            path: folder.appendingPathComponent(Self.fileName).path, source: "\(identity), \(featureCount)"
        ).map { Locked($0) }
    }

    deinit { flush() }

    /// Removes the files of the version that kept features in files of rows.
    ///
    /// - Returns: Whether there were any.
    private static func removeEarlierFiles(in folder: URL) -> Bool {
        let names = (try? FileManager.default.contentsOfDirectory(atPath: folder.path)) ?? []
        let earlier = names.filter {
            $0 == "photos-1.rows" || ($0.hasPrefix("features-1-") && $0.hasSuffix(".rows"))
        }
        for name in earlier { try? FileManager.default.removeItem(at: folder.appendingPathComponent(name)) }
        return !earlier.isEmpty
    }

    /// The digest of a file's contents, where the file has not changed since they were read.
    package func content(of file: FileIdentity) -> ContentDigest? { database?.withLock { $0.content(of: file) } }

    /// Remembers the contents of a file.
    ///
    /// A file that was changed a moment ago may change again within one tick of the clock that stamps it: it is not
    /// remembered.
    package func remember(_ file: FileIdentity, content: ContentDigest, now: Date = Date()) {
        let changed = Double(max(file.modified, file.changed)) * 1e-9
        guard now.timeIntervalSince1970 - changed > 0.05 else { return }
        database?.withLock { $0.add(file, content: content) }
    }

    /// The features of some contents.
    ///
    /// - Parameter variant: The augmentation of the photo; empty for the photo itself.
    package func features(of content: ContentDigest, variant: String = "") -> [Float]? {
        guard let data = database?.withLock({ $0.features(of: content, variant: variant) }),
            data.count == featureCount * 4
        else { return nil }
        let floats = data.withUnsafeBytes { bytes in
            (0..<featureCount).map { index in
                Float(
                    bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
            }
        }
        return floats.allSatisfy(\.isFinite) ? floats : nil
    }

    /// Keeps the features of some contents; they are written to the disk within about a second, or by `flush`.
    package func store(_ floats: [Float], of content: ContentDigest, variant: String = "") {
        guard floats.count == featureCount else { return }
        let data = floats.flatMap { value in withUnsafeBytes(of: value.bitPattern.littleEndian) { Array($0) } }
        database?.withLock { $0.add(data, of: content, variant: variant) }
    }

    /// Writes everything to the disk.
    package func flush() { database?.withLock { $0.flush() } }
}
