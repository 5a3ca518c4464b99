import ArgumentParser
import Foundation
import VisionImage

/// The boxes of the objects of a photo.
struct ObjectLabels {
    struct Object {
        /// A class, such as "cat".
        let name: String
        /// In pixels from the top left.
        let box: PixelRegion
        /// Whether it has to be found; others, such as difficult ones, may be found or not.
        let isWanted: Bool
    }

    let photo: URL
    let objects: [Object]
    /// The names of objects some of which may have no label, so that a box elsewhere need not be false.
    let incomplete: Set<String>

    /// The names of the objects in files of people.
    static let person = "person"
    static let upperBody = "upper body"

    /// Reads the labels of a folder of photos: `manifest.json` or `truth.json`.
    ///
    /// `manifest.json` is a list of photos: `image`, a path; `objects`, each with `name`, `box` (left, top, right,
    /// bottom) and `difficult`. `truth.json` is about people, as an object whose `images` have `file`, `all_labelled`
    /// and `persons`, each with `box` and perhaps `upper_box` (left, top, width, height), `ignore` and `crowd`.
    ///
    /// - Throws: `ValidationError` for a folder with neither, the errors of reading and decoding otherwise.
    static func photos(in folder: URL) throws -> [ObjectLabels] {
        for (name, read) in [("manifest.json", Self.manifest), ("truth.json", Self.truth)] {
            let url = folder.appendingPathComponent(name)
            if FileManager.default.fileExists(atPath: url.path) { return try read(Data(contentsOf: url), folder) }
        }
        throw ValidationError("\(folder.path) has neither manifest.json nor truth.json.")
    }

    private static func manifest(_ data: Data, _ folder: URL) throws -> [ObjectLabels] {
        struct Photo: Decodable {
            struct Object: Decodable {
                let name: String
                let box: [Double]
                let difficult: Int?
            }
            let image: String
            let objects: [Object]
        }
        return try JSONDecoder().decode([Photo].self, from: data).map { photo in
            ObjectLabels(
                photo: folder.appendingPathComponent(photo.image),
                objects: try photo.objects.map {
                    guard $0.box.count == 4 else { throw ValidationError("\(photo.image): a box has four numbers.") }
                    let (x, y) = ($0.box[0], $0.box[1])
                    return Object(
                        name: $0.name, box: PixelRegion(x: x, y: y, width: $0.box[2] - x, height: $0.box[3] - y),
                        isWanted: $0.difficult ?? 0 == 0)
                }, incomplete: [])
        }
    }

    private static func truth(_ data: Data, _ folder: URL) throws -> [ObjectLabels] {
        struct Truth: Decodable {
            let images: [Photo]
        }
        struct Photo: Decodable {
            let file: String
            let persons: [Person]
            let isExhaustive: Bool?

            enum CodingKeys: String, CodingKey {
                case file, persons
                case isExhaustive = "all_labelled"
            }
        }
        struct Person: Decodable {
            let box: [Double]?
            let upperBox: [Double]?
            let ignore: Bool?
            let crowd: Bool?

            enum CodingKeys: String, CodingKey {
                case box, ignore, crowd
                case upperBox = "upper_box"
            }
        }
        return try JSONDecoder().decode(Truth.self, from: data).images.map { photo in
            var objects: [Object] = []
            for person in photo.persons {
                for (name, box) in [(Self.person, person.box), (Self.upperBody, person.upperBox)] {
                    guard let box else { continue }
                    guard box.count == 4 else { throw ValidationError("\(photo.file): a box has four numbers.") }
                    objects.append(
                        Object(
                            name: name, box: PixelRegion(x: box[0], y: box[1], width: box[2], height: box[3]),
                            isWanted: !(person.ignore ?? false) && !(person.crowd ?? false)))
                }
            }
            return ObjectLabels(
                photo: folder.appendingPathComponent(photo.file), objects: objects,
                incomplete: photo.isExhaustive ?? true
                    ? (photo.persons.allSatisfy { $0.upperBox != nil } ? [] : [upperBody]) : [person, upperBody])
        }
    }
}
