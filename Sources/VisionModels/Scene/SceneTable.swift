extension StringProtocol where SubSequence == Substring {
    /// The parts between separators of a table's text. By bytes: to find characters takes ten times as long, and the tables
    /// are read when the first picture waits.
    func tableFields(_ separator: Unicode.Scalar, keepingEmpty: Bool = false) -> [Substring] {
        let text = self[...]
        return text.utf8.split(separator: UInt8(ascii: separator), omittingEmptySubsequences: !keepingEmpty)
            .map { Substring($0) }
    }
}
