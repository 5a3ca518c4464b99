/// Writes pickles of protocol 2 the way torch does, for tests.
struct PickleWriter {
    var bytes: [UInt8] = [0x80, 2]

    mutating func code(_ letter: Character) { bytes.append(letter.asciiValue ?? 0) }

    mutating func text(_ text: String) {
        code("X")
        bytes += TestArchive.little(UInt32(text.utf8.count)) + Array(text.utf8)
    }

    mutating func integer(_ number: Int) {
        code("J")
        bytes += TestArchive.little(Int32(number))
    }

    mutating func tuple(_ numbers: [Int]) {
        code("(")
        numbers.forEach { integer($0) }
        code("t")
    }

    mutating func global(_ module: String, _ name: String) {
        code("c")
        bytes += Array("\(module)\n\(name)\n".utf8)
    }

    mutating func emptyOrderedDictionary() {
        global("collections", "OrderedDict")
        code(")")
        code("R")
    }

    mutating func tensor(
        key: String, storage: String = "FloatStorage", count: Int, offset: Int, shape: [Int], strides: [Int]
    ) {
        global("torch._utils", "_rebuild_tensor_v2")
        code("(")
        code("(")
        text("storage")
        global("torch", storage)
        text(key)
        text("cpu")
        integer(count)
        code("t")
        code("Q")
        integer(offset)
        tuple(shape)
        tuple(strides)
        bytes.append(0x89)
        emptyOrderedDictionary()
        code("t")
        code("R")
    }

    mutating func stop() { code(".") }

    static func one(_ write: (inout PickleWriter) -> Void) -> [UInt8] {
        var writer = PickleWriter()
        write(&writer)
        writer.stop()
        return writer.bytes
    }

    /// A checkpoint of the form before zip: the given pickle of objects, then the storages.
    static func legacy(
        version: Int = 1001, storages: [(key: String, numbers: [UInt8], count: Int)], root: (inout PickleWriter) -> Void
    ) -> [UInt8] {
        var bytes: [UInt8] = [0x80, 2, 0x8a, 10, 0x6c, 0xfc, 0x9c, 0x46, 0xf9, 0x20, 0x6a, 0xa8, 0x50, 0x19]
        bytes.append(UInt8(ascii: "."))
        bytes += one { $0.integer(version) }
        bytes += one { writer in
            writer.code("}")
            writer.text("little_endian")
            writer.bytes.append(0x88)
            writer.code("s")
        }
        bytes += one(root)
        bytes += one { writer in
            writer.code("]")
            for storage in storages {
                writer.text(storage.key)
                writer.code("a")
            }
        }
        for storage in storages { bytes += TestArchive.little(UInt64(storage.count)) + storage.numbers }
        return bytes
    }
}
