import ArgumentParser
import Foundation
import VisionAnalysis
import VisionExtras
import VisionPhotos
import VisionThreads

struct WorkerCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "worker",
        abstract: "Analyse images that another program names, one line of JSON for each.",
        discussion: """
            Reads jobs from standard input, one a line, and writes one line of JSON for each as soon as it is done, in \
            any order:

              {"id": 7, "path": "photo.jpg", "requests": ["classify", {"name": "faces", "landmarks": true}]}
              {"id": 8, "base64": "/9j/4AAQ…", "requests": ["text"]}

            An id is any JSON value; the answer has the same. --requests is for jobs that name none. With --null the \
            input is paths that end with a NUL byte, such as of 'find -print0'; the id is then the path.

            Requests: \(AnalysisKind.allCases.map(\.rawValue).joined(separator: ", ")). Their parameters and results \
            are in Documentation/Worker.md.

            A job that fails is a line with an "error"; jobs after it are done. At the end a line on standard error \
            says how many were done; the exit code is 1 if some failed. Few jobs are in memory at a time: input is \
            read as jobs are done. Made for Spark's pipe, GNU parallel, and programs that keep a worker running.

            Examples:
              find photos -name '*.jpg' -print0 | openvision worker --null --requests classify,faces > found.jsonl
              jobs | openvision worker --threads 4
            """)

    @Option(help: ArgumentHelp("The requests of jobs that name none, such as classify,faces.", valueName: "names"))
    var requests: String?

    @Flag(name: [.customShort("0"), .long], help: "Read paths that end with NUL instead of lines of JSON.")
    var null = false

    @Option(help: ArgumentHelp("Images to analyse at the same time. (default: the processors)", valueName: "count"))
    var threads: Int?

    @Option(help: ArgumentHelp("The most bytes of a line, in MiB.", valueName: "MiB"))
    var maxLine = 128

    @OptionGroup var limits: ImageLimitOptions

    @Flag(name: .shortAndLong, help: "Print no summary.")
    var quiet = false

    func validate() throws {
        if null, requests == nil { throw ValidationError("--null needs --requests.") }
        if let threads, !(1...1024).contains(threads) {
            throw ValidationError("--threads is \(threads); it must be from 1 to 1024.")
        }
        guard (1...1024).contains(maxLine) else {
            throw ValidationError("--max-line is \(maxLine); it must be from 1 to 1024.")
        }
    }

    func run() throws {
        let plan: AnalysisPlan?
        do {
            plan = try requests.map { try AnalysisPlan(names: $0) }
        } catch let error as AnalysisError {
            throw ValidationError(error.description)
        }
        let count = threads ?? Processors.count
        // Images are analysed in parallel, each on one thread: that wastes nothing. A single one as well: then there is
        // a worker for each processor.
        VisionSettings.threadCount = 1
        let pool = WorkerPool(threads: count)
        var reader = RecordReader(
            .standardInput, separator: null ? 0 : UInt8(ascii: "\n"), limit: maxLine << 20)
        let isNull = null
        while !pool.isBroken {
            do {
                guard let record = try reader.next() else { break }
                if record.allSatisfy({ $0 == UInt8(ascii: " ") || $0 == UInt8(ascii: "\r") }) { continue }
                pool.start {
                    if isNull, let plan { return WorkerJob(path: FilePath(bytes: Array(record)), plan: plan).report() }
                    do {
                        return try WorkerJob(json: record, plan: plan).report()
                    } catch let mistake as WorkerJob.Mistake {
                        return AnalysisReport(id: mistake.id, error: mistake.reason)
                    } catch {
                        return AnalysisReport(error: error.localizedDescription)
                    }
                }
            } catch let error as RecordReader.TooLong {
                pool.start { AnalysisReport(error: "The line has more than \(error.limit >> 20) MiB.") }
            }
        }
        let summary = pool.finish()
        if !quiet {
            FileHandle.standardError.write(
                Data("\(summary.done) done, \(summary.failed) failed in \(Decimals.text(summary.seconds, 1)) s\n".utf8))
        }
        if summary.failed > 0 || summary.isBroken { throw ExitCode.failure }
    }
}
