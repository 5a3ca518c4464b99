import CVisionBarcode
package import VisionImage

/// ZXing-C++, one call for one image.
package enum BarcodeReader {
    /// The longest side that can be read.
    package static let longestSide = Int(CVB_LARGEST_SIDE)
    /// Whether 2-D barcodes come with their codewords: ZXing-C++ 1.4 gives them, 2.3 does not. Tests tell the versions
    /// by it.
    package static var givesCodewords: Bool { cvb_gives_codewords() }

    /// The threshold of a row.
    package enum RowThreshold: Hashable, Sendable {
        /// The valley of its histogram, after sharpening.
        case valley
        /// Halfway between neighbouring extremes, to a quarter of a pixel: for bars as narrow as the blur.
        case betweenExtremes

        /// The number of pixels of a thresholded row for each pixel of the image.
        var pixelsPerPixel: Int { self == .betweenExtremes ? 4 : 1 }
    }

    /// The options of one call.
    package struct Options: Sendable {
        package var formats: BarcodeFormats
        /// Whether rotations by quarter turns are read as well; not for linear barcodes.
        package var rotates = true
        /// Whether reduced copies of large images are read as well; not for linear barcodes.
        package var shrinks = true
        /// Whether the add-on digits of an EAN or UPC code are read; they follow a space in the text.
        package var addOns = false
        package var minimumLines = 2
        /// The maximum number of codes; 0 for no limit.
        ///
        /// The library ends the process when it finds two equal linear barcodes in one image, so only 1 is safe for
        /// them.
        package var mostCodes = 0

        /// The maximum number of candidate finder patterns in an image in which QR codes are read: the library forms
        /// all triples of them. 400 take it a second, 1000 ten.
        package var mostFinderPatterns = 120

        /// How rows are made black and white, where they are read one by one.
        package var rowThreshold = RowThreshold.valley

        package init(formats: BarcodeFormats) { self.formats = formats }
    }

    /// Returns the codes of a grey image.
    ///
    /// - Precondition: the image is `grey8`.
    package static func codes(in image: Raster, _ options: Options) throws -> [FoundBarcode] {
        precondition(options.formats.isDisjoint(with: .linear) || options.mostCodes == 1)
        return try read(image, options, byRow: false)
    }

    /// Returns the codes of a drawing in black and white.
    static func codes(drawn image: Raster, _ options: Options) throws -> [FoundBarcode] {
        try read(image, options, byRow: false, threshold: CVB_THRESHOLD_FIXED)
    }

    /// Returns the codes along every row of a grey image, each row read by itself. Corners: start, end, end, start.
    ///
    /// - Precondition: the image is `grey8`.
    package static func codesAlongRows(of image: Raster, _ options: Options) throws -> [FoundBarcode] {
        try read(
            image, options, byRow: true,
            threshold: options.rowThreshold == .valley ? CVB_THRESHOLD_LOCAL : CVB_THRESHOLD_EXTREMES)
    }

    /// Returns the codes that the library reads by itself in one call. For comparisons, in a process that may end: see
    /// `mostCodes`.
    package static func libraryCodes(in image: Raster, formats: BarcodeFormats) throws -> [FoundBarcode] {
        try read(image, Options(formats: formats), byRow: false, threshold: CVB_THRESHOLD_LIBRARY)
    }

    private static func read(
        _ image: Raster, _ options: Options, byRow: Bool, threshold: cvb_threshold = CVB_THRESHOLD_LOCAL
    ) throws -> [FoundBarcode] {
        precondition(image.format == .grey8)
        guard image.width <= longestSide, image.height <= longestSide else {
            throw BarcodeError.tooLarge(width: image.width, height: image.height, limit: longestSide)
        }
        var settings = cvb_options(
            formats: options.formats.rawValue, threshold: threshold, try_harder: true,
            try_rotate: options.rotates, try_downscale: options.shrinks, add_ons: options.addOns,
            minimum_lines: UInt8(clamping: options.minimumLines), most_codes: UInt8(clamping: options.mostCodes),
            most_finder_patterns: UInt16(clamping: options.mostFinderPatterns))
        var codes: OpaquePointer?
        let (width, height) = (Int32(image.width), Int32(image.height))
        let status = image.withUnsafePixels { pixels in
            let grey = pixels.assumingMemoryBound(to: UInt8.self)
            return byRow
                ? cvb_read_lines(grey, width, height, image.rowBytes, &settings, &codes)
                : cvb_read(grey, width, height, image.rowBytes, &settings, &codes)
        }
        return try found(codes, status, width: image.width, height: image.height)
    }

    /// Returns the sides of the Aztec codes that square modules can be the middle of.
    ///
    /// - Parameter modules: Row by row, 0 for dark ones.
    static func aztecSides(around modules: [UInt8], side: Int) throws -> [Int] {
        precondition(side > 0 && modules.count == side * side)
        var sides: (Int32, Int32) = (0, 0)
        let status = modules.withUnsafeBufferPointer { modules in
            withUnsafeMutableBytes(of: &sides) {
                cvb_aztec_sides(modules.baseAddress, Int32(side), $0.assumingMemoryBound(to: Int32.self).baseAddress)
            }
        }
        try check(status, width: side, height: side)
        return [sides.0, sides.1].filter { $0 > 0 }.map(Int.init)
    }

    /// Returns the Aztec code whose modules are known, turned or mirrored in any way, with its corners in modules.
    ///
    /// - Parameter modules: Row by row, 0 for dark ones; `side` is odd.
    static func aztecCode(of modules: [UInt8], side: Int) throws -> FoundBarcode? {
        precondition(side % 2 == 1 && modules.count == side * side)
        var codes: OpaquePointer?
        let status = modules.withUnsafeBufferPointer { cvb_read_aztec($0.baseAddress, Int32(side), &codes) }
        return try found(codes, status, width: side, height: side).first
    }

    /// Returns the codes of a call's result, which is freed.
    private static func found(
        _ codes: OpaquePointer?, _ status: cvb_status, width: Int, height: Int
    ) throws -> [FoundBarcode] {
        defer { cvb_codes_free(codes) }
        try check(status, width: width, height: height)
        guard let codes else { throw BarcodeError.failed }
        return (0..<cvb_codes_count(codes)).compactMap { index in cvb_codes_at(codes, index).map { found($0.pointee) } }
    }

    private static func check(_ status: cvb_status, width: Int, height: Int) throws {
        switch status {
        case CVB_OK: break
        case CVB_NO_MEMORY: throw BarcodeError.outOfMemory
        case CVB_INVALID_ARGUMENT:
            throw BarcodeError.tooLarge(width: width, height: height, limit: longestSide)
        default: throw BarcodeError.failed
        }
    }

    private static func found(_ code: cvb_code) -> FoundBarcode {
        let c = code.corners
        let corners = [(c.0, c.1), (c.2, c.3), (c.4, c.5), (c.6, c.7)].map { SIMD2(Double($0.0), Double($0.1)) }
        var found = FoundBarcode(
            format: BarcodeFormats(rawValue: UInt32(code.format.rawValue)), corners: corners,
            text: String(
                decoding: UnsafeRawBufferPointer(start: code.text, count: code.text_length), as: UTF8.self),
            bytes: Array(UnsafeBufferPointer(start: code.bytes, count: code.byte_count)),
            codewords: Array(UnsafeBufferPointer(start: code.codewords, count: code.codeword_count)),
            errorCorrection: text(of: code.error_correction), identifier: text(of: code.identifier),
            content: FoundBarcode.Content(code.content), isMirrored: code.is_mirrored, isInverted: false,
            lineCount: Int(code.line_count))
        let parts = found.text.split(separator: " ")
        if parts.count == 2, !found.format.isDisjoint(with: [.ean8, .ean13, .upca, .upce]) {
            (found.text, found.supplement) = (String(parts[0]), String(parts[1]))
            found.bytes = Array(found.text.utf8)
        }
        return found
    }

    /// Returns the text of a null-terminated array of characters.
    private static func text<Characters>(of characters: Characters) -> String {
        withUnsafeBytes(of: characters) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) }
    }
}

extension FoundBarcode.Content {
    fileprivate init(_ content: cvb_content) {
        switch content {
        case CVB_CONTENT_TEXT: self = .text
        case CVB_CONTENT_BINARY: self = .binary
        case CVB_CONTENT_MIXED: self = .mixed
        case CVB_CONTENT_GS1: self = .gs1
        case CVB_CONTENT_ISO15434: self = .iso15434
        default: self = .unknownECI
        }
    }
}
