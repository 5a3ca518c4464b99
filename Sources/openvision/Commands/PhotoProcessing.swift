import ArgumentParser
import VisionThreads
import VisionPhotos
import VisionVideo

extension ParsableCommand {
    /// Processes photos in parallel and shows the results in the order of the photos. Photos that cannot be processed
    /// are reported and skipped.
    ///
    /// - Parameters:
    ///   - render: The file to draw to; with several photos, a number is added in front of the extension. Nil for no
    ///     drawing.
    ///   - process: Processes one photo, on any thread. `drawing` is the file to draw to, if any.
    ///   - show: Shows what `process` returned, on the calling thread.
    /// - Throws: `VideoError` before any photo is processed when a drawing would overwrite one of the photos; the exit
    ///   codes of an interrupt and of photos that cannot be processed.
    func processPhotos<Found: Sendable>(
        _ images: [String], _ options: PhotoOptions, render: String? = nil,
        process: @escaping @Sendable (_ path: FilePath, _ drawing: String?) throws -> Found,
        show: (Found, FilePath) throws -> Void
    ) throws {
        try processPhotos(images, options, outputs: [render], process: { try process($0, $1[0]) }, show: show)
    }

    /// The same with several files to write for each photo.
    ///
    /// - Parameters:
    ///   - outputs: The files to write; nil for one that is not wanted.
    ///   - process: Processes one photo, on any thread; gets the files of that photo in the order of `outputs`.
    func processPhotos<Found: Sendable>(
        _ images: [String], _ options: PhotoOptions, outputs: [String?],
        process: @escaping @Sendable (_ path: FilePath, _ files: [String?]) throws -> Found,
        show: (Found, FilePath) throws -> Void
    ) throws {
        let list = try PhotoList(images)
        let files = list.photos.indices.map { index in
            outputs.map { $0.map { TrackCSV.path($0, target: index, of: list.photos.count) } }
        }
        for file in files.joined().compactMap({ $0 }) {
            if let taken = list.photos.first(where: { $0.isSameFile(as: FilePath(file)) }) {
                throw VideoError(
                    kind: .io, path: file, reason: "is the photo \(taken.printable); it is not overwritten")
            }
        }
        let threads = options.threads(forPhotos: list.photos.count)
        for (path, reason) in list.unreadable { try report(failure: reason, of: path, json: options.output.json) }
        var failures = list.unreadable.count
        let interrupt = Interrupt()
        var (progress, done) = (
            Progress(total: list.photos.count, isQuiet: options.output.quiet, noun: "photos"), 0
        )
        defer { progress.finish() }
        var next = list.photos.enumerated().makeIterator()
        try ParallelPipeline.run(threads: threads, isOrdered: true) {
            interrupt.isRequested ? nil : next.next()
        } work: { number, path in
            (path, Result { try process(path, files[number]) })
        } take: { path, found in
            // The bar makes room for what is printed.
            progress.finish()
            switch found {
            case .success(let found): try show(found, path)
            case .failure(let error):
                failures += 1
                try report(failure: error.photoReason, of: path, json: options.output.json)
            }
            done += 1
            progress.update(done: done)
        }
        if interrupt.isRequested { throw ExitCode(Interrupt.exitCode) }
        if failures > 0 { throw ExitCode.failure }
    }
}
