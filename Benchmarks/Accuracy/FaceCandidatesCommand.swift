import ArgumentParser
import Foundation
import Vision
import VisionImage
import VisionModels

struct FaceCandidatesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "face-candidates",
        abstract: "Write every candidate of the face networks, for Training/Faces/train_verifier.py.",
        discussion: """
            Each line of the list is the path of a photo and, after a tab, degrees by which it is rotated and a factor \
            by which it is scaled (0 and 1 where they are left out). OUT.json gets an object a candidate: the line's \
            number, its boxes in the rotated photo, scores, the mesh in its crop. OUT.pixels gets the crop around \
            each, 128 × 128 × 3 bytes.
            """)

    @Argument(help: "A file with a photo a line.")
    var list: String

    @Argument(help: "The files to write, without their extensions.")
    var out: String

    @Option(help: "Threads that networks use.")
    var threads = 1

    private static let side = 128
    private static let margin = 2.2

    private struct Candidate: Encodable {
        let line: Int
        let size: [Int]
        let centre: [Double]
        let extent: [Double]
        let points: [[Double]]
        let score: Double
        let scores: [Double]
        let presence: Double
        let mesh: [[Double]]
        /// Of the crop: centre, side, axis.
        let crop: [Double]
    }

    func run() throws {
        let detector = try FaceDetector(.anyOrientation)
        guard FileManager.default.createFile(atPath: out + ".pixels", contents: nil),
            FileManager.default.createFile(atPath: out + ".json", contents: nil),
            let pixelFile = FileHandle(forWritingAtPath: out + ".pixels"),
            let jsonFile = FileHandle(forWritingAtPath: out + ".json")
        else { throw ValidationError("\(out).json cannot be written.") }
        let encoder = JSONEncoder()
        var count = 0
        let lines = try String(contentsOfFile: list, encoding: .utf8).split(separator: "\n")
        for (number, line) in lines.enumerated() {
            let parts = line.split(separator: "\t").map(String.init)
            let (angle, scale) = (
                parts.count > 1 ? Double(parts[1]) ?? 0 : 0, parts.count > 2 ? Double(parts[2]) ?? 1 : 1
            )
            guard let photo = try? raster(parts[0], angle: angle, scale: scale) else { continue }
            let source = ImageSource(cgImage: CGImage(raster: photo))
            let found = try detector.examined(
                in: PixelRegion(width: photo.width, height: photo.height), .detection, threads: threads
            ) { try source.derivative($0) }
            for face in found {
                let crop = face.mesh.crop(margin: Self.margin, size: Self.side)
                try pixelFile.write(contentsOf: packedBytes(of: try face.pixels(crop)))
                try jsonFile.write(contentsOf: encoder.encode(candidate(face, crop, number, photo)) + Data("\n".utf8))
                count += 1
            }
        }
        print("\(count) candidates in \(lines.count) photos")
    }

    private func raster(_ path: String, angle: Double, scale: Double) throws -> Raster {
        let photo = try EncodedImage(contentsOf: URL(fileURLWithPath: path)).decode(to: .rgb8)
        let scaled =
            scale == 1
            ? photo
            : try photo.resized(
                width: max(Int(Double(photo.width) * scale), 1), height: max(Int(Double(photo.height) * scale), 1),
                filter: .area)
        return angle == 0 ? scaled : try RotatedPhoto(scaled, by: angle * .pi / 180).rotated()
    }

    private func candidate(
        _ face: FaceDetector.Examined, _ crop: ImagePatch, _ line: Int, _ photo: Raster
    ) -> Candidate {
        let (proposal, mesh) = (face.proposal, face.mesh)
        let face = proposal.face
        return Candidate(
            line: line, size: [photo.width, photo.height], centre: [face.centre.x, face.centre.y],
            extent: [face.size.x, face.size.y], points: face.points.map { [$0.x, $0.y] }, score: face.score,
            scores: [
                proposal.shortRangeScore, proposal.fullRangeScore, proposal.shortRangeSupport,
                proposal.fullRangeSupport, proposal.opposition,
            ], presence: mesh.presence,
            mesh: mesh.points.map { [$0.x, $0.y, $0.z].map { ($0 * 100).rounded() / 100 } },
            crop: [crop.centre.x, crop.centre.y, crop.extent.x, crop.axis.x, crop.axis.y])
    }
}
