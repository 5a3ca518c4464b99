import ArgumentParser
import Foundation
import VisionModels
import VisionPhotos
import VisionRecords
import VisionThreads

/// The faces of photos in groups of one person each, as text, JSON and a page.
struct PeopleGroups {
    struct Record: Encodable {
        struct Face: Encodable {
            var path: String
            var box: PixelRectangleRecord
            @Nullable var confidence: Double?
            @Nullable var quality: Double?
            /// Of the face's print from that of the first.
            @Nullable var distance: Double?
        }

        /// From 1, the person with most faces first.
        var person: Int
        var faces: [Face]
    }

    private struct Member {
        let face: PhotoFace
        let distance: Float
    }

    /// Of each person the faces, the one of highest quality first.
    private let groups: [[Member]]

    /// - Parameter distance: The distance up to which two faces count as near.
    init(_ faces: [PhotoFace], distance: Float) throws {
        let photos = Dictionary(faces.map(\.path).enumerated().map { ($1, $0) }) { first, _ in first }
        groups = try FaceGroups(
            faces.map(\.print), photos: faces.map { photos[$0.path] ?? 0 }, distance: distance
        ).groups.map { indices in
            let sorted = indices.map { faces[$0] }.sorted { ($1.quality ?? 0, $0.path) < ($0.quality ?? 0, $1.path) }
            return try sorted.map { Member(face: $0, distance: try sorted[0].print.distance(to: $0.print)) }
        }
    }

    /// The people, those with one face last.
    var records: [Record] {
        groups.enumerated().map { index, group in
            let faces = group.map { member in
                let box = member.face.box
                return Record.Face(
                    path: member.face.path.text,
                    box: PixelRectangleRecord(x: box.minX, y: box.minY, width: box.width, height: box.height),
                    confidence: Decimals.rounded(Double(member.face.confidence), 4),
                    quality: member.face.quality.flatMap { Decimals.rounded(Double($0), 4) },
                    distance: Decimals.rounded(Double(member.distance), 4))
            }
            return Record(person: index + 1, faces: faces)
        }
    }

    /// People with one face are counted in text, and are lines of their own in JSON.
    func show(json: Bool) throws {
        guard !json else { return try records.forEach { try JSONLines.print($0, kind: "faces-person") } }
        for (index, group) in groups.enumerated() where group.count > 1 {
            print("person \(index + 1): \(Count.text(group.count, "face"))")
            for member in group { print("  \(member.face.path.printable)  \(Self.text(member))") }
        }
        let single = groups.count { $0.count == 1 }
        if groups.isEmpty { print("no faces") }
        if single > 0 { print("\(Count.text(single, "face")) of people seen once") }
    }

    func write(to page: String, threads: Int) throws {
        let several = groups.enumerated().filter { $0.element.count > 1 }.map { index, group in
            PhotoPage.Group(
                heading: "Person \(index + 1): \(Count.text(group.count, "face"))", entries: group.map(Self.entry))
        }
        let once = groups.filter { $0.count == 1 }.flatMap { $0.map(Self.entry) }
        try PhotoPage(
            title: "People",
            groups: several + (once.isEmpty ? [] : [PhotoPage.Group(heading: "Seen once", entries: once)])
        ).write(to: page, threads: threads)
    }

    private static func entry(_ member: Member) -> PhotoPage.Entry {
        let box = member.face.box
        return PhotoPage.Entry(
            path: member.face.path, caption: text(member),
            part: box.insetBy(dx: -box.width / 4, dy: -box.height / 4))
    }

    private static func text(_ member: Member) -> String {
        let box = member.face.box
        let corner = [box.minX, box.minY, box.width, box.height].map { Decimals.text($0, 0) }.joined(separator: ",")
        let quality = member.face.quality.map { "  quality \(Decimals.text(Double($0), 2))" } ?? ""
        return "\(corner)\(quality)  distance \(Decimals.text(Double(member.distance), 2))"
    }
}
