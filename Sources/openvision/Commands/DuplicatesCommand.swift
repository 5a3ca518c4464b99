import ArgumentParser
import Vision
import VisionPhotos
import VisionRecords
import VisionThreads

struct DuplicatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "duplicates",
        abstract: "Find photos that are versions of one another.",
        discussion: """
            Versions are copies, and photos that were resized, recompressed, cropped or rotated a little, made \
            brighter or grey, or mirrored. Prints the groups of them, in each the photo with most pixels first, with \
            sizes, bytes, and the distance of the feature print from that of the first. Nothing is deleted.

            Photos are compared by their feature prints and the distribution of their brightness; different photos of \
            one scene are not versions of one another unless they are nearly the same. --html writes a page with \
            thumbnails.

            A folder means all images in it and in its subfolders. Photos that cannot be read are reported and \
            skipped; the exit code is then 1.

            Examples:
              openvision duplicates ~/Pictures
              openvision duplicates ~/Pictures ~/Downloads --html duplicates.html
            """)

    @Argument(help: ArgumentHelp("Folders of images, or image files.", valueName: "images"))
    var images: [String]

    @Option(help: ArgumentHelp("Write a page with the groups to this file (.html).", valueName: "file"))
    var html: String?

    @OptionGroup var options: PhotoOptions

    struct Record: Encodable {
        struct Photo: Encodable {
            var path: String
            var width: Int
            var height: Int
            var bytes: Int
            @Nullable var distance: Double?
        }

        /// From 1.
        var group: Int
        var photos: [Photo]
    }

    func validate() throws {
        if let text = PhotoPage.check(html) { throw ValidationError(text) }
    }

    func run() throws {
        let printer = try PhotoPrinter(revision: options.revision)
        var (photos, exit) = ([PhotoSignature](), ExitCode?.none)
        var paths = Set<FilePath>()
        do {
            try processPhotos(images, options) { path, _ in
                try PhotoSignature(path, printer)
            } show: { signature, _ in
                // A photo that is named twice is no version of itself.
                if paths.insert(signature.path).inserted { photos.append(signature) }
            }
        } catch let code as ExitCode where code == .failure {
            exit = code
        }
        let groups = try PhotoTwins(photos).groups
        for (index, group) in groups.enumerated() { try show(group, index + 1) }
        if groups.isEmpty, !options.output.json { print("no duplicates among \(Count.text(photos.count, "photo"))") }
        if let html {
            try PhotoPage(
                title: "Duplicates",
                groups: groups.enumerated().map { index, group in
                    PhotoPage.Group(
                        heading: "Group \(index + 1)",
                        entries: group.map { .init(path: $0.photo.path, caption: Self.text($0)) })
                }
            ).write(to: html, threads: options.threads ?? Processors.count)
        }
        if let exit { throw exit }
    }

    private static func text(_ member: (photo: PhotoSignature, distance: Float)) -> String {
        let (photo, distance) = member
        return "\(photo.width)×\(photo.height)  \((photo.bytes + 999) / 1000) kB  "
            + "distance \(Decimals.text(Double(distance), 3))"
    }

    private func show(_ group: [(photo: PhotoSignature, distance: Float)], _ number: Int) throws {
        guard !options.output.json else {
            let photos = group.map { member in
                Record.Photo(
                    path: member.photo.path.text, width: member.photo.width, height: member.photo.height,
                    bytes: member.photo.bytes, distance: Decimals.rounded(Double(member.distance), 4))
            }
            return try JSONLines.print(Record(group: number, photos: photos), kind: "duplicates-group")
        }
        print("group \(number): \(group.count) photos")
        for member in group { print("  \(member.photo.path.printable)  \(Self.text(member))") }
    }
}
