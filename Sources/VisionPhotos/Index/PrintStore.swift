package import Vision

/// A store of the feature prints of a folder's photos: a file, or a database of PostgreSQL.
package protocol PrintStore {
    /// The file, or the address of the database without password.
    var path: String { get }

    /// The folder and the kind of prints; nil before the first photo.
    func collection() throws -> PhotoIndex.Collection?

    /// The photos whose prints are nearest to another.
    ///
    /// - Parameters:
    ///   - query: The print to search for.
    ///   - collection: The contents of the index.
    ///   - limit: The maximum number of photos.
    ///   - isExact: Compares all prints, whether or not there is an approximate index.
    /// - Throws: `DatabaseError` where the index holds other prints, is damaged or cannot be reached;
    ///   `ClusterFileError` where the approximate index beside a file is damaged.
    func nearest(
        to query: VNFeaturePrintObservation, _ collection: PhotoIndex.Collection, limit: Int, isExact: Bool
    ) throws -> Nearest<FilePath>

    /// Brings the index up to date with its folder.
    ///
    /// - Parameter kind: Of the prints that the run makes.
    func update(
        by run: IndexRun, kind: PhotoIndex.Kind, _ reports: IndexRun.Reports
    ) throws -> IndexRun.Summary
}

/// What `--db` names.
package enum PrintStores {
    /// - Parameter name: The path of a file, or an address of PostgreSQL.
    package static func open(reading name: String) throws -> any PrintStore {
        PostgresConnection.isAddress(name) ? try PostgresIndex(reading: name) : try PhotoIndex(reading: name)
    }

    /// The same for writing; a missing file is made.
    package static func open(writing name: String) throws -> any PrintStore {
        PostgresConnection.isAddress(name) ? try PostgresIndex(writing: name) : try PhotoIndex(writing: name)
    }
}

extension PhotoIndex: PrintStore {
    package func update(
        by run: IndexRun, kind: Kind, _ reports: IndexRun.Reports
    ) throws -> IndexRun.Summary {
        try run.run(into: self, reports)
    }
}

extension PostgresIndex {
    package func update(
        by run: IndexRun, kind: PhotoIndex.Kind, _ reports: IndexRun.Reports
    ) throws -> IndexRun.Summary {
        try run.run(into: self, kind: kind, reports)
    }
}
