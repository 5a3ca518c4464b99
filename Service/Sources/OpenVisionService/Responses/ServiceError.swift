import Foundation
import HTTPTypes
import Hummingbird
import NIOCore

/// An answer that says what is wrong with a request, or why it cannot be served now.
struct ServiceError: Error, HTTPResponseError {
    /// What is wrong, for programs.
    enum Code: String, CaseIterable, Sendable {
        case invalidRequest = "invalid_request"
        case unauthorized
        case notFound = "not_found"
        case methodNotAllowed = "method_not_allowed"
        case bodyTimeout = "body_timeout"
        case bodyTooLarge = "body_too_large"
        case unsupportedMediaType = "unsupported_media_type"
        case invalidImage = "invalid_image"
        case tooManyPixels = "too_many_pixels"
        case busy
        case failed
        case timeout
        case closing
        case unavailable

        var status: HTTPResponse.Status {
            switch self {
            case .invalidRequest: .badRequest
            case .unauthorized: .unauthorized
            case .notFound: .notFound
            case .methodNotAllowed: .methodNotAllowed
            case .bodyTimeout: .requestTimeout
            case .bodyTooLarge: .contentTooLarge
            case .unsupportedMediaType: .unsupportedMediaType
            case .invalidImage, .tooManyPixels: .unprocessableContent
            case .busy: .tooManyRequests
            case .failed: .internalServerError
            case .timeout, .closing, .unavailable: .serviceUnavailable
            }
        }
    }

    private struct Body: Encodable {
        struct Problem: Encodable {
            let code: String
            let message: String
        }

        let error: Problem
    }

    let code: Code
    let message: String
    var headers: HTTPFields = [:]

    var status: HTTPResponse.Status { code.status }

    init(_ code: Code, _ message: String, headers: HTTPFields = [:]) {
        (self.code, self.message, self.headers) = (code, message, headers)
        // A free worker or another instance may take the next attempt; clients are expected to wait longer each time.
        if [.busy, .closing, .timeout].contains(code) { self.headers[.retryAfter] = "1" }
    }

    /// Makes an error of ours out of one of Hummingbird's, and says nothing about others.
    init(_ error: any Error) {
        switch error {
        case let error as ServiceError: self = error
        case let error as any HTTPResponseError where error.status == .notFound:
            self.init(.notFound, "There is nothing at this address.")
        case let error as any HTTPResponseError where error.status == .contentTooLarge:
            self.init(.bodyTooLarge, "The body is too large.")
        case let error as any HTTPResponseError where (400..<500).contains(error.status.code):
            self.init(.invalidRequest, "The request is not valid.")
        default: self.init(.failed, "The request failed; the log of the service says why.")
        }
    }

    func response(from request: Request, context: some RequestContext) throws -> Response {
        try .json(Body(error: Body.Problem(code: code.rawValue, message: message)), status: status, headers: headers)
    }
}

extension Response {
    /// A value as JSON.
    static func json(
        _ value: some Encodable, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]
    ) throws -> Response {
        json(try JSON.data(value), status: status, headers: headers)
    }

    /// JSON that was encoded before.
    static func json(_ data: Data, status: HTTPResponse.Status = .ok, headers: HTTPFields = [:]) -> Response {
        var headers = headers
        headers[.contentType] = "application/json"
        return Response(status: status, headers: headers, body: ResponseBody(byteBuffer: ByteBuffer(bytes: data)))
    }
}
