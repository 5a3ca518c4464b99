import Foundation
import Vision

/// The snippet of the guide about barcodes; returns what it prints.
func readBarcodes(in photo: URL) async throws -> [String] {
    var lines: [String] = []
    func print(_ line: String) { lines.append(line) }
    // snippet: barcodes
    var request = DetectBarcodesRequest()
    request.symbologies = [.qr, .ean13, .code128]  // all that can be read, unless said otherwise

    for code in try await request.perform(on: photo) {
        // Not every payload is text: payloadData has the bytes.
        let payload = code.payloadString ?? "\(code.payloadData?.count ?? 0) bytes"
        print("\(code.symbology): \(payload)")
    }
    // end
    return lines
}
