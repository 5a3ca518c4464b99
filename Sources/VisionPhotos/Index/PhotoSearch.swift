public import Vision
import VisionThreads

/// Searches an index of photos that `openvision index` wrote, for a program that serves many searches.
///
/// Searches may be made from several threads; they run one after another, each on all processors. The index may grow
/// meanwhile.
public final class PhotoSearch: @unchecked Sendable {
    // Unchecked: the lock guards the index, whose connection to the database belongs to one thread at a time.

    /// A photo that was found.
    public struct Match: Sendable {
        /// Its path from the indexed folder on; bytes that are not UTF-8 became U+FFFD.
        public let path: String
        /// The distance of its feature print from the query's: 0 for the same image, rarely above 2.
        public let distance: Float
    }

    /// The revision of `VNGenerateImageFeaturePrintRequest` whose prints the index holds.
    public let revision: Int

    /// Where the index was opened.
    private let name: String
    private let index: Locked<any PrintStore>

    /// Opens an index.
    ///
    /// - Parameter path: The database: a file, or an address of PostgreSQL (postgresql://…).
    /// - Throws: An error with a message for people where the file is not an index, or has no photos.
    public init(path: String) throws {
        let index = try PrintStores.open(reading: path)
        guard let collection = try index.collection() else { throw Self.empty(index.path) }
        name = path
        revision = collection.kind.revision
        self.index = Locked(index)
    }

    /// Returns the photos whose prints are nearest to another, the nearest first.
    ///
    /// - Parameters:
    ///   - limit: The most photos.
    ///   - print: The print to search for.
    ///   - distance: The largest distance of a photo.
    /// - Throws: An error with a message for people where the index holds prints of another kind, or is damaged.
    public func nearest(
        _ limit: Int, to print: VNFeaturePrintObservation, within distance: Float = .infinity
    ) throws -> [Match] {
        guard limit > 0 else { return [] }
        return try index.withLock { index in
            do {
                return try Self.nearest(limit, to: print, within: distance, index)
            } catch let error as DatabaseError where error.kind == .disconnected {
                // Servers are restarted, and connections that are idle for long are cut.
                index = try PrintStores.open(reading: name)
                return try Self.nearest(limit, to: print, within: distance, index)
            }
        }
    }

    private static func nearest(
        _ limit: Int, to print: VNFeaturePrintObservation, within distance: Float, _ index: any PrintStore
    ) throws -> [Match] {
        guard let collection = try index.collection() else { throw empty(index.path) }
        let folder = collection.folder.appending(FilePath(bytes: [])).bytes.count
        return try index.nearest(to: print, collection, limit: limit, isExact: false).sorted
            .filter { $0.distance <= distance }
            .map { Match(path: FilePath(bytes: Array($0.key.bytes.dropFirst(folder))).text, distance: $0.distance) }
    }

    private static func empty(_ path: String) -> DatabaseError {
        DatabaseError(
            kind: .mismatch, path: path, reason: "contains no photos; add some with 'openvision index FOLDER'")
    }
}
