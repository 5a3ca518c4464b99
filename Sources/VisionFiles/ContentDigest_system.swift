internal import CCrypto
package import Foundation

/// The SHA-256 digest of a message or of a file's contents: two contents with the same digest are the same.
package struct ContentDigest: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// A digest that was kept as bytes; nil unless there are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    fileprivate init(checked bytes: [UInt8]) { self.bytes = bytes }

    /// The digest of a message that is in memory.
    package init(of message: some ContiguousBytes) throws(DigestError) {
        let hash = try SHA256()
        let result = message.withUnsafeBytes { bytes in
            Result { () throws(DigestError) in try hash.update(bytes) }
        }
        try result.get()
        self = try hash.finish()
    }

    /// The digest of what is left to read of a file, of any size.
    ///
    /// - Throws: `RegularFileError`, `DigestError`.
    package init(readingAll file: RegularFile) throws {
        let hash = try SHA256()
        var piece = [UInt8](repeating: 0, count: 1 << 20)
        while true {
            let count = try piece.withUnsafeMutableBytes { try file.read(into: $0) }
            try piece.withUnsafeBytes { try hash.update(UnsafeRawBufferPointer(rebasing: $0[..<count])) }
            if count < piece.count { break }
        }
        self = try hash.finish()
    }

    /// The digest in lower-case hexadecimal.
    package var hexadecimal: String {
        let digits = Array("0123456789abcdef".utf8)
        return String(decoding: bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    /// The first 64 bits, for seeds and for checksums.
    package var word: UInt64 { bytes.prefix(8).reduce(0) { $0 << 8 | UInt64($1) } }
}

/// SHA-256 of a message that comes in pieces, computed by OpenSSL's libcrypto.
package final class SHA256 {
    private let context: OpaquePointer

    /// The algorithm. Asking for it costs more than the digest of a short message, so it is asked for once.
    private struct Algorithm: @unchecked Sendable {
        // Unchecked: libcrypto counts references to it atomically, and nobody changes it.
        let handle: OpaquePointer?
        static let sha256 = Algorithm(handle: EVP_MD_fetch(nil, "SHA256", nil))
    }

    package init() throws(DigestError) {
        guard let context = EVP_MD_CTX_new() else { throw DigestError() }
        guard let algorithm = Algorithm.sha256.handle, EVP_DigestInit_ex2(context, algorithm, nil) == 1 else {
            EVP_MD_CTX_free(context)
            throw DigestError()
        }
        self.context = context
    }

    deinit { EVP_MD_CTX_free(context) }

    /// Adds a piece at the end of the message.
    package func update(_ bytes: UnsafeRawBufferPointer) throws(DigestError) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw DigestError() }
    }

    /// Ends the message. Nothing may be added after that.
    package func finish() throws(DigestError) -> ContentDigest {
        var bytes = [UInt8](repeating: 0, count: ContentDigest.byteCount)
        guard EVP_DigestFinal_ex(context, &bytes, nil) == 1 else { throw DigestError() }
        return ContentDigest(checked: bytes)
    }
}

/// libcrypto does not compute the digest: it is set up without SHA-256, or there is no memory.
package struct DigestError: LocalizedError, Equatable, CustomStringConvertible {
    package var description: String {
        "the SHA-256 digest cannot be computed; check that OpenSSL's configuration offers SHA-256"
    }

    package var errorDescription: String? { description }
}
