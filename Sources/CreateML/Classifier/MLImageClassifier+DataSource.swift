import VisionTraining

extension MLImageClassifier {
    /// A source of labelled photos.
    public enum DataSource: Sendable {
        /// The subfolders of a folder: their names are the labels of the photos in them and below. Names that start
        /// with a point are skipped; links are followed.
        case labeledDirectories(at: URL)
        /// The photos in a folder: the name of a file up to its first point is its label.
        case labeledFiles(at: URL)
        /// Photos by label.
        case filesByLabel([String: [URL]])

        /// Returns the photos by label, in the order of their paths.
        ///
        /// - Throws: `MLCreateError.io` if the folder cannot be read, and `MLCreateError.type` if it contains no photo.
        public func labeledImages() throws -> [String: [URL]] {
            let found = try photos()
            guard !found.photos.isEmpty else { throw found.noPhotosError }
            return Dictionary(grouping: found.photos, by: \.label).mapValues { $0.map(\.url) }
        }
    }

    /// The labelled photos of a source.
    struct FoundPhotos {
        var photos: [LabelledPhoto] = []
        var skipped: [SkippedFile] = []
        var emptyLabels: [String] = []
        /// The name of the source in errors.
        var sourceName = "the training data"

        init(_ files: [String: [URL]]) {
            for (label, urls) in files.sorted(by: { $0.key < $1.key }) {
                photos += urls.map { LabelledPhoto(url: $0, label: label) }
                if urls.isEmpty { emptyLabels.append(label) }
            }
        }

        init(_ folder: LabelledFolder, at url: URL) {
            photos = folder.photos
            skipped = folder.skipped
            emptyLabels = folder.labels.subtracting(folder.photos.map(\.label)).sorted()
            sourceName = url.path
        }

        var noPhotosError: MLCreateError {
            .type(
                reason:
                    "There are no photos in \(sourceName): photos are .jpg, .png, .heic, .webp, .tiff or .gif files, "
                    + "each in a folder whose name is its label.")
        }
    }
}

extension MLImageClassifier.DataSource {
    /// - Throws: `MLCreateError.io`.
    func photos() throws -> MLImageClassifier.FoundPhotos {
        do {
            switch self {
            case .labeledDirectories(let url):
                return MLImageClassifier.FoundPhotos(try LabelledFolder(directoriesAt: url), at: url)
            case .labeledFiles(let url):
                return MLImageClassifier.FoundPhotos(try LabelledFolder(filesAt: url), at: url)
            case .filesByLabel(let files): return MLImageClassifier.FoundPhotos(files)
            }
        } catch LabelledFolder.Failure.unreadable(let path, let reason) {
            throw MLCreateError.io(reason: "The folder \(path) cannot be read: \(reason).")
        }
    }
}
