// Fuzzes the importers of networks, and the engine with what they make of damaged files. Built and run by
// Scripts/fuzz.sh.
//
//   ModelFuzzer --seeds FOLDER               writes small models as seeds
//   ModelFuzzer --damage FOLDER SECONDS      damages the models of a folder in many ways
//   ModelFuzzer [libFuzzer's arguments]      mutates small models, guided by coverage

import CFuzzer
import Foundation

let arguments = CommandLine.arguments
if arguments.count == 3, arguments[1] == "--seeds" {
    try Seeds.write(to: URL(fileURLWithPath: arguments[2], isDirectory: true))
} else if arguments.count >= 4, arguments[1] == "--damage", let seconds = Double(arguments[3]) {
    let seed = arguments.count > 4 ? UInt64(arguments[4]) ?? 1 : 1
    try Damage.run(folder: URL(fileURLWithPath: arguments[2], isDirectory: true), seconds: seconds, seed: seed)
} else {
    var count = CommandLine.argc
    var values: UnsafeMutablePointer<UnsafeMutablePointer<CChar>?>? = CommandLine.unsafeArgv
    exit(
        LLVMFuzzerRunDriver(&count, &values) { data, size in
            // A copy of exactly the size of the data, so that the sanitizer detects reads beyond it.
            FuzzedModel.check(data.map { Data(bytes: $0, count: size) } ?? Data())
            return 0
        })
}
