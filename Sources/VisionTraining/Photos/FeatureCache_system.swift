package import Foundation
import VisionImage
import VisionFiles

/// Features on the disk, found by the contents of a photo and by what made them, so that training again costs only new photos.
///
/// Two kinds of files lie in the folder: one says which content a file's stamp stood for, so that photos that did not change need
/// not be read, and one for each kind of features holds these. Both are rows of one size that are only ever appended, under a
/// lock, so that any number of processes may use the folder at the same time; a row that was cut off or damaged does not count.
/// Nothing here fails: a cache that cannot be read or written is none.
package final class FeatureCache: Sendable {
    /// 128 bits that stand for a photo's contents, or for these seen in a certain way.
    package struct Key: Hashable, Sendable {
        let first: UInt64
        let second: UInt64

        init(_ bytes: Data) {
            let digest = ContentDigest.bytes(of: bytes)
            first = digest.prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
            second = digest.suffix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }

        init(first: UInt64, second: UInt64) {
            self.first = first
            self.second = second
        }

        init(_ words: [UInt64]) {
            self.init(words.withUnsafeBytes { Data($0) })
        }

        /// Another key for the same content.
        func mixed(with words: [UInt64]) -> Key { Key([first, second] + words) }
    }

    /// The folder that is used unless the environment names another in `OPENVISION_FEATURES`; an empty name there turns the
    /// cache off.
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

    private let stamps: RowFile?
    private let features: RowFile?
    private let featureCount: Int

    /// - Parameters:
    ///   - folder: nil for no cache.
    ///   - identity: everything that the features depend on beside the photo.
    package init(folder: URL?, identity: String, featureCount: Int) {
        self.featureCount = featureCount
        guard let folder,
            (try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)) != nil
        else {
            stamps = nil
            features = nil
            return
        }
        let key = Key(Data("\(identity), \(featureCount)".utf8))
        let name = [key.first, key.second].map { word in
            String(repeating: "0", count: 16 - String(word, radix: 16).count) + String(word, radix: 16)
        }
        stamps = RowFile(folder.appendingPathComponent("photos-1.rows").path, valueBytes: 16)
        features = RowFile(
            folder.appendingPathComponent("features-1-\(name.joined()).rows").path, valueBytes: featureCount * 4)
    }

    /// The key of a photo's contents, where the file has not changed since they were read.
    func content(of stamp: PhotoStamp) -> Key? {
        guard let value = stamps?.value(for: Key(stamp.words)) else { return nil }
        return value.withUnsafeBytes { bytes in
            Key(
                first: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                second: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
        }
    }

    /// Remembers what a stamp stands for. A file that was changed a moment ago may change again within one tick of the clock
    /// that stamps it: it is not remembered.
    func remember(_ stamp: PhotoStamp, content: Key, now: Double = Date().timeIntervalSince1970) {
        guard now - stamp.changed > 0.05 else { return }
        let words = [content.first.littleEndian, content.second.littleEndian]
        stamps?.append(Key(stamp.words), words.withUnsafeBytes { Data($0) })
    }

    func features(of key: Key) -> [Float]? {
        guard let value = features?.value(for: key) else { return nil }
        let floats = value.withUnsafeBytes { bytes in
            (0..<featureCount).map { index in
                Float(
                    bitPattern: UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self)))
            }
        }
        return floats.allSatisfy(\.isFinite) ? floats : nil
    }

    func store(_ floats: [Float], for key: Key) {
        guard floats.count == featureCount else { return }
        let bits = floats.map { $0.bitPattern.littleEndian }
        features?.append(key, bits.withUnsafeBytes { Data($0) })
    }
}

/// A file of rows: a key, a check of the whole row, a value.
private final class RowFile: @unchecked Sendable {
    // Unchecked: the rows are reached under the lock; the file is read and appended by calls that need none.
    private let file: Int32
    private let valueBytes: Int
    private let lock = NSLock()
    private var rows: [FeatureCache.Key: Int] = [:]

    private static let headBytes = 24
    /// A file that has grown beyond is begun anew.
    private static let sizeLimit = 4 << 30

    private var rowBytes: Int { Self.headBytes + valueBytes }

    init?(_ path: String, valueBytes: Int) {
        self.valueBytes = valueBytes
        let file = open(path, O_RDWR | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
        guard file >= 0 else { return nil }
        self.file = file
        var status = stat()
        guard fstat(file, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        if Int(status.st_size) > Self.sizeLimit {
            _ = ftruncate(file, 0)
            return
        }
        var head = [UInt8](repeating: 0, count: 16)
        for row in 0..<Int(status.st_size) / rowBytes {
            guard pread(file, &head, 16, off_t(row * rowBytes)) == 16 else { break }
            let key = head.withUnsafeBytes { bytes in
                FeatureCache.Key(
                    first: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 0, as: UInt64.self)),
                    second: UInt64(littleEndian: bytes.loadUnaligned(fromByteOffset: 8, as: UInt64.self)))
            }
            // The last of several counts: it was written because those before it were damaged.
            rows[key] = row
        }
    }

    deinit { close(file) }

    /// The check goes over the key and the value.
    private static func check(_ key: FeatureCache.Key, _ value: Data) -> UInt64 {
        key.mixed(with: [FeatureCache.Key(value).first]).second
    }

    func value(for key: FeatureCache.Key) -> Data? {
        guard let row = lock.withLock({ rows[key] }) else { return nil }
        var bytes = Data(count: rowBytes)
        let got = bytes.withUnsafeMutableBytes { pread(file, $0.baseAddress, $0.count, off_t(row * rowBytes)) }
        guard got == rowBytes else { return nil }
        let check = bytes.withUnsafeBytes {
            UInt64(littleEndian: $0.loadUnaligned(fromByteOffset: 16, as: UInt64.self))
        }
        let value = Data(bytes[Self.headBytes...])
        return check == Self.check(key, value) ? value : nil
    }

    func append(_ key: FeatureCache.Key, _ value: Data) {
        guard value.count == valueBytes else { return }
        var bytes = [key.first, key.second, Self.check(key, value)].map(\.littleEndian).withUnsafeBytes { Data($0) }
        bytes.append(value)
        lock.withLock {
            guard flock(file, LOCK_EX) == 0 else { return }
            defer { flock(file, LOCK_UN) }
            var status = stat()
            guard fstat(file, &status) == 0 else { return }
            // What a process that was killed has left of a row.
            let whole = Int(status.st_size) / rowBytes
            if whole * rowBytes != Int(status.st_size), ftruncate(file, off_t(whole * rowBytes)) != 0 { return }
            let written = bytes.withUnsafeBytes { write(file, $0.baseAddress, $0.count) }
            if written == rowBytes { rows[key] = whole }
        }
    }
}
