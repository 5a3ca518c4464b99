import Foundation

/// The files beside a model that hold the elements of its large tensors: each is read once, when it is first asked
/// for.
final class ONNXExternalData {
    private let folder: URL?
    private var files: [String: ModelBytes] = [:]

    init(folder: URL?) { self.folder = folder }

    /// `entries` are those of `TensorProto.external_data`: location, and offset and length as decimal numbers.
    func slice(
        _ entries: [String: String], byteCount: Int, tensor: String
    ) throws(ModelError) -> ModelSlice {
        func number(_ key: String) throws(ModelError) -> Int? {
            guard let text = entries[key] else { return nil }
            guard let value = Int(text), value >= 0 else {
                throw .invalid("the external data of '\(tensor)' has the \(key) '\(text)'")
            }
            return value
        }
        let offset = try number("offset") ?? 0
        let length = try number("length") ?? byteCount
        guard length == byteCount else {
            throw .invalid("the external data of '\(tensor)' has \(length) bytes, not \(byteCount)")
        }
        let bytes = try file(entries["location"] ?? "", tensor: tensor)
        guard offset <= bytes.count, byteCount <= bytes.count - offset,
            let slice = ModelSlice(bytes, offset..<offset + byteCount)
        else {
            throw .invalid("the external data of '\(tensor)' lies past the end of its file")
        }
        return slice
    }

    private func file(_ location: String, tensor: String) throws(ModelError) -> ModelBytes {
        if let file = files[location] { return file }
        guard let folder else {
            throw .invalid("'\(tensor)' lies in the file '\(location)', and the model was given without its folder")
        }
        // A model must not be able to reach files that are not its own, by name or through a link.
        let parts = location.split(separator: "/", omittingEmptySubsequences: false)
        guard !location.isEmpty, !location.contains("\0"), !parts.contains(where: { $0 == ".." || $0.isEmpty }) else {
            throw .invalid("'\(tensor)' lies in the file '\(location)', which is not a path below the model's folder")
        }
        let root = folder.resolvingSymlinksInPath().standardizedFileURL.path
        let url = folder.appendingPathComponent(location).resolvingSymlinksInPath().standardizedFileURL
        guard url.path.hasPrefix(root.hasSuffix("/") ? root : root + "/") else {
            throw .invalid("'\(tensor)' lies in the file '\(location)', which is outside the model's folder")
        }
        let file = try ModelBytes(contentsOf: url)
        files[location] = file
        return file
    }
}
