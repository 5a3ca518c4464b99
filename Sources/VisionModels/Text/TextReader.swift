import Foundation
package import VisionAlgorithms
import VisionImage

/// A line of text that was read.
package struct ReadTextLine: Sendable {
    /// In pixels of the image; the axis is the direction in which the text was read.
    package let box: RotatedBox
    /// At least one, the most likely first.
    package let readings: [TextLineReading]
}

/// Reads the lines of text that a detector has found.
package struct TextReader: Sendable {
    package struct Settings: Hashable, Sendable {
        package var size = TextNetworkSize.small
        /// Which scripts may occur.
        package var scripts = TextScripts.all
        /// Words that are expected.
        package var customWords = CustomWords([])
        /// Whether letters among digits are read as digits.
        package var correctsNumbers = false
        /// The languages by whose dictionaries words may be corrected, the most likely first. An image is corrected by
        /// the one that knows most of its words, if that is most of them.
        package var dictionaryLanguages: [String] = []
        /// The number of readings of a line.
        package var readingCount = 10
        /// Lines whose readings in 8 bits have a score within are read in floats: above they are certain, below floats
        /// read other characters, but no better ones. Empty: all are taken as they are.
        package var doubtfulScores: Range<Float> = 0.4..<0.7

        package init() {}
    }

    /// The parts of a line's height that are added at the ends of its box, and above and below it: the detector's boxes
    /// are tight.
    private static let margins = SIMD2(0.25, 0.15)
    /// The parts of a line's height by which the box of a line that was read is larger than the detector's: at its
    /// ends, and above and below. The detector's boxes cut accents, descenders and the ends of letters, and people draw
    /// boxes of words wider still. Chosen on labelled words of scenes; taller ones overlap the next lines of pages.
    private static let border = SIMD2(0.11, 0.08)
    /// How much better the reading of the reversed line must be.
    private static let reversalGain: Float = 0.1
    /// The share of the progress that is left for reading lines upside down.
    private static let reversedShare = 0.2
    /// The words of an image that decide on its language.
    private static let wordsOfLanguage = 1000
    /// Columns of one run of the network, over all of its lines.
    private static let columnsOfRun = 2048

    package let settings: Settings
    private let lexicons: Lexicons
    private let network: TextRecognitionNetwork
    private let isAllowed: [Bool]?
    /// The class of each character; empty without custom words.
    private let classes: [String: Int]

    /// - Throws: `ModelStoreError`.
    package init(
        _ settings: Settings, lexicons: Lexicons = .system, store: InstalledModels = InstalledModels()
    ) throws {
        (self.settings, self.lexicons) = (settings, lexicons)
        network = try .shared(settings.size, store: store)
        classes =
            settings.customWords.isEmpty
            ? [:]
            : Dictionary(network.alphabet.enumerated().map { ($1, $0) }) { first, _ in first }
        isAllowed = settings.scripts == .all ? nil : network.alphabet.map(settings.scripts.contains)
    }

    /// A line that is to be read in one direction.
    private struct Strip {
        let index: Int
        let box: RotatedBox
        let columns: Int
    }

    /// What the network sees in a line.
    private struct Decoded {
        let strip: Strip
        let lattice: CTCLattice
        /// The most likely first.
        var readings: [CTCReading]
        /// That of the first reading.
        let score: Float
    }

    /// Returns the readings of lines in the order of reading; lines in which nothing can be read, and what is probably
    /// no text, are left out.
    ///
    /// - Parameters:
    ///   - lines: In pixels of the image.
    ///   - pixels: Samples the image.
    ///   - threads: The maximum number of threads; nil for all. The results do not depend on it.
    ///   - progress: Called before each run of the network with the share of the lines that are read; an error that it
    ///     throws ends the reading.
    package func read(
        _ lines: [RotatedBox], in pixels: TextPyramid, threads: Int? = nil, progress: (Double) throws -> Void
    ) throws -> [ReadTextLine] {
        var results = [Decoded?](repeating: nil, count: lines.count)
        func score(_ index: Int) -> Float { results[index]?.score ?? 0 }
        var done = 0
        let strips = lines.enumerated().map { strip($0, $1) }
        try run(strips, pixels, threads) { line in
            !settings.doubtfulScores.contains(line.score)
        } before: {
            try progress((1 - Self.reversedShare) * Double(done) / Double(lines.count))
            done += $0
        } take: {
            results[$0.strip.index] = $0
        }

        // Whether a line stands on its head is not known before it is read.
        let axes = strips.map(\.box.axis)
        let doubtful = PageDirection.doubtful(axes: axes, scores: results.indices.map(score))
        let leading = PageDirection.leading(doubtful, axes: axes, lengths: strips.map(\.columns))
        done = 0
        var turned: [Int] = []
        func readReversed(_ indices: [Int]) throws {
            let reversed = indices.map { index in
                var box = strips[index].box
                box.axis = -box.axis
                return Strip(index: index, box: box, columns: strips[index].columns)
            }
            try run(reversed, pixels, threads) { line in
                // Only what is better in 8 bits may be better by the gain in floats.
                line.score < score(line.strip.index) + Self.reversalGain / 2
                    || !settings.doubtfulScores.contains(line.score)
            } before: {
                try progress(1 - Self.reversedShare * (1 - Double(done) / Double(doubtful.count)))
                done += $0
            } take: { line in
                if line.score > score(line.strip.index) + Self.reversalGain {
                    results[line.strip.index] = line
                    turned.append(line.strip.index)
                }
            }
        }
        try readReversed(leading)
        try readReversed(PageDirection.following(leading, of: doubtful, turned: turned, axes: axes))
        let read = corrected(results.compactMap { $0 }).map(line).filter {
            !($0.readings.first?.text.isEmpty ?? true)
        }
        let ordered = ReadingOrder.indices(of: read.map(\.box)).map { calibrated(read[$0]) }
        let kept = DoubtfulText.kept(
            lengths: ordered.map { line in line.readings.first?.text.count { $0 != " " } ?? 0 },
            confidences: ordered.map { $0.readings.first?.confidence ?? 0 })
        return kept.map { ordered[$0] }
    }

    /// Makes probabilities of the scores, by which lines were compared so far.
    private func calibrated(_ line: ReadTextLine) -> ReadTextLine {
        ReadTextLine(
            box: line.box,
            readings: line.readings.map { reading in
                var reading = reading
                reading.confidence = TextConfidence.probability(ofScore: reading.confidence)
                return reading
            })
    }

    private func strip(_ index: Int, _ box: RotatedBox) -> Strip {
        let extent = Self.extent(of: box)
        let columns = (extent.x / extent.y * Double(TextRecognitionNetwork.rows)).rounded()
        let limit = Double(TextRecognitionNetwork.columnLimit)
        return Strip(index: index, box: box, columns: columns.isFinite ? Int(min(max(columns, 8), limit)) : 8)
    }

    /// Reads strips, in 8 bits where that is fast and once more in floats where it leaves a doubt.
    ///
    /// - Parameters:
    ///   - isDecided: Whether the reading in 8 bits is good enough.
    ///   - before: Called before each run of the network with the number of lines that it reads for the first time.
    private func run(
        _ strips: [Strip], _ pixels: TextPyramid, _ threads: Int?, isDecided: (Decoded) -> Bool,
        before: (Int) throws -> Void, take: (Decoded) -> Void
    ) throws {
        guard network.hasBytes else {
            return try run(strips, pixels, threads, inBytes: false, before: before, take: take)
        }
        var doubtful: [Strip] = []
        try run(strips, pixels, threads, inBytes: true, before: before) { line in
            if isDecided(line) { take(line) } else { doubtful.append(line.strip) }
        }
        try run(doubtful, pixels, threads, inBytes: false, before: { _ in try before(0) }, take: take)
    }

    /// Reads strips of similar length together.
    private func run(
        _ strips: [Strip], _ pixels: TextPyramid, _ threads: Int?, inBytes: Bool, before: (Int) throws -> Void,
        take: (Decoded) -> Void
    ) throws {
        let sorted = strips.sorted { ($0.columns, $0.index) < ($1.columns, $1.index) }
        var rest = sorted[...]
        while let first = rest.first {
            let columns = TextRecognitionNetwork.inputColumns(first.columns)
            let count = max(1, Self.columnsOfRun / columns)
            // Lines of another width would be padded, which costs time and changes what is read.
            let alike = rest.prefix(count).prefix { TextRecognitionNetwork.inputColumns($0.columns) == columns }
            // Powers of two, so that few sizes have to be prepared.
            let batch = alike.prefix(1 << (Int.bitWidth - 1 - alike.count.leadingZeroBitCount))
            rest = rest.dropFirst(batch.count)
            try before(batch.count)
            let rasters = try batch.map { try pixels.section(of: patch($0)) }
            let lattices = try network.lattices(
                of: rasters, columns: columns, inBytes: inBytes, isAllowed: isAllowed, threads: threads)
            for (strip, lattice) in zip(batch, lattices) { take(decoded(strip, lattice)) }
        }
    }

    private func patch(_ strip: Strip) -> ImagePatch {
        ImagePatch(
            centre: strip.box.centre, extent: Self.extent(of: strip.box), axis: strip.box.axis,
            columns: strip.columns, rows: TextRecognitionNetwork.rows)
    }

    /// The length and the height of a line with its margins.
    private static func extent(of box: RotatedBox) -> SIMD2<Double> {
        SIMD2(box.length, box.height) + 2 * margins * box.height
    }

    private func decoded(_ strip: Strip, _ lattice: CTCLattice) -> Decoded {
        let decoder = CTCDecoder()
        // Several are the same text: as many as there are.
        var readings = decoder.readings(of: lattice, count: decoder.beamWidth)
        if settings.correctsNumbers, let first = readings.first,
            let corrected = network.numbers.applied(to: first, of: lattice)
        {
            readings.insert(corrected, at: 0)
        }
        if !settings.customWords.isEmpty, let first = readings.first,
            let corrected = settings.customWords.applied(
                to: first, of: lattice, classes: classes, alphabet: network.alphabet,
                space: network.alphabet.count - 1)
        {
            readings.insert(corrected, at: 0)
        }
        let score = readings.first.map { TextLineReading.score(of: $0, alphabet: network.alphabet) } ?? 0
        return Decoded(strip: strip, lattice: lattice, readings: readings, score: score)
    }

    /// Corrects words by the dictionary of the lines' language.
    private func corrected(_ lines: [Decoded]) -> [Decoded] {
        guard !settings.dictionaryLanguages.isEmpty else { return lines }
        let words = network.words
        let all = lines.lazy.flatMap { line in
            line.readings.first.map { first in words.words(of: first).map { words.text(of: $0, in: first) } } ?? []
        }
        guard
            let lexicon = lexicons.lexicon(
                ofWords: Array(all.prefix(Self.wordsOfLanguage)), among: settings.dictionaryLanguages)
        else { return lines }
        return lines.map { line in
            guard let first = line.readings.first,
                let corrected = words.applied(
                    to: first, of: line.lattice,
                    isWord: { settings.customWords.contains($0) || lexicon.contains($0) })
            else { return line }
            var line = line
            line.readings.insert(corrected, at: 0)
            return line
        }
    }

    private func line(_ decoded: Decoded) -> ReadTextLine {
        let strip = decoded.strip
        let border = Self.border * strip.box.height
        let box = strip.box.grown(length: border.x, height: border.y)
        let share = Self.extent(of: strip.box).x / box.length
        let step = Double(TextRecognitionNetwork.stepColumns) / Double(strip.columns) * share
        let offset = (1 - share) / 2
        // Readings that differ in spaces or in typesetting only are the same text. None is more certain than
        // a better one.
        var seen: Set<String> = []
        var most: Float = 1
        var readings: [TextLineReading] = []
        for reading in decoded.readings where readings.count < settings.readingCount {
            var reading = TextLineReading(reading, alphabet: network.alphabet, stepLength: step, offset: offset)
            guard seen.insert(TextLineReading.plain(reading.text)).inserted else { continue }
            most = min(most, reading.confidence)
            reading.confidence = most
            readings.append(reading)
        }
        return ReadTextLine(box: box, readings: readings)
    }
}
