import Foundation
import HTTPTypes
import Hummingbird
import NIOCore
import NIOHTTPTypes

/// Reads bodies within the limits of size, time, and of memory that all of them share.
struct BodyReader: Sendable {
    /// A body with its share of the memory.
    struct Body: Sendable {
        var data: Data
        let share: ByteBudget.Share
    }

    let limits: ServiceLimits
    let budget: ByteBudget

    /// Returns the whole body.
    ///
    /// - Parameters:
    ///   - request: The request.
    ///   - accept: Called before the body is read, unless its header is reason enough to refuse it.
    /// - Throws: `ServiceError` where it is too large, too slow or cut off, or where there is no memory for it.
    func read(_ request: Request, accept: () async -> Void = {}) async throws -> Body {
        if let text = request.headers[.contentLength], let length = Int(text), length > limits.bodyBytes {
            throw tooLarge
        }
        if let encoding = request.headers[.contentEncoding], encoding.lowercased() != "identity" {
            throw ServiceError(
                .unsupportedMediaType, "The body has a Content-Encoding; only bodies without one are read.")
        }
        let body = request.body
        await accept()
        do {
            return try await withTimeLimit(limits.bodyTime) { try await collect(body) }
        } catch is TimeoutError {
            throw ServiceError(.bodyTimeout, "The body took longer than \(limits.bodyTime.components.seconds) s.")
        } catch let error as ServiceError {
            throw error
        } catch {
            throw ServiceError(.invalidRequest, "The body ended early.")
        }
    }

    private func collect(_ body: RequestBody) async throws -> Body {
        let share = budget.makeShare()
        var data = Data()
        for try await part in body {
            let count = part.readableBytes
            guard count <= limits.bodyBytes - data.count else { throw tooLarge }
            guard share.grow(by: count) else {
                throw ServiceError(.busy, "Too many images are being sent; try again.")
            }
            part.withUnsafeReadableBytes { data.append(contentsOf: $0) }
        }
        try Task.checkCancellation()
        return Body(data: data, share: share)
    }

    private var tooLarge: ServiceError {
        ServiceError(.bodyTooLarge, "The body is too large: at most \(limits.bodyBytes) bytes are allowed.")
    }
}

extension Request {
    /// Asks a client that waits for it to send its body (`Expect: 100-continue`).
    ///
    /// - Parameter connection: The connection; nil where it is not known, which makes clients wait a second or so.
    func expectContinue(_ connection: (any Channel)?) async {
        guard headers[.expect]?.lowercased() == "100-continue" else { return }
        // Hummingbird has answers only. A connection that fails here fails when the body is read.
        try? await connection?.writeAndFlush(HTTPResponsePart.head(HTTPResponse(status: .continue)))
    }
}
