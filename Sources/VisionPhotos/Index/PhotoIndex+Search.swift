import Foundation
package import Vision
import VisionExtras

extension PhotoIndex {
    /// The photos whose prints are nearest to another.
    ///
    /// Goes through the prints as they come from the disk: an index may be larger than memory.
    ///
    /// - Parameters:
    ///   - query: The print to search for.
    ///   - collection: What the index holds.
    ///   - limit: The most photos.
    /// - Throws: `DatabaseError` where the index holds other prints or is damaged.
    package func nearest(to query: VNFeaturePrintObservation, _ collection: Collection, limit: Int) throws -> Nearest<
        FilePath
    > {
        guard StoredPrint(query).kind == collection.kind else {
            throw DatabaseError(
                kind: .mismatch, path: path, reason: "holds prints of another kind; index the folder anew")
        }
        let reference = FeaturePrint(query)
        // Prints first: photos are looked up for those alone that are near enough.
        var near = Nearest<Int64>(limit: limit)
        try eachPrint { id, data in
            let print: FeaturePrint
            do {
                print = try FeaturePrint(revision: reference.revision, data: Data(data))
            } catch {
                throw damagedPrint(id)
            }
            near.add(id, distance: try reference.distance(to: print))
        }
        var nearest = Nearest<FilePath>(limit: limit)
        for (id, distance) in near.sorted {
            for photo in try photos(ofPrint: id, limit: limit) {
                nearest.add(collection.folder.appending(photo), distance: distance)
            }
        }
        return nearest
    }
}
