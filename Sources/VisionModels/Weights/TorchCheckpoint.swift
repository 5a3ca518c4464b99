/// The tensors of a PyTorch checkpoint: the form of one pickle followed by raw numbers (before torch 1.6), and the zip
/// form.
///
/// The file is read, never executed: see `PickleReader` for the supported operations.
package struct TorchCheckpoint: Sendable {
    /// The names of the tensors, in the order of the file.
    package let names: [String]
    private let tensors: [String: TorchTensor]

    /// - Throws: `WeightFileError`.
    package init(_ bytes: [UInt8]) throws {
        let isArchive = bytes.starts(with: [0x50, 0x4b, 3, 4])
        let (heap, root, storages) = isArchive ? try Self.readArchive(bytes) : try Self.readLegacy(bytes)
        var names: [String] = []
        var tensors: [String: TorchTensor] = [:]
        for (name, layout) in try Self.tensors(in: heap, root) {
            guard let numbers = storages[layout.storage.key] else {
                throw WeightFileError(.damaged, "the checkpoint has no numbers for \(name)")
            }
            guard numbers.count == layout.storage.count * layout.storage.element.size else {
                throw WeightFileError(.damaged, "the numbers of \(name) are cut off")
            }
            if tensors.updateValue(TorchTensor(layout: layout, bytes: numbers), forKey: name) == nil {
                names.append(name)
            }
        }
        guard !names.isEmpty else { throw WeightFileError(.unsupported, "the checkpoint holds no tensors by name") }
        self.names = names
        self.tensors = tensors
    }

    package subscript(name: String) -> TorchTensor? { tensors[name] }

    private typealias Contents = (heap: PickleHeap, root: PickleValue, storages: [String: ArraySlice<UInt8>])

    /// A magic number, a version, the machine's sizes, the objects, the keys of the storages – five pickles – and then,
    /// in the order of the keys, each storage: its count in 64 bits and its numbers.
    private static func readLegacy(_ bytes: [UInt8]) throws -> Contents {
        let magic: [UInt8] = [0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19]
        guard bytes.starts(with: [0x80, 2, 0x8a, 10] + magic) else {
            throw WeightFileError(.unsupported, "this is no PyTorch checkpoint")
        }
        var reader = PickleReader(bytes[...])
        _ = try reader.read()
        guard try reader.read() == .integer(1001) else {
            throw WeightFileError(.unsupported, "this is a PyTorch checkpoint of an unknown version")
        }
        let machine = try reader.read()
        if case .dictionary(let index) = machine,
            reader.heap.dictionaries[index].contains(where: {
                $0.key == .text("little_endian") && $0.value != .bool(true)
            })
        {
            throw WeightFileError(.unsupported, "the checkpoint holds big-endian numbers")
        }
        let root = try reader.read()
        guard case .list(let keys) = try reader.read() else {
            throw WeightFileError(.damaged, "the checkpoint does not list its storages")
        }
        let elements = try elements(in: reader.heap, root)
        var cursor = ByteCursor(bytes[reader.position...], name: "the checkpoint")
        var storages: [String: ArraySlice<UInt8>] = [:]
        for case .text(let key) in reader.heap.lists[keys] {
            // The size of a storage without tensors is unknown, so nothing after it can be found.
            guard let element = elements[key] else {
                throw WeightFileError(.unsupported, "the checkpoint holds numbers that belong to no tensor")
            }
            let (size, overflow) = try cursor.length(UInt64.self).multipliedReportingOverflow(by: element.size)
            guard !overflow else { throw WeightFileError(.damaged, "the checkpoint states an impossible length") }
            storages[key] = try cursor.take(size)
        }
        return (reader.heap, root, storages)
    }

    /// A folder with data.pkl, and each storage in a file data/KEY.
    private static func readArchive(_ bytes: [UInt8]) throws -> Contents {
        let archive = try ZipArchive(bytes)
        guard let pickle = archive.entries.first(where: { $0.name.hasSuffix("/data.pkl") }) else {
            throw WeightFileError(.unsupported, "this is an archive, but no PyTorch checkpoint")
        }
        let folder = pickle.name.dropLast("data.pkl".count)
        if archive["\(folder)byteorder"] != nil,
            try archive.contents(of: "\(folder)byteorder", limit: 64) != Array("little".utf8)
        {
            throw WeightFileError(.unsupported, "the checkpoint holds big-endian numbers")
        }
        var reader = PickleReader(try archive.contents(of: pickle.name, limit: 64 << 20)[...])
        let root = try reader.read()
        var storages: [String: ArraySlice<UInt8>] = [:]
        for key in try elements(in: reader.heap, root).keys {
            // torch does not compress, so a storage cannot be larger than the file.
            storages[key] = try archive.contents(of: "\(folder)data/\(key)", limit: bytes.count)[...]
        }
        return (reader.heap, root, storages)
    }

    /// The tensors of a state dictionary, or of one under the key "state_dict".
    private static func tensors(
        in heap: PickleHeap, _ root: PickleValue
    ) throws -> [(name: String, layout: TorchTensorLayout)] {
        guard case .dictionary(var index) = root else {
            throw WeightFileError(.unsupported, "the checkpoint holds no dictionary of tensors")
        }
        if let inner = heap.dictionaries[index].first(where: { $0.key == .text("state_dict") })?.value,
            case .dictionary(let innerIndex) = inner
        {
            index = innerIndex
        }
        return heap.dictionaries[index].compactMap { entry in
            guard case (.text(let name), .tensor(let layout)) = (entry.key, entry.value) else { return nil }
            return (name, layout)
        }
    }

    private static func elements(in heap: PickleHeap, _ root: PickleValue) throws -> [String: TorchElement] {
        var elements: [String: TorchElement] = [:]
        for (_, layout) in try tensors(in: heap, root) {
            guard
                elements.updateValue(layout.storage.element, forKey: layout.storage.key) ?? layout.storage.element
                    == layout.storage.element
            else { throw WeightFileError(.damaged, "the checkpoint gives one storage two types") }
        }
        return elements
    }
}
