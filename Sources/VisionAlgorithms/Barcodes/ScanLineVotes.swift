import Foundation
import VisionImage

/// Combines the results of single scan lines into linear barcodes.
///
/// A scan line across a code gives its content, its start and its end. Adjacent scan lines with the same content are
/// one code, which is accepted by the number of agreeing lines and of contradicting ones in the same position.
struct ScanLineVotes {
    private struct ScanLine {
        var start: SIMD2<Double>
        var end: SIMD2<Double>
        /// Half of the distance between scan lines, in pixels of the image.
        var halfWidth: Double

        var centre: SIMD2<Double> { (start + end) / 2 }
    }

    private struct Candidate {
        var found: FoundBarcode
        /// Along the code as it is read, and downwards in its own orientation.
        var direction: SIMD2<Double>
        var down: SIMD2<Double>
        var length: Double
        var top: ScanLine
        var bottom: ScanLine
        /// The number of scan lines of unaltered pixels, and of altered ones.
        var plainLines = 0
        var alteredLines = 0
        var inverted = 0
        /// The number of readings of each add-on text.
        var supplements: [String: Int] = [:]

        var lines: Int { plainLines + alteredLines }

        func position(_ line: ScanLine) -> Double { (line.centre * down).sum() }

        mutating func count(_ code: FoundBarcode, isPlain: Bool, isInverted: Bool) {
            if isPlain { plainLines += 1 } else { alteredLines += 1 }
            if isInverted { inverted += 1 }
            if !code.supplement.isEmpty { supplements[code.supplement, default: 0] += 1 }
        }
    }

    private var candidates: [Candidate] = []

    /// Adds the results of the rows of a view.
    ///
    /// - Parameters:
    ///   - map: The map from pixels of the view to those of the image.
    ///   - isPlain: Whether the view has the image's own pixels.
    mutating func add(_ found: [FoundBarcode], map: CGAffineTransform, isPlain: Bool, isInverted: Bool) {
        for code in found {
            func imagePoint(_ point: SIMD2<Double>, _ offset: Double) -> SIMD2<Double> {
                // The corners are column indices: a code ends at the right edge of its last column, at the centre of
                // the row.
                let mapped = CGPoint(x: point.x + offset, y: point.y + 0.5).applying(map)
                return SIMD2(Double(mapped.x), Double(mapped.y))
            }
            let isForward = code.corners[0].x <= code.corners[1].x
            let line = ScanLine(
                start: imagePoint(code.corners[0], isForward ? 0 : 1),
                end: imagePoint(code.corners[1], isForward ? 1 : 0),
                halfWidth: Double(map.c * map.c + map.d * map.d).squareRoot() / 2)
            add(code, line, isPlain: isPlain, isInverted: isInverted)
        }
    }

    private mutating func add(_ code: FoundBarcode, _ line: ScanLine, isPlain: Bool, isInverted: Bool) {
        let along = line.end - line.start
        let length = (along * along).sum().squareRoot()
        guard length > 0 else { return }
        let direction = along / length
        let match = candidates.firstIndex { candidate in
            guard candidate.found.format == code.format, candidate.found.text == code.text,
                (candidate.direction * direction).sum() > 0.8
            else { return false }
            let position = candidate.position(line)
            let (low, high) = (candidate.position(candidate.top), candidate.position(candidate.bottom))
            guard position > low - candidate.length / 2, position < high + candidate.length / 2 else { return false }
            // The scan lines of a slanted code are shifted against each other along it.
            let nearest = abs(position - low) < abs(position - high) ? candidate.top : candidate.bottom
            let shift = ((line.centre - nearest.centre) * candidate.direction).sum()
            let reach = candidate.length / 2 + abs(position - candidate.position(nearest))
            return abs(shift) < reach
        }
        guard let match else {
            var candidate = Candidate(
                found: code, direction: direction, down: SIMD2(-direction.y, direction.x), length: length, top: line,
                bottom: line)
            candidate.count(code, isPlain: isPlain, isInverted: isInverted)
            candidates.append(candidate)
            return
        }
        candidates[match].count(code, isPlain: isPlain, isInverted: isInverted)
        let position = candidates[match].position(line)
        if position < candidates[match].position(candidates[match].top) { candidates[match].top = line }
        if position > candidates[match].position(candidates[match].bottom) { candidates[match].bottom = line }
    }

    /// Returns the accepted codes, and whether more views could not change the result.
    ///
    /// - Parameter isLast: Whether no more views follow: then codes that the library accepts by itself are accepted
    ///   too.
    func codes(isLast: Bool) -> (accepted: [FoundBarcode], areSettled: Bool) {
        var accepted: [(code: FoundBarcode, lines: Int)] = []
        var settled = true
        let seen = candidates.map { ($0, quadrilateral(of: $0)) }
        for (index, (candidate, code)) in seen.enumerated() {
            let needed = candidate.found.format.requiredScanLines
            let rivals = seen.enumerated().filter { other, rival in
                other != index && rival.1.box.overlaps(code.box) && rival.0.found.text != candidate.found.text
            }
            let strongest = rivals.map { $0.element.0.lines }.max() ?? 0
            // The library itself accepts two scan lines of the unaltered image.
            let isStrong = candidate.lines >= needed && candidate.lines >= 2 * strongest
            let isPlain = candidate.plainLines >= 2 && candidate.lines > strongest
            if isStrong || (isLast && isPlain) {
                accepted.append((code, candidate.lines))
            } else if candidate.plainLines >= 2 {
                settled = false
            }
        }
        return (accepted.map(\.code), settled)
    }

    private func quadrilateral(of candidate: Candidate) -> FoundBarcode {
        var code = candidate.found
        let (top, bottom) = (candidate.top, candidate.bottom)
        let (above, below) = (candidate.down * top.halfWidth, candidate.down * bottom.halfWidth)
        code.corners = [top.start - above, top.end - above, bottom.end + below, bottom.start + below]
        code.lineCount = candidate.lines
        let supplement = candidate.supplements.max { ($0.value, $1.key) < ($1.value, $0.key) }
        // The check of a two-digit add-on has only four values.
        code.supplement = supplement.map { $0.value >= 3 ? $0.key : "" } ?? ""
        code.isInverted = candidate.inverted * 2 > candidate.lines
        return code
    }
}
