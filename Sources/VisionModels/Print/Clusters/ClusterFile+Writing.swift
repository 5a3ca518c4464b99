internal import Foundation

extension ClusterFile {
    /// Writes a file of clustered prints. It replaces an existing file when it is complete and on the disk, so that
    /// there is always the old one or the new one.
    ///
    /// - Parameter header: The number of prints must be that of `builder`.
    /// - Throws: `ClusterFileError.io`.
    package static func write(_ builder: ClusterBuilder, _ header: Header, to path: String) throws {
        precondition(header.printCount == builder.count && header.witnesses.count <= largestWitnessCount)
        let url = URL(fileURLWithPath: path)
        // One name, so that the next run replaces what a killed one has left.
        let scratch = url.deletingLastPathComponent().appendingPathComponent(".\(url.lastPathComponent).partial")
        func failing<Result>(_ body: () throws -> Result) throws -> Result {
            do {
                return try body()
            } catch let error as ClusterFileError {
                throw error
            } catch {
                throw ClusterFileError(.io, path: path, reason: "cannot be written: \(error.localizedDescription)")
            }
        }
        try failing {
            guard let file = try DurableFiles.openExclusively(scratch) else {
                throw ClusterFileError(.io, path: path, reason: "is being made by another program")
            }
            var isComplete = false
            defer {
                if !isComplete { try? FileManager.default.removeItem(at: scratch) }
                try? file.close()
            }
            // The tables come first but are known last.
            let centroids = builder.centroids
            let tableSize =
                headerSize + 16 * header.witnesses.count + centroids.count * (centroids.elementCount + 24) + 8
            try file.seek(toOffset: UInt64(tableSize))
            var directory: [UInt8] = []
            try builder.eachCluster { cluster in
                let bytes = cluster.bytes
                directory.append(number: UInt64(cluster.ids.count))
                directory.append(number: try word(of: bytes, path))
                try file.write(contentsOf: Data(bytes))
            }
            var tables = signature
            for number in [version, header.revision, header.elementCount, centroids.count] {
                tables.append(number: UInt32(number))
            }
            tables.append(number: UInt64(header.printCount))
            tables.append(number: UInt64(bitPattern: header.lastID))
            tables.append(number: UInt64(header.witnesses.count))
            for witness in header.witnesses {
                tables.append(number: UInt64(bitPattern: witness.id))
                tables.append(number: UInt64(bitPattern: witness.checksum))
            }
            tables += centroids.codes.map { UInt8(bitPattern: $0) }
            for scale in centroids.scales { tables.append(number: scale.bitPattern) }
            tables += directory
            tables.append(number: try word(of: tables, path))
            precondition(tables.count == tableSize)
            try file.seek(toOffset: 0)
            try file.write(contentsOf: Data(tables))
            try file.synchronize()
            try DurableFiles.rename(scratch, to: url)
            isComplete = true
            try DurableFiles.synchronise(folder: url.deletingLastPathComponent())
        }
    }
}

extension PrintCluster {
    /// The cluster's part of a file.
    var bytes: [UInt8] {
        var bytes: [UInt8] = []
        bytes.reserveCapacity(8 * ids.count + 8 * offsets.count + codes.count)
        for id in ids { bytes.append(number: UInt64(bitPattern: id)) }
        for number in offsets { bytes.append(number: number.bitPattern) }
        for number in factors { bytes.append(number: number.bitPattern) }
        return bytes + codes
    }

    /// Reads what `bytes` gives. The length must be that of a cluster with that number of prints.
    init(_ bytes: [UInt8], prints: Int) {
        let slots = Self.slots(for: prints)
        var rest = FileBytes(bytes[...])
        ids = (0..<prints).map { _ in Int64(bitPattern: rest.number()) }
        offsets = (0..<slots).map { _ in Float(bitPattern: rest.number()) }
        factors = (0..<slots).map { _ in Float(bitPattern: rest.number()) }
        codes = Array(rest.take(rest.count))
    }
}

/// Little-endian numbers from the start of bytes on. There must be enough bytes.
struct FileBytes {
    private let bytes: ArraySlice<UInt8>
    private var position: Int

    init(_ bytes: some Sequence<UInt8>) { self.init(ArraySlice(bytes)) }

    init(_ bytes: ArraySlice<UInt8>) {
        self.bytes = bytes
        position = bytes.startIndex
    }

    var count: Int { bytes.endIndex - position }
    /// The first number of eight bytes.
    var first: UInt64 {
        var copy = self
        return copy.number()
    }

    mutating func take(_ length: Int) -> ArraySlice<UInt8> {
        precondition(length <= count)
        defer { position += length }
        return bytes[position..<position + length]
    }

    mutating func number<Number: FixedWidthInteger>() -> Number {
        let taken = take(Number.bitWidth / 8)
        return taken.withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(as: Number.self)) }
    }
}

extension [UInt8] {
    fileprivate mutating func append<Number: FixedWidthInteger>(number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
