import Foundation
import VisionImage

/// Gathers what single lines across an image say into codes.
///
/// A line that crosses a code says its content and where it starts and ends. Lines that say the same beside each other
/// are one code; how many agree, and whether others disagree there, says whether to believe it.
struct LineVotes {
    private struct Line {
        var start: SIMD2<Double>
        var end: SIMD2<Double>
        /// Half of what the line stands for across its direction.
        var halfWidth: Double

        var centre: SIMD2<Double> { (start + end) / 2 }
    }

    private struct Candidate {
        var found: FoundBarcode
        /// Along the code as it is read, and downwards in its own orientation.
        var direction: SIMD2<Double>
        var down: SIMD2<Double>
        var length: Double
        var top: Line
        var bottom: Line
        /// Lines of unaltered pixels, and those of altered ones.
        var plainLines = 0
        var alteredLines = 0
        var inverted = 0
        /// How often each text beside the code was read.
        var supplements: [String: Int] = [:]

        var lines: Int { plainLines + alteredLines }

        func position(_ line: Line) -> Double { (line.centre * down).sum() }

        mutating func count(_ code: FoundBarcode, isPlain: Bool, isInverted: Bool) {
            if isPlain { plainLines += 1 } else { alteredLines += 1 }
            if isInverted { inverted += 1 }
            if !code.supplement.isEmpty { supplements[code.supplement, default: 0] += 1 }
        }
    }

    private var candidates: [Candidate] = []

    /// Adds what was found along the rows of a view.
    ///
    /// - Parameters:
    ///   - map: from pixels of the view to the image.
    ///   - isPlain: the view shows the image's own pixels.
    mutating func add(_ found: [FoundBarcode], map: CGAffineTransform, isPlain: Bool, isInverted: Bool) {
        for code in found {
            func place(_ point: SIMD2<Double>, _ offset: Double) -> SIMD2<Double> {
                // Columns are counted, so that a code ends at the end of its last one; rows are met in their middle.
                let mapped = CGPoint(x: point.x + offset, y: point.y + 0.5).applying(map)
                return SIMD2(Double(mapped.x), Double(mapped.y))
            }
            let isForward = code.corners[0].x <= code.corners[1].x
            let line = Line(
                start: place(code.corners[0], isForward ? 0 : 1), end: place(code.corners[1], isForward ? 1 : 0),
                halfWidth: Double(map.c * map.c + map.d * map.d).squareRoot() / 2)
            add(code, line, isPlain: isPlain, isInverted: isInverted)
        }
    }

    private mutating func add(_ code: FoundBarcode, _ line: Line, isPlain: Bool, isInverted: Bool) {
        let along = line.end - line.start
        let length = (along * along).sum().squareRoot()
        guard length > 0 else { return }
        let direction = along / length
        let place = candidates.firstIndex { candidate in
            guard candidate.found.format == code.format, candidate.found.text == code.text,
                (candidate.direction * direction).sum() > 0.8
            else { return false }
            let position = candidate.position(line)
            let (low, high) = (candidate.position(candidate.top), candidate.position(candidate.bottom))
            guard position > low - candidate.length / 2, position < high + candidate.length / 2 else { return false }
            // Lines of a slanted code move along with the lines above and below them.
            let nearest = abs(position - low) < abs(position - high) ? candidate.top : candidate.bottom
            let shift = ((line.centre - nearest.centre) * candidate.direction).sum()
            let reach = candidate.length / 2 + abs(position - candidate.position(nearest))
            return abs(shift) < reach
        }
        guard let place else {
            var candidate = Candidate(
                found: code, direction: direction, down: SIMD2(-direction.y, direction.x), length: length, top: line,
                bottom: line)
            candidate.count(code, isPlain: isPlain, isInverted: isInverted)
            candidates.append(candidate)
            return
        }
        candidates[place].count(code, isPlain: isPlain, isInverted: isInverted)
        let position = candidates[place].position(line)
        if position < candidates[place].position(candidates[place].top) { candidates[place].top = line }
        if position > candidates[place].position(candidates[place].bottom) { candidates[place].bottom = line }
    }

    /// The codes that are believed so far, and whether more looks could change what is said.
    ///
    /// - Parameter isLast: no more looks follow: what the library would believe by itself is believed now too.
    func codes(isLast: Bool) -> (believed: [FoundBarcode], areSettled: Bool) {
        var believed: [(code: FoundBarcode, lines: Int)] = []
        var settled = true
        let seen = candidates.map { ($0, quadrilateral(of: $0)) }
        for (index, (candidate, code)) in seen.enumerated() {
            let needed = candidate.found.format.linesForBelief
            let rivals = seen.enumerated().filter { other, rival in
                other != index && rival.1.box.overlaps(code.box) && rival.0.found.text != candidate.found.text
            }
            let strongest = rivals.map { $0.element.0.lines }.max() ?? 0
            // Two lines of the image as it is are what the library believes.
            let isStrong = candidate.lines >= needed && candidate.lines >= 2 * strongest
            let isPlain = candidate.plainLines >= 2 && candidate.lines > strongest
            if isStrong || (isLast && isPlain) {
                believed.append((code, candidate.lines))
            } else if candidate.plainLines >= 2 {
                settled = false
            }
        }
        return (believed.map(\.code), settled)
    }

    private func quadrilateral(of candidate: Candidate) -> FoundBarcode {
        var code = candidate.found
        let (top, bottom) = (candidate.top, candidate.bottom)
        let (above, below) = (candidate.down * top.halfWidth, candidate.down * bottom.halfWidth)
        code.corners = [top.start - above, top.end - above, bottom.end + below, bottom.start + below]
        code.lineCount = candidate.lines
        let supplement = candidate.supplements.max { ($0.value, $1.key) < ($1.value, $0.key) }
        // A text of two digits has a check of four values only.
        code.supplement = supplement.map { $0.value >= 3 ? $0.key : "" } ?? ""
        code.isInverted = candidate.inverted * 2 > candidate.lines
        return code
    }
}
