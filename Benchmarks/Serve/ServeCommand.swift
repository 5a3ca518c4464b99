import ArgumentParser
import Foundation
import VisionExtras

/// Runs one case at a time for another program, which alternates it with a competitor's.
///
/// Reads a line of JSON {"case": NAME, "file": PATH, "repetitions": N, "parameters": {…}} and answers with one line:
/// {"nanoseconds": [one a call], "answers": [[numbers], …]}, or {"error": TEXT}. The same case, file and parameters
/// continue where they stopped, so that a video goes on from frame to frame.
struct ServeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "serve", abstract: "Time cases for another program over a pipe.", shouldDisplay: false)

    @Option(help: "The most threads that one call may use.")
    var threads = 1

    struct Request: Codable {
        let `case`: String
        let file: String
        let repetitions: Int
        var parameters: [String: String]?
    }

    struct Answer: Codable {
        let nanoseconds: [UInt64]
        let answers: [[Double]]
    }

    struct Failure: Codable {
        let error: String
    }

    func run() throws {
        VisionSettings.threadCount = max(1, threads)
        let encoder = JSONEncoder()
        var prepared: [String: ServedCase.Body] = [:]
        while let line = readLine() {
            let answer: Data
            do {
                let request = try JSONDecoder().decode(Request.self, from: Data(line.utf8))
                let parameters = request.parameters ?? [:]
                let key = "\(request.case)\n\(request.file)\n\(parameters.sorted { $0.key < $1.key })"
                let body = try prepared[key] ?? ServedCase.prepare(request.case, request.file, parameters)
                prepared[key] = body
                answer = try encoder.encode(Self.time(body, repetitions: request.repetitions))
            } catch {
                answer = try encoder.encode(Failure(error: "\(error)"))
            }
            say(String(decoding: answer, as: UTF8.self))
        }
    }

    private static func time(_ body: ServedCase.Body, repetitions: Int) throws -> Answer {
        var times: [UInt64] = []
        var answers: [[Double]] = []
        for _ in 0..<max(0, min(repetitions, 1_000_000)) {
            let start = nanoseconds()
            let answer = try body()
            times.append(nanoseconds() - start)
            answers.append(answer)
        }
        return Answer(nanoseconds: times, answers: answers)
    }
}
