/// The containers of a pickle, by number.
struct PickleHeap {
    private(set) var tuples: [[PickleValue]] = []
    private(set) var lists: [[PickleValue]] = []
    private(set) var dictionaries: [[(key: PickleValue, value: PickleValue)]] = []

    mutating func tuple(_ items: [PickleValue]) -> PickleValue {
        tuples.append(items)
        return .tuple(tuples.count - 1)
    }

    mutating func emptyList() -> PickleValue {
        lists.append([])
        return .list(lists.count - 1)
    }

    mutating func emptyDictionary() -> PickleValue {
        dictionaries.append([])
        return .dictionary(dictionaries.count - 1)
    }

    mutating func append(_ items: ArraySlice<PickleValue>, to list: PickleValue) throws {
        guard case .list(let index) = list else {
            throw WeightFileError(.damaged, "the checkpoint appends to something that is no list")
        }
        lists[index].append(contentsOf: items)
    }

    /// - Parameter items: keys and values in turn.
    mutating func set(_ items: ArraySlice<PickleValue>, in dictionary: PickleValue) throws {
        guard case .dictionary(let index) = dictionary, items.count.isMultiple(of: 2) else {
            throw WeightFileError(.damaged, "the checkpoint sets keys in something that is no dictionary")
        }
        for key in stride(from: items.startIndex, to: items.endIndex, by: 2) {
            dictionaries[index].append((items[key], items[key + 1]))
        }
    }

    func items(ofTuple value: PickleValue) throws -> [PickleValue] {
        guard case .tuple(let index) = value else {
            throw WeightFileError(.damaged, "the checkpoint has something else where a tuple belongs")
        }
        return tuples[index]
    }

    func integers(ofTuple value: PickleValue) throws -> [Int] {
        try items(ofTuple: value).map { item in
            guard case .integer(let number) = item else {
                throw WeightFileError(.damaged, "the checkpoint has something else where a number belongs")
            }
            return number
        }
    }
}
