import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage

struct RegistrationAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "registration",
        abstract: "Register pairs of known shift that are cropped from photos.",
        discussion: """
            Each pair shows the same part of a photo, moved by a random sub-pixel shift with an exact Fourier shift; \
            both crops get noise of their own and are rounded to 8 bits. Photos too small for the crop are tiled with \
            others. Unrelated pairs are crops of two different photos: their confidence should be low.
            """)

    @Argument(help: "A folder of photos (JPEG, PNG).")
    var data: String

    @Option(help: "Size of the crops in pixels.")
    var size = "640x480"

    @Option(help: "How many pairs.")
    var pairs = 60

    @Option(help: "Largest shift as a share of the size, in x and in y.")
    var shift = 0.25

    @Option(help: "Standard deviation of the noise of each crop, in grey levels.")
    var noise = 2.0

    @Option(help: "Seed of the random numbers.")
    var seed: UInt64 = 1

    @Flag(help: "Print JSON.")
    var json = false

    private struct Outcome: Codable {
        let pairs: Int
        let size: String
        let medianError: Double
        let error90: Double
        let maximumError: Double
        /// Pairs with an error above half a pixel.
        let failures: Int
        let medianMilliseconds: Double
        let relatedConfidence: [Double]
        let unrelatedConfidence: [Double]
        /// The probability that a related pair has more confidence than an unrelated one.
        let separation: Double?
    }

    func run() throws {
        let sides = size.split(separator: "x").compactMap { Int($0) }
        guard sides.count == 2, sides.allSatisfy({ (16...8192).contains($0) }), pairs > 0, (0...0.45).contains(shift)
        else { throw ValidationError("--size is WIDTHxHEIGHT of 16 to 8192, --pairs above 0, --shift 0 to 0.45.") }
        let (width, height) = (sides[0], sides[1])
        VisionSettings.threadCount = 1
        let photos = try PhotoFolder(data)
        var random = SplitMix64(seed: seed)
        let fullWidth = width + Int(Double(width) * shift) + 4
        let fullHeight = height + Int(Double(height) * shift) + 4

        var errors: [Double] = []
        var times: [Double] = []
        var related: [Double] = []
        var unrelated: [Double] = []
        var previous: CVPixelBuffer?
        for index in 0..<pairs {
            // A step larger than the photos in one tiled image, so that neighbours have none in common.
            let photo = GreyImage(try photos.image(fullWidth, fullHeight, number: index * 37))
            let pair = ShiftedPair(
                photo: photo, width: width, height: height, range: shift, noise: noise, random: &random)
            let reference = try PixelBuffers.grey(pair.reference, width: width, height: height)
            let floating = try PixelBuffers.grey(pair.floating, width: width, height: height)
            let start = nanoseconds()
            let found = try Registration.register(floating, onto: reference)
            times.append(Double(nanoseconds() - start) / 1e6)
            let x = found.shift.x - pair.shift.x
            let y = found.shift.y - pair.shift.y
            errors.append((x * x + y * y).squareRoot())
            related.append(found.confidence)
            if let previous {
                unrelated.append(try Registration.register(floating, onto: previous).confidence)
            }
            previous = reference
        }
        errors.sort()
        related.sort()
        unrelated.sort()
        try show(
            Outcome(
                pairs: pairs, size: size, medianError: percentile(0.5, ofSorted: errors),
                error90: percentile(0.9, ofSorted: errors), maximumError: errors.last ?? 0,
                failures: errors.count { $0 > 0.5 }, medianMilliseconds: percentile(0.5, ofSorted: times.sorted()),
                relatedConfidence: related, unrelatedConfidence: unrelated,
                separation: rocArea(positive: related, negative: unrelated)))
    }

    private func show(_ outcome: Outcome) throws {
        if json {
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
            print(String(decoding: try encoder.encode(outcome), as: UTF8.self))
            return
        }
        func line(_ name: String, _ sorted: [Double]) -> String {
            let shares = [0, 0.05, 0.5, 0.95, 1].map { String(format: "%.3f", percentile($0, ofSorted: sorted)) }
            return name + shares.joined(separator: " / ")
        }
        print("\(outcome.pairs) pairs of \(size), shifts up to ±\(shift * 100) %, noise \(noise)")
        print(
            String(
                format: "error in px: median %.4f, 90 %% below %.4f, largest %.4f; above 0.5 px: %d",
                outcome.medianError, outcome.error90, outcome.maximumError, outcome.failures))
        print(String(format: "time of a pair: median %.2f ms (two images, 1 thread)", outcome.medianMilliseconds))
        print(line("confidence, related   (min / 5 % / median / 95 % / max): ", outcome.relatedConfidence))
        print(line("confidence, unrelated (min / 5 % / median / 95 % / max): ", outcome.unrelatedConfidence))
        if let separation = outcome.separation {
            print(String(format: "a related pair has the higher confidence in %.1f %% of the cases", 100 * separation))
        }
    }
}
