package import Foundation

/// The pages of a TIFF file: its image file directories, except thumbnails and masks.
///
/// A decoder reads the directory that the header names, so a page is selected by naming its directory there.
package struct TIFFPages: Sendable {
    /// The maximum number of pages. The directories of a file are a linked list that may be damaged.
    package static let limit = 1_000

    private let data: Data
    /// Where the directory of each page begins; empty for data with a single page, and for other formats.
    private let offsets: [UInt64]

    /// The number of pages; 1 for images of other formats and for data that is not an image.
    package var count: Int { max(1, offsets.count) }

    /// - Parameter data: The bytes of an image file.
    package init(_ data: Data) {
        self.data = data
        let offsets = Layout(data).map { Self.offsets(in: data, $0) } ?? []
        self.offsets = offsets.count > 1 ? offsets : []
    }

    /// Returns the bytes of an image file that shows a page: those of the whole file, with another directory first.
    ///
    /// - Parameter index: From 0 to `count - 1`; for others the first page is returned.
    package func page(_ index: Int) -> Data {
        guard index > 0, offsets.indices.contains(index), let layout = Layout(data) else { return data }
        var copy = data
        let start = copy.startIndex + layout.firstOffset
        for byte in 0..<layout.offsetBytes {
            let shift = 8 * (layout.isBigEndian ? layout.offsetBytes - 1 - byte : byte)
            copy[start + byte] = UInt8(truncatingIfNeeded: offsets[index] >> UInt64(shift))
        }
        return copy
    }

    /// How numbers and directories are stored.
    private struct Layout {
        let isBigEndian: Bool
        let isBig: Bool

        /// The position of the first directory's offset.
        var firstOffset: Int { isBig ? 8 : 4 }
        var offsetBytes: Int { isBig ? 8 : 4 }
        /// The bytes of a directory's number of entries, and of an entry.
        var countBytes: Int { isBig ? 8 : 2 }
        var entryBytes: Int { isBig ? 20 : 12 }

        /// - Returns: nil for data that is no TIFF.
        init?(_ data: Data) {
            switch Array(data.prefix(4)) {
            case [0x49, 0x49, 0x2A, 0]: (isBigEndian, isBig) = (false, false)
            case [0x4D, 0x4D, 0, 0x2A]: (isBigEndian, isBig) = (true, false)
            case [0x49, 0x49, 0x2B, 0]: (isBigEndian, isBig) = (false, true)
            case [0x4D, 0x4D, 0, 0x2B]: (isBigEndian, isBig) = (true, true)
            default: return nil
            }
        }

        /// Returns the number at a position; nil beyond the end of the data.
        func number(in data: Data, at position: UInt64, bytes: Int) -> UInt64? {
            let (end, overflow) = position.addingReportingOverflow(UInt64(bytes))
            guard !overflow, end <= UInt64(data.count) else { return nil }
            let start = data.startIndex + Int(position)
            let field = data[start..<start + bytes]
            return isBigEndian
                ? field.reduce(0) { $0 << 8 | UInt64($1) } : field.reversed().reduce(0) { $0 << 8 | UInt64($1) }
        }
    }

    private static let subfileType: UInt64 = 254
    /// The bits of a subfile type that mark a reduced image and a transparency mask.
    private static let reducedOrMask: UInt64 = 1 | 4

    /// Follows the list of directories. A directory that is cut off is a page too, which cannot be decoded, and ends
    /// the list; so does one that has been seen already.
    private static func offsets(in data: Data, _ layout: Layout) -> [UInt64] {
        var pages: [UInt64] = []
        var seen: Set<UInt64> = []
        var next = layout.number(in: data, at: UInt64(layout.firstOffset), bytes: layout.offsetBytes)
        while let offset = next, offset != 0, pages.count < limit, seen.count < 4 * limit, seen.insert(offset).inserted
        {
            guard let directory = directory(at: offset, in: data, layout) else { return pages + [offset] }
            if pages.isEmpty || directory.subfileType & reducedOrMask == 0 { pages.append(offset) }
            next = directory.next
        }
        return pages
    }

    /// - Returns: nil for a directory that is cut off.
    private static func directory(
        at offset: UInt64, in data: Data, _ layout: Layout
    ) -> (subfileType: UInt64, next: UInt64)? {
        guard let count = layout.number(in: data, at: offset, bytes: layout.countBytes),
            count <= UInt64(data.count / layout.entryBytes)
        else { return nil }
        let first = offset + UInt64(layout.countBytes)
        let end = first + count * UInt64(layout.entryBytes)
        guard let next = layout.number(in: data, at: end, bytes: layout.offsetBytes) else { return nil }
        var type: UInt64 = 0
        // Entries are in the order of their tags, of which this is the lowest: files with many entries cost nothing.
        for entry in 0..<min(count, 16) {
            let position = first + entry * UInt64(layout.entryBytes)
            guard layout.number(in: data, at: position, bytes: 2) == subfileType else { continue }
            type = layout.number(in: data, at: position + (layout.isBig ? 12 : 8), bytes: 4) ?? 0
            break
        }
        return (type, next)
    }
}
