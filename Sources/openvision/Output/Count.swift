/// Numbers of things in sentences.
enum Count {
    /// Returns a text such as "1 class" or "3 classes".
    ///
    /// - Parameter plural: nil where only an "s" is added.
    static func text(_ number: Int, _ singular: String, _ plural: String? = nil) -> String {
        "\(number) \(number == 1 ? singular : plural ?? singular + "s")"
    }
}
