import Foundation
package import VisionFiles
import VisionThreads

/// A file of clustered prints, open for searching.
///
/// Little-endian numbers, one after another:
///
///     "OVPCLUST" · version, revision of the prints, elements, clusters: 4 bytes each · prints, last identifier: 8 each
///     witnesses: their number (8), then identifier and checksum (8 each)
///     centres: a byte an element, cluster by cluster; then the scale of each (8)
///     clusters: number of prints (8) and the first 8 bytes of the SHA-256 of the cluster's part, for each
///     the first 8 bytes of the SHA-256 of all that precedes
///     each cluster: identifiers (8), offsets (4), factors (4), codes; the last three with the empty slots
///
/// Clusters are read as searches visit them, checked once, and kept in memory. Nothing is mapped: a file that shrinks
/// or changes is an error, and ends no process.
package final class ClusterFile: Sendable {
    static let signature = Array("OVPCLUST".utf8)
    static let version = 1
    static let headerSize = 48
    /// Prints by which the owner of the file recognises that it is the file of its prints.
    package static let largestWitnessCount = 64
    /// The most prints: rows are counted with 32 bits.
    package static let largestPrintCount = Int(Int32.max)

    /// The largest identifier, so that larger ones follow it.
    package static let largestID = Int64.max / 2

    package struct Witness: Sendable, Equatable {
        package var id: Int64
        /// Of the print's contents, by a rule of the owner's.
        package var checksum: Int64

        package init(id: Int64, checksum: Int64) {
            self.id = id
            self.checksum = checksum
        }
    }

    /// What a file says about its prints.
    package struct Header: Sendable, Equatable {
        /// Of the request that made the prints.
        package var revision: Int
        package var elementCount: Int
        package var printCount: Int
        /// No identifier in the file is larger.
        package var lastID: Int64
        package var witnesses: [Witness]

        package init(revision: Int, elementCount: Int, printCount: Int, lastID: Int64, witnesses: [Witness]) {
            self.revision = revision
            self.elementCount = elementCount
            self.printCount = printCount
            self.lastID = lastID
            self.witnesses = witnesses
        }
    }

    private struct Entry: Sendable {
        var prints: Int
        var offset: Int
        var byteCount: Int
        var digest: UInt64
    }

    package let header: Header
    private let path: String
    private let file: RegularFile
    private let search: ClusterSearch
    private let entries: [Entry]
    private let clusters: Locked<[PrintCluster?]>

    package var clusterCount: Int { entries.count }
    /// Which version of the file is open.
    package var identity: FileIdentity { file.identity }

    /// Opens a file and reads its centres.
    ///
    /// - Throws: `ClusterFileError`.
    package init(path: String) throws(ClusterFileError) {
        self.path = path
        do {
            file = try RegularFile(path: path)
        } catch {
            throw ClusterFileError(error.kind == .missing ? .missing : .io, path: path, reason: error.reason)
        }
        func damaged(_ what: String) -> ClusterFileError { .damaged(path, what) }
        var header = FileBytes(try Self.bytes(of: file, path, at: 0, count: Self.headerSize))
        guard header.take(Self.signature.count).elementsEqual(Self.signature) else {
            throw ClusterFileError(.foreign, path: path, reason: "is not an approximate index of prints")
        }
        let version = Int(header.number() as UInt32)
        guard version == Self.version else {
            throw ClusterFileError(.newer, path: path, reason: "has format \(version), not \(Self.version)")
        }
        let (revision, elements, clusters) = (
            Int(header.number() as UInt32), Int(header.number() as UInt32), Int(header.number() as UInt32)
        )
        let (prints, lastID, witnesses) = (
            header.number() as UInt64, Int64(bitPattern: header.number()), header.number() as UInt64
        )
        // Checked before memory is allocated: with these, sizes are below 2^60.
        guard (1...PrintVector.largestCount).contains(elements), (1...PrintCentroids.largestCount).contains(clusters),
            revision <= Int(Int32.max), lastID <= Self.largestID, prints <= UInt64(Self.largestPrintCount),
            witnesses <= UInt64(Self.largestWitnessCount)
        else { throw damaged("its header") }
        let tables = 16 * Int(witnesses) + clusters * (elements + 24)
        let all = Self.headerSize + tables + 8
        guard all <= file.size else { throw damaged("it is too short") }
        let bytes = try Self.bytes(of: file, path, at: 0, count: all)
        guard try Self.word(of: Array(bytes.dropLast(8)), path) == FileBytes(bytes.suffix(8)).first else {
            throw damaged("the checksum of its tables")
        }
        var rest = FileBytes(bytes.dropFirst(Self.headerSize))
        self.header = Header(
            revision: revision, elementCount: elements, printCount: Int(prints), lastID: lastID,
            witnesses: (0..<witnesses).map { _ in
                Witness(id: Int64(bitPattern: rest.number()), checksum: Int64(bitPattern: rest.number()))
            })
        let codes = rest.take(clusters * elements).map { Int8(bitPattern: $0) }
        let scales = (0..<clusters).map { _ in Double(bitPattern: rest.number()) }
        // A scale is the largest element of a print over 127.
        guard scales.allSatisfy({ (0...Double(PrintVector.largestElement)).contains($0) }) else {
            throw damaged("its centres")
        }
        search = ClusterSearch(PrintCentroids(codes: codes, scales: scales, elementCount: elements))
        let codeBytes = search.rotation.rotatedCount / 8
        var (entries, offset, count): ([Entry], Int, Int) = ([], all, 0)
        for _ in 0..<clusters {
            let inCluster = rest.number() as UInt64
            guard inCluster <= prints else { throw damaged("the sizes of its clusters") }
            let size = PrintCluster.byteCount(prints: Int(inCluster), codeBytes: codeBytes)
            entries.append(Entry(prints: Int(inCluster), offset: offset, byteCount: size, digest: rest.number()))
            offset += size
            count += Int(inCluster)
        }
        guard count == Int(prints), offset == file.size else { throw damaged("its size") }
        self.entries = entries
        self.clusters = Locked([PrintCluster?](repeating: nil, count: clusters))
    }

    /// Returns the identifiers of the prints that are probably nearest to a query, the most probable first.
    ///
    /// - Throws: `ClusterFileError` for a cluster that cannot be read or is damaged.
    package func candidates(near query: PrintVector, _ effort: ClusterSearch.Effort) throws -> [Int64] {
        guard query.revision == header.revision, query.elements.count == header.elementCount else {
            throw PrintError.differentKinds("The approximate index holds prints of another revision or length.")
        }
        return try search.candidates(near: query.elements, effort, cluster: cluster)
    }

    private func cluster(_ number: Int) throws(ClusterFileError) -> PrintCluster {
        if let known = clusters.withLock({ $0[number] }) { return known }
        let entry = entries[number]
        let bytes = try Self.bytes(of: file, path, at: entry.offset, count: entry.byteCount)
        guard try Self.word(of: bytes, path) == entry.digest else {
            throw .damaged(path, "the checksum of cluster \(number)")
        }
        let cluster = PrintCluster(bytes, prints: entry.prints)
        clusters.withLock { $0[number] = cluster }
        return cluster
    }

    private static func bytes(
        of file: RegularFile, _ path: String, at offset: Int, count: Int
    ) throws(ClusterFileError) -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: count)
        let result = bytes.withUnsafeMutableBytes { buffer in
            Result { () throws(RegularFileError) in try file.read(into: buffer, at: offset) }
        }
        switch result {
        case .success(let got):
            guard got == count else { throw .damaged(path, "it is too short") }
            return bytes
        case .failure(let error): throw ClusterFileError(.io, path: path, reason: error.reason)
        }
    }

    static func word(of bytes: [UInt8], _ path: String) throws(ClusterFileError) -> UInt64 {
        do {
            return try ContentDigest(of: bytes).word
        } catch {
            throw ClusterFileError(.io, path: path, reason: error.description)
        }
    }
}

/// What is wrong with a file of clustered prints. The description is the path and the reason.
package struct ClusterFileError: Error, Equatable, CustomStringConvertible, LocalizedError {
    package enum Kind: Equatable, Sendable {
        case missing
        /// The file cannot be opened, read or written.
        case io
        /// The file is something else.
        case foreign
        /// Another version of the format.
        case newer
        case damaged
    }

    package let kind: Kind
    package let path: String
    package let reason: String

    package init(_ kind: Kind, path: String, reason: String) {
        self.kind = kind
        self.path = path
        self.reason = reason
    }

    static func damaged(_ path: String, _ what: String) -> ClusterFileError {
        ClusterFileError(.damaged, path: path, reason: "the approximate index is damaged (\(what))")
    }

    package var description: String { "\(path): \(reason)" }
    package var errorDescription: String? { description }
}
