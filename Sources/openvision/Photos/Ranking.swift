import Vision
import VisionThreads
import VisionPhotos
import VisionRecords
import VisionVideo

/// Photos sorted by their distance from another one.
struct Ranking {
    struct Photo: Equatable {
        var path: FilePath
        var distance: Float
    }

    /// Of the pairs of photos within this distance 95 % show the same kind of thing, further away fewer and fewer
    /// (Documentation/Accuracy.md).
    static let similarDistance: Float = 1.15

    let photos: [Photo]

    /// - Parameters:
    ///   - query: Is left out itself; copies of it are not.
    ///   - limit: The most photos.
    ///   - maxDistance: Photos at a greater distance are left out.
    init(
        _ nearest: Nearest<FilePath>, query: FilePath? = nil, limit: Int = .max, maxDistance: Float = .infinity
    ) {
        let near = nearest.sorted.lazy.filter { $0.distance <= maxDistance }
        let others = near.filter { found in query.map { !found.key.isSameFile(as: $0) } ?? true }
        photos = others.prefix(limit).map { Photo(path: $0.key, distance: $0.distance) }
    }

    /// - Parameter kind: The name of the command, for JSON.
    func print(json: Bool, kind: String) throws {
        if photos.isEmpty, !json { Swift.print("no similar photo; --max-distance 2 prints all") }
        let width = String(photos.count).count
        for (index, photo) in photos.enumerated() {
            if json {
                try JSONLines.print(
                    ImageRecord(
                        kind: kind, image: try ImageSizes.reference(photo.path),
                        results: [RankResult(rank: index + 1, distance: Decimals.rounded(Double(photo.distance), 6))]))
            } else {
                let rank = String(index + 1)
                let space = String(repeating: " ", count: width - rank.count)
                Swift.print("\(space)\(rank)  \(Decimals.text(Double(photo.distance), 4))  \(photo.path.printable)")
            }
        }
    }

    /// Writes an HTML page with the query and the other photos.
    ///
    /// - Throws: `VideoError` when the file cannot be written or is one of the photos.
    func writePage(_ path: String, query: FilePath, threads: Int) throws {
        let entries = photos.prefix(2000).enumerated().map { index, photo in
            PhotoPage.Entry(
                path: photo.path, caption: "\(index + 1): distance \(Decimals.text(Double(photo.distance), 3))")
        }
        try PhotoPage(
            title: "Photos similar to \(query.name.printable)",
            groups: [
                .init(heading: "Query", entries: [.init(path: query, caption: query.printable)]),
                .init(heading: Count.text(photos.count, "similar photo"), entries: entries),
            ]
        ).write(to: path, threads: threads)
    }

    /// Writes a contact sheet: the query, then the other photos with their rank and distance.
    ///
    /// - Throws: `VideoError` when the file cannot be written or is one of the photos.
    func writeSheet(_ path: String, query: FilePath, threads: Int) throws {
        let sheet = ContactSheet()
        let shown = Array(photos.prefix(ContactSheet.imageLimit - 1))
        let captions =
            ["query"] + shown.enumerated().map { "\($0 + 1): \(Decimals.text(Double($1.distance), 3))" }
        let paths = [query] + shown.map(\.path)
        if let taken = paths.first(where: { $0.isSameFile(as: FilePath(path)) }) {
            throw VideoError(kind: .io, path: path, reason: "is the photo \(taken.printable); it is not overwritten")
        }
        var entries: [ContactSheet.Entry] = []
        var next = paths.makeIterator()
        try ParallelPipeline.run(threads: threads, isOrdered: true) {
            next.next()
        } work: { path in
            // A photo that was deleted leaves an empty field.
            try? sheet.thumbnail(of: try PhotoFile.read(path).data)
        } take: { image in
            let name = paths[entries.count].name.printable
            entries.append(.init(image: image, name: name, caption: captions[entries.count]))
        }
        try ImageFile.write(try sheet.render(entries), to: path)
    }
}

extension ImageFile {
    /// - Throws: `VideoError` when there is no regular file of that name, or it may not be read.
    static func checkReadable(_ path: String) throws {
        do {
            _ = try PhotoFile.identity(of: FilePath(path))
        } catch {
            throw VideoError(kind: .io, path: path, reason: error.description)
        }
    }

    /// Returns an error message when images cannot be written to a file of that name.
    static func check(_ path: String?) -> String? {
        guard let path, type(of: path) == nil else { return nil }
        return "'\(path)' is not a valid image file; its name must end in .jpg or .png."
    }
}
