import Foundation
import HTTPTypes
import Hummingbird
import VisionAnalysis

/// An image that was sent, with the arguments beside it: in the query, in fields of a form, or in JSON.
struct Upload: Sendable {
    let image: Data
    let arguments: AnalysisArguments

    /// The media types of bodies, besides those of images.
    static let mediaTypes = ["application/json", "application/octet-stream", "image/*", "multipart/form-data"]

    /// Refuses a body whose type is none of ours, before it is read.
    ///
    /// - Throws: `ServiceError`.
    static func check(_ headers: HTTPFields) throws {
        let type = mediaType(headers)
        if !type.value.hasPrefix("image/"), !mediaTypes.contains(type.value) {
            throw ServiceError(
                .unsupportedMediaType,
                "The Content-Type must be one of \(mediaTypes.joined(separator: ", ")), not \(type.value.prefix(60)).")
        }
        if type.value == "multipart/form-data" { _ = try boundary(type) }
    }

    /// Takes a body apart.
    ///
    /// - Throws: `ServiceError` where it is not what its type says, or arguments are given twice.
    init(_ body: Data, _ request: Request) throws {
        let query = try Self.query(request)
        let type = Self.mediaType(request.headers)
        switch type.value {
        case "application/json":
            let upload: AnalysisUpload
            do {
                upload = try AnalysisUpload(json: body)
            } catch {
                throw ServiceError(.invalidRequest, error.localizedDescription)
            }
            (image, arguments) = (upload.image, query.isEmpty ? upload.arguments : AnalysisArguments(texts: query))
            if !query.isEmpty, !upload.arguments.names.isEmpty { throw Self.twoPlaces }
        case "multipart/form-data":
            let form: MultipartForm
            do {
                form = try MultipartForm(body, boundary: try Self.boundary(type))
            } catch let error as MultipartForm.FormatError {
                throw ServiceError(.invalidRequest, error.reason)
            }
            let images = form.parts["image"] ?? []
            guard let image = images.first, images.count == 1 else {
                throw ServiceError(
                    .invalidRequest, "The form has \(images.count) parts \"image\"; it must have one.")
            }
            // The elements of a list may be parts of their own.
            let fields = form.parts.filter { $0.key != "image" }.mapValues { parts in
                parts.map { String(decoding: $0, as: UTF8.self) }.joined(separator: ",")
            }
            if !query.isEmpty, !fields.isEmpty { throw Self.twoPlaces }
            (self.image, arguments) = (image, AnalysisArguments(texts: query.isEmpty ? fields : query))
        default: (image, arguments) = (body, AnalysisArguments(texts: query))
        }
        guard !image.isEmpty else { throw ServiceError(.invalidRequest, "There is no image.") }
    }

    private static var twoPlaces: ServiceError {
        ServiceError(.invalidRequest, "There are arguments in the query and in the body; use one of them.")
    }

    private static func mediaType(_ headers: HTTPFields) -> HeaderValue {
        HeaderValue(headers[.contentType] ?? "application/octet-stream")
    }

    private static func boundary(_ type: HeaderValue) throws -> String {
        guard let boundary = type.parameters["boundary"], (1...70).contains(boundary.utf8.count) else {
            throw ServiceError(.invalidRequest, "The Content-Type has no valid boundary.")
        }
        return boundary
    }

    private static func query(_ request: Request) throws -> [String: String] {
        var query: [String: String] = [:]
        for pair in (request.uri.query ?? "").split(separator: "&") {
            let sides = pair.split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
            let decoded = sides.compactMap { $0.replacing("+", with: " ").removingPercentEncoding }
            guard decoded.count == sides.count, let name = decoded.first else {
                throw ServiceError(.invalidRequest, "The query is not valid.")
            }
            guard query.updateValue(decoded.count > 1 ? decoded[1] : "", forKey: name) == nil else {
                throw ServiceError(.invalidRequest, "The argument \"\(name.prefix(60))\" is given twice.")
            }
        }
        return query
    }
}
