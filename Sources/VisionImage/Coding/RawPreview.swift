import Foundation

/// The photo that a camera stores beside its RAW pixels: a JPEG, mostly of full size, as the camera developed it.
///
/// RAW pixels themselves are not developed here: the libraries for that decode hundreds of formats of cameras in one
/// process with the caller's data. Read are the files that are made like TIFF (DNG, CR2, NEF, ARW, PEF, RW2, ORF and
/// others), Fujifilm's RAF and Canon's CR3.
struct RawPreview {
    /// Of the JPEG in the file.
    let range: Range<Int>
    /// EXIF 1 to 8, of the RAW file; 1 where it says nothing.
    let orientation: UInt32

    /// What a file is.
    enum Finding {
        case noRaw
        /// The largest of the JPEGs in it, by their bytes; each begins as one.
        case raw([RawPreview])
    }

    /// The most JPEGs that are examined; files have a handful.
    private static let largestCount = 8

    /// - Complexity: Some ten thousand entries at most, whatever the file says.
    static func find(in data: Data) -> Finding {
        data.withUnsafeBytes { bytes in
            let file = RawFile(bytes)
            if let tiff = RawDirectories(file) {
                guard tiff.isRaw else { return .noRaw }
                return .raw(previews(tiff.candidates, in: file, orientation: tiff.orientation))
            }
            if file.begins(with: "FUJIFILMCCD-RAW ", at: 0) {
                let range = file.range(at: file.unsigned(4, at: 84), count: file.unsigned(4, at: 88))
                return .raw(previews([range].compactMap { $0 }, in: file, orientation: 1))
            }
            if file.begins(with: "ftypcrx ", at: 4) {
                let boxes = RawBoxes(file)
                let directory = boxes.directory.flatMap {
                    RawDirectories(RawFile(UnsafeRawBufferPointer(rebasing: bytes[$0])))
                }
                return .raw(previews(boxes.samples, in: file, orientation: directory?.orientation ?? 1))
            }
            return .noRaw
        }
    }

    private static func previews(_ ranges: [Range<Int>], in file: RawFile, orientation: UInt32) -> [RawPreview] {
        Set(ranges.filter { file.begins(with: [0xff, 0xd8, 0xff], at: $0.lowerBound) && $0.count > 3 })
            .sorted { ($1.count, $0.lowerBound) < ($0.count, $1.lowerBound) }.prefix(largestCount).map {
                RawPreview(range: $0, orientation: orientation)
            }
    }
}

/// Numbers of a file at any place: nil beyond its end.
struct RawFile {
    private let bytes: UnsafeRawBufferPointer
    var isLittleEndian = false

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    var count: Int { bytes.count }

    func unsigned(_ width: Int, at offset: Int?) -> Int? {
        guard let offset, offset >= 0, offset <= bytes.count - width else { return nil }
        let part = bytes[offset..<(offset + width)]
        let number =
            isLittleEndian
            ? part.reversed().reduce(0) { $0 << 8 | UInt64($1) } : part.reduce(0) { $0 << 8 | UInt64($1) }
        return Int(exactly: number)
    }

    /// The part of the file of that place and length; nil where it is empty or reaches beyond the end.
    func range(at offset: Int?, count: Int?) -> Range<Int>? {
        guard let offset, let count, offset > 0, count > 0, offset < bytes.count, count <= bytes.count - offset else {
            return nil
        }
        return offset..<(offset + count)
    }

    func begins(with expected: [UInt8], at offset: Int) -> Bool {
        offset >= 0 && offset <= bytes.count - expected.count && bytes[offset...].starts(with: expected)
    }

    func begins(with text: String, at offset: Int) -> Bool { begins(with: Array(text.utf8), at: offset) }
}

/// The directories of a file that is made like TIFF, as far as they speak of previews.
private struct RawDirectories {
    private static let largestCount = 32
    private static let largestEntryCount = 1024

    private(set) var orientation: UInt32 = 1
    private(set) var isRaw: Bool
    private(set) var candidates: [Range<Int>] = []

    /// - Returns: nil where the file does not begin as one of these.
    init?(_ file: RawFile) {
        var file = file
        // TIFF's own mark, and those of Olympus and Panasonic, which are RAW.
        let marks: [(text: String, isLittleEndian: Bool, isRaw: Bool)] = [
            ("II*\0", true, false), ("MM\0*", false, false), ("IIRO", true, true), ("IIRS", true, true),
            ("MMOR", false, true), ("IIU\0", true, true),
        ]
        guard let mark = marks.first(where: { file.begins(with: $0.text, at: 0) }) else { return nil }
        file.isLittleEndian = mark.isLittleEndian
        isRaw = mark.isRaw || file.begins(with: "CR", at: 8)
        var (offsets, seen) = ([file.unsigned(4, at: 4) ?? 0], Set<Int>())
        while let offset = offsets.popLast(), seen.count < Self.largestCount {
            guard offset > 0, seen.insert(offset).inserted else { continue }
            offsets += read(file, at: offset, isFirst: seen.count == 1)
        }
    }

    /// Returns the places of further directories.
    private mutating func read(_ file: RawFile, at offset: Int, isFirst: Bool) -> [Int] {
        guard let count = file.unsigned(2, at: offset), count <= Self.largestEntryCount else { return [] }
        var (values, further) = ([Int: Int](), [Int]())
        for index in 0..<count {
            let entry = offset + 2 + 12 * index
            guard let tag = file.unsigned(2, at: entry), let type = file.unsigned(2, at: entry + 2),
                let length = file.unsigned(4, at: entry + 4)
            else { return [] }
            let place = file.unsigned(4, at: entry + 8)
            values[tag] = type == 3 ? file.unsigned(2, at: entry + 8) : place
            switch tag {
            case 0x14a where length > 1:
                further += (0..<min(length, Self.largestCount)).compactMap {
                    file.unsigned(4, at: (place ?? 0) + 4 * $0)
                }
            case 0x14a: further += [place].compactMap { $0 }
            // Panasonic's JPEG.
            case 0x2e where type == 7: candidates += [file.range(at: place, count: length)].compactMap { $0 }
            // Several strips are no JPEG of its own.
            case 0x111, 0x117: if length != 1 { values[tag] = nil }
            default: break
            }
        }
        // Samples of a colour filter, or linear ones; the version of DNG.
        let isMosaic = values[0x106] == 32803 || values[0x106] == 34892
        isRaw = isRaw || isMosaic || values[0xc612] != nil
        if isFirst, let value = values[0x112], (1...8).contains(value) { orientation = UInt32(value) }
        candidates += [file.range(at: values[0x201], count: values[0x202])].compactMap { $0 }
        if !isMosaic, values[0x103] == 6 || values[0x103] == 7 {
            candidates += [file.range(at: values[0x111], count: values[0x117])].compactMap { $0 }
        }
        return further + [file.unsigned(4, at: offset + 2 + 12 * count)].compactMap { $0 }
    }
}

/// The first samples of the tracks of a CR3 file, whose boxes are those of MPEG-4.
private struct RawBoxes {
    private static let largestCount = 4096
    private static let canon: [UInt8] = [
        0x85, 0xc0, 0xb6, 0x87, 0x82, 0x0f, 0x11, 0xe0, 0x81, 0x11, 0xf4, 0xce, 0x46, 0x2b, 0x6a, 0x48,
    ]

    private(set) var samples: [Range<Int>] = []
    /// The file's first directory, in the form of a TIFF file of its own.
    private(set) var directory: Range<Int>?
    private var left = largestCount

    init(_ file: RawFile) { walk(file, 0..<file.count) }

    private mutating func walk(_ file: RawFile, _ range: Range<Int>) {
        var (position, offset, size) = (range.lowerBound, Int?.none, Int?.none)
        while left > 0, position <= range.upperBound - 8 {
            left -= 1
            guard var length = file.unsigned(4, at: position) else { return }
            var head = 8
            if length == 1 { (length, head) = (file.unsigned(8, at: position + 8) ?? 0, 16) }
            if length == 0 { length = range.upperBound - position }
            guard length >= head, length <= range.upperBound - position else { return }
            let (start, end) = (position + head, position + length)
            func isBox(_ name: String) -> Bool { file.begins(with: name, at: position + 4) }
            if ["moov", "trak", "mdia", "minf", "stbl"].contains(where: isBox) { walk(file, start..<end) }
            // Canon's box: 16 bytes that name it, then boxes.
            if isBox("uuid"), file.begins(with: Self.canon, at: start), end - start >= Self.canon.count {
                walk(file, (start + Self.canon.count)..<end)
            }
            if isBox("CMT1"), directory == nil { directory = start..<end }
            if isBox("co64") { offset = file.unsigned(8, at: start + 8) }
            if isBox("stco") { offset = file.unsigned(4, at: start + 8) }
            if isBox("stsz") {
                let common = file.unsigned(4, at: start + 4)
                size = common == 0 ? file.unsigned(4, at: start + 12) : common
            }
            position = end
        }
        samples += [file.range(at: offset, count: size)].compactMap { $0 }
    }
}
