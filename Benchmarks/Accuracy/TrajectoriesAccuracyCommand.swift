import ArgumentParser
import Foundation
import Vision
import VisionExtras
import VisionImage

struct TrajectoriesAccuracyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trajectories",
        abstract: "Detect the trajectories of measured balls in drawn frames.",
        discussion: """
            The folder has a truth.json with "trials": "pixel" (the centres of a ball in successive frames of 1280 × \
            720 pixels, origin at the top left), "ball_radius_px" and "fit_normalised" (the coefficients of the \
            parabola through the centres, normalised, origin at the lower left). Each trial becomes frames with the \
            ball on a background with texture and noise. Reported are the trials with a trajectory in the last frame, \
            its mean distance from the true parabola between the first and the last centre, and that of the detected \
            points from the true centres, in pixels.
            """)

    @Argument(help: "A folder with truth.json.")
    var data: String

    @Option(help: "Standard deviation of the noise of the frames, in grey levels.")
    var noise = 2.0

    @Option(help: "The camera moves by up to so many pixels between frames.")
    var shake = 0.0

    @Flag(help: "A background of one grey level.")
    var plain = false

    @Flag(help: "Print each trial.")
    var verbose = false

    private struct Truth: Decodable {
        struct Trial: Decodable {
            let trial: String
            let pixel: [[Double]]
            let ball_radius_px: Double
            let fit_normalised: [Double]
        }
        let trials: [Trial]
    }

    func run() throws {
        let url = URL(fileURLWithPath: data).appendingPathComponent("truth.json")
        let truth = try JSONDecoder().decode(Truth.self, from: try Data(contentsOf: url))
        VisionSettings.threadCount = 1
        var (found, parabola, centres, points): (Int, [Double], [Double], Double) = (0, [], [], 0)
        for (number, trial) in truth.trials.enumerated() {
            guard let last = try detect(trial, seed: UInt64(number + 1)) else {
                if verbose { print("\(trial.trial)  not found in \(trial.pixel.count) frames") }
                continue
            }
            found += 1
            points += Double(last.detectedPoints.count) / Double(trial.pixel.count)
            let (true_, own) = (trial.fit_normalised, last.equationCoefficients)
            let xs = trial.pixel.map { $0[0] / 1280 }
            let range = (low: xs.min() ?? 0, high: xs.max() ?? 0)
            let error = (0...20).reduce(0.0) { sum, step in
                let x = range.low + (range.high - range.low) * Double(step) / 20
                let wanted = true_[0] * x * x + true_[1] * x + true_[2]
                let got = Double(own.x) * x * x + Double(own.y) * x + Double(own.z)
                return sum + abs(wanted - got) * 720 / 21
            }
            let offset = trial.pixel.count - last.detectedPoints.count
            let distance = last.detectedPoints.enumerated().reduce(0.0) { sum, item in
                let centre = trial.pixel[max(0, offset) + item.offset]
                return sum
                    + hypot(item.element.x * 1280 - centre[0], (1 - item.element.y) * 720 - centre[1])
                    / Double(last.detectedPoints.count)
            }
            parabola.append(error)
            centres.append(distance)
            if verbose {
                print(
                    "\(trial.trial)  \(last.detectedPoints.count) of \(trial.pixel.count) points, parabola "
                        + String(format: "%.2f px, centres %.2f px, confidence %.2f", error, distance, last.confidence))
            }
        }
        func mean(_ values: [Double]) -> Double { values.reduce(0, +) / Double(max(1, values.count)) }
        print(
            "trajectories in \(found) of \(truth.trials.count) trials, "
                + String(
                    format: "%.0f %% of the points, mean distance of the parabola %.2f px, of the centres %.2f px",
                    100 * points / Double(max(1, found)), mean(parabola), mean(centres)))
    }

    /// Returns the observation of the last frame of a trial.
    private func detect(_ trial: Truth.Trial, seed: UInt64) throws -> VNTrajectoryObservation? {
        let request = VNDetectTrajectoriesRequest(frameAnalysisSpacing: .zero, trajectoryLength: 5)
        let handler = VNSequenceRequestHandler()
        var random = SplitMix64(seed: seed)
        for centre in trial.pixel {
            let (right, down) = (shake * Double(random.symmetric()), shake * Double(random.symmetric()))
            var pixels = [UInt8](repeating: 0, count: 1280 * 720)
            for y in 0..<720 {
                for x in 0..<1280 {
                    let (u, v) = (Double(x) - right, Double(y) - down)
                    var value = plain ? 120.0 : 120 + 40 * sin(u / 37) * cos(v / 23) + 20 * sin((u + v) / 9)
                    let inside = trial.ball_radius_px + 0.5 - hypot(u + 0.5 - centre[0], v + 0.5 - centre[1])
                    if inside > 0 { value += (235 - value) * min(1, inside) }
                    value += noise * 1.7 * Double(random.symmetric())
                    pixels[y * 1280 + x] = UInt8(max(0, min(255, value.rounded())))
                }
            }
            try handler.perform([request], on: try PixelBuffers.grey(pixels, width: 1280, height: 720))
        }
        return request.results?.max { $0.detectedPoints.count < $1.detectedPoints.count }
    }
}
