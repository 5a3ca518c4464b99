import CVisionVideo
import VisionFiles
import VisionThreads

/// A checked source in the form that C takes.
struct OpenRequest {
    private let kind: cvv_source_kind
    private let address: String
    private let prefix: [UInt8]
    private let options: DecoderOptions
    private let copy: String?
    private let size: String?
    private let rate: String?

    /// Checks the source, and copies the standard input where its container needs that.
    ///
    /// - Parameters:
    ///   - file: The path of a file source.
    ///   - name: The source for errors.
    init(
        _ source: VideoSource, file: String?, name: String, _ options: DecoderOptions,
        _ cancellation: VideoCancellation
    ) throws(VideoError) {
        var (kind, address, prefix, copy) = (CVV_FILE, file ?? "", [UInt8](), String?.none)
        switch source {
        case .file:
            do throws(RegularFileError) {
                // FFmpeg would wait forever for a pipe without a writer.
                _ = try RegularFile(path: address)
            } catch {
                throw VideoError(kind: .io, path: name, reason: error.reason)
            }
        case .standardInput:
            switch try StandardInput.open(cancellation, timeout: options.timeout) {
            case .pipe(let bytes): (kind, prefix) = (CVV_PIPE, bytes)
            case .copy(let path): (address, copy) = (path, path)
            }
        case .network(let url):
            guard let scheme = url.scheme?.lowercased(), VideoSource.schemes.contains(scheme), url.host != nil else {
                throw VideoError(
                    kind: .io, path: name, reason: "is not an address of http, https or rtsp")
            }
            (kind, address) = (CVV_NETWORK, url.absoluteString)
        case .device(let path):
            try Self.checkDevice(path)
            (kind, address) = (CVV_DEVICE, path)
        }
        guard !address.utf8.contains(0) else {
            if let copy { try? FileManager.default.removeItem(atPath: copy) }
            throw VideoError(kind: .io, path: name, reason: "contains a zero byte")
        }
        (self.kind, self.address, self.prefix, self.copy, self.options) = (kind, address, prefix, copy, options)
        size = options.deviceSize.map { "\($0.width)x\($0.height)" }
        rate = options.deviceRate.flatMap { $0.isFinite && $0 > 0 ? "\($0)" : nil }
    }

    /// Opening other devices may have effects: a tape rewinds, a terminal waits.
    private static func checkDevice(_ path: String) throws(VideoError) {
        var status = stat()
        guard !path.utf8.contains(0), stat(path, &status) == 0 else {
            throw VideoError(kind: .io, path: path, reason: "no such device")
        }
        // The major number of Video4Linux in the kernel's list of devices.
        let major = 81
        guard status.st_mode & S_IFMT == S_IFCHR, (status.st_rdev >> 8) & 0xfff == major else {
            throw VideoError(kind: .io, path: path, reason: "is not a Video4Linux device")
        }
    }

    /// Removes the copy of the standard input; an open file needs no name.
    func removeCopy() {
        if let copy { try? FileManager.default.removeItem(atPath: copy) }
    }

    func withSource(_ body: (UnsafePointer<cvv_source>) -> cvv_status) -> cvv_status {
        let wait = options.timeout.map { Int64(($0 / .milliseconds(1)).rounded(.up)) } ?? 0
        return address.withCString { address in
            prefix.withUnsafeBufferPointer { prefix in
                Self.withOptionalString(size) { size in
                    Self.withOptionalString(rate) { rate in
                        var source = cvv_source()
                        source.kind = kind
                        source.address = address
                        source.prefix = prefix.baseAddress
                        source.prefix_size = prefix.count
                        source.pixel_limit = Int64(options.pixelLimit)
                        // Decoding runs in parallel with the analysis; more threads only buffer more frames.
                        source.threads = Int32(min(Processors.count, 4))
                        source.timeout_milliseconds = wait
                        source.device_size = size
                        source.device_rate = rate
                        return body(&source)
                    }
                }
            }
        }
    }

    private static func withOptionalString(
        _ text: String?, _ body: (UnsafePointer<CChar>?) -> cvv_status
    ) -> cvv_status {
        guard let text else { return body(nil) }
        return text.withCString { body($0) }
    }
}
