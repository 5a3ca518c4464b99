internal import CCrypto
package import Foundation

/// The SHA-256 digest of a message or of the contents of a file. Contents with equal digests are equal.
package struct ContentDigest: Hashable, Sendable {
    package static let byteCount = 32

    package let bytes: [UInt8]

    /// Creates a digest from its bytes; nil unless there are 32.
    package init?(bytes: [UInt8]) {
        guard bytes.count == Self.byteCount else { return nil }
        self.bytes = bytes
    }

    fileprivate init(checked bytes: [UInt8]) { self.bytes = bytes }

    /// Computes the digest of a message in memory.
    package init(of message: some ContiguousBytes) throws(DigestError) {
        let hash = try SHA256()
        let result = message.withUnsafeBytes { bytes in
            Result { () throws(DigestError) in try hash.update(bytes) }
        }
        try result.get()
        self = try hash.finish()
    }

    /// Computes the digest of the rest of a file of any size.
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

/// Computes SHA-256 incrementally with OpenSSL's libcrypto.
package final class SHA256 {
    private let context: OpaquePointer

    /// The algorithm, fetched once: that costs more than the digest of a short message.
    private struct Algorithm: @unchecked Sendable {
        // Unchecked: libcrypto counts references atomically, and the object is immutable.
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

    /// Appends bytes to the message.
    package func update(_ bytes: UnsafeRawBufferPointer) throws(DigestError) {
        guard EVP_DigestUpdate(context, bytes.baseAddress, bytes.count) == 1 else { throw DigestError() }
    }

    /// Finishes the message. Nothing may be appended after that.
    package func finish() throws(DigestError) -> ContentDigest {
        var bytes = [UInt8](repeating: 0, count: ContentDigest.byteCount)
        guard EVP_DigestFinal_ex(context, &bytes, nil) == 1 else { throw DigestError() }
        return ContentDigest(checked: bytes)
    }
}

/// libcrypto cannot compute the digest: SHA-256 is not available, or memory is exhausted.
package struct DigestError: LocalizedError, Equatable, CustomStringConvertible {
    package var description: String {
        "the SHA-256 digest cannot be computed; check that OpenSSL's configuration offers SHA-256"
    }

    package var errorDescription: String? { description }
}
