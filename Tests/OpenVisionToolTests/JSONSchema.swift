import Foundation

/// Checks JSON against a schema, as far as `Documentation/json.schema.json` needs.
struct JSONSchema {
    /// The schema of what the tool prints.
    static var ofTheTool: JSONSchema? { file.schema }

    private struct File: @unchecked Sendable {
        // Unchecked: nothing changes it.
        let schema: JSONSchema?
    }

    private static let file = File(schema: read())

    private static func read() -> JSONSchema? {
        let url = URL(fileURLWithPath: #filePath).deletingLastPathComponent()
            .appendingPathComponent("../../Documentation/json.schema.json").standardizedFileURL
        guard let data = try? Data(contentsOf: url),
            let root = try? JSONSerialization.jsonObject(with: data) as? [String: Any]
        else { return nil }
        return JSONSchema(root: root)
    }

    let root: [String: Any]

    /// What is wrong with a value; empty where it fits.
    func problems(_ value: Any) -> [String] { problems(value, root, at: "") }

    private func problems(_ value: Any, _ schema: [String: Any], at path: String) -> [String] {
        if let reference = schema["$ref"] as? String {
            let definition = reference.split(separator: "/").dropFirst().reduce(root as Any?) { value, key in
                (value as? [String: Any])?[String(key)]
            }
            guard let definition = definition as? [String: Any] else { return ["\(path): no definition \(reference)"] }
            return problems(value, definition, at: path)
        }
        var found: [String] = []
        if let types = (schema["type"] as? [String]) ?? (schema["type"] as? String).map({ [$0] }),
            !types.contains(where: { Self.isOfType(value, $0) })
        {
            return ["\(path): \(value) is not \(types.joined(separator: " or "))"]
        }
        if let constant = schema["const"], (constant as? NSObject)?.isEqual(value as? NSObject) != true {
            found.append("\(path): \(value) is not \(constant)")
        }
        if let minimum = (schema["minimum"] as? NSNumber)?.doubleValue, let number = value as? NSNumber,
            number.doubleValue < minimum
        {
            found.append("\(path): \(number) is below \(minimum)")
        }
        if let choices = schema["oneOf"] as? [[String: Any]] { found += problems(value, oneOf: choices, at: path) }
        if let object = value as? [String: Any] { found += problems(of: object, schema, at: path) }
        if let array = value as? [Any] { found += problems(of: array, schema, at: path) }
        return found
    }

    private func problems(_ value: Any, oneOf choices: [[String: Any]], at path: String) -> [String] {
        let results = choices.map { problems(value, $0, at: path) }
        let fitting = results.count { $0.isEmpty }
        if fitting == 1 { return [] }
        // Of the schemas that do not match, report the errors of the closest one.
        return ["\(path): \(fitting) of \(choices.count) choices fit"]
            + (results.filter { !$0.contains { $0.hasPrefix("/kind") } }.min { $0.count < $1.count } ?? [])
    }

    private func problems(of object: [String: Any], _ schema: [String: Any], at path: String) -> [String] {
        let properties = schema["properties"] as? [String: [String: Any]] ?? [:]
        var found = (schema["required"] as? [String] ?? []).filter { object[$0] == nil }
            .map { "\(path)/\($0) is missing" }
        for (key, value) in object {
            if let property = properties[key] {
                found += problems(value, property, at: "\(path)/\(key)")
            } else if let others = schema["additionalProperties"] as? [String: Any] {
                found += problems(value, others, at: "\(path)/\(key)")
            } else if schema["additionalProperties"] as? Bool == false {
                found.append("\(path)/\(key) is not known")
            }
        }
        return found
    }

    private func problems(of array: [Any], _ schema: [String: Any], at path: String) -> [String] {
        var found: [String] = []
        if let least = schema["minItems"] as? Int, array.count < least { found.append("\(path): fewer than \(least)") }
        if let most = schema["maxItems"] as? Int, array.count > most { found.append("\(path): more than \(most)") }
        if let items = schema["items"] as? [String: Any] {
            for (index, item) in array.enumerated() { found += problems(item, items, at: "\(path)/\(index)") }
        }
        return found
    }

    private static func isOfType(_ value: Any, _ type: String) -> Bool {
        let number = value as? NSNumber
        let isTruth = number.map { String(cString: $0.objCType) == "c" } ?? false
        switch type {
        case "null": return value is NSNull
        case "string": return value is String
        case "object": return value is [String: Any]
        case "array": return value is [Any]
        case "boolean": return isTruth
        case "number": return number != nil && !isTruth
        case "integer": return number.map { !isTruth && $0.doubleValue == $0.doubleValue.rounded() } ?? false
        default: return false
        }
    }
}
