import ArgumentParser
@main struct OpenVisionCommand: ParsableCommand {}
