/// Layers that write to positions, slice at positions that are computed, and draw random numbers.
extension NeuralNetworkLayerDefinition {
    static let selection: [String: NeuralNetworkLayerDefinition] = [
        scattering, dynamicSlices, sorting, randomness,
    ].reduce(into: [:]) { $0.merge($1) { first, _ in first } }

    private static let scattering: [String: NeuralNetworkLayerDefinition] = [
        "scatter": .init { layer in
            try layer.scattered(
                layer.input(0), layer.input(1), layer.input(2), axis: layer.int(1), layer.scatterMode(2))
        },
        "scatterND": .init { layer in
            try layer.scatteredByRows(layer.input(0), layer.input(1), layer.input(2), layer.scatterMode(1))
        },
        "scatterAlongAxis": .init { layer in
            try layer.scatteredAlongAxis(
                layer.input(0), layer.input(1), layer.input(2), axis: layer.int(1), layer.scatterMode(2))
        },
    ]

    private static let dynamicSlices: [String: NeuralNetworkLayerDefinition] = [
        "sliceDynamic": .init { layer in try layer.dynamicSlice() },
        "sliceBySize": .init { layer in
            let input = try layer.input()
            let shape = try layer.shape(input)
            let axis = try shape.resolvedAxis(layer.int(3))
            let (begins, size) = (try layer.constantInts(1), try layer.int(2))
            guard let first = begins.first else { throw ModelError.invalid("no beginning") }
            let begin = first < 0 ? first + shape[axis] : first
            try layer.require(
                begin >= 0 && size >= 0 && begin <= shape[axis] && size <= shape[axis] - begin,
                "\(size) elements from \(first) on, of \(shape[axis])")
            return try layer.slice(input, from: [begin], to: [begin + size], axes: [axis])
        },
        "rangeDynamic": .init { layer in
            func bound(_ index: Int, _ field: Int) throws -> Graph.ValueID {
                guard layer.inputs.count > index else { return try layer.scalar(Double(layer.float(field)), .float32) }
                return try layer.reshape(layer.floats(layer.input(index)), [])
            }
            let end = try layer.reshape(layer.floats(layer.input(0)), [])
            return try layer.add(NumberRange(), [bound(1, 2), end, bound(2, 3)])
        },
        "copy": .init { layer in try layer.input() },
    ]

    private static let sorting: [String: NeuralNetworkLayerDefinition] = [
        "argSort": .init { layer in
            try layer.sortedIndices(layer.input(), axis: layer.int(1), ascending: !layer.bool(2), .float32)
        },
        "whereNonZero": .init { layer in try layer.nonZeroIndices(layer.input(), .float32) },
        "reverseSeq": .init { layer in
            try layer.add(
                ReverseSequence(batchAxis: layer.int(1), timeAxis: layer.int(2)),
                [layer.input(), layer.indices(layer.input(1))])
        },
        "matrixBandPart": .init { layer in
            try layer.band(layer.input(), lower: layer.int(1), upper: layer.int(2))
        },
        "lowerTriangular": .init { layer in
            try layer.add(Trilu(upper: false), [layer.input(), layer.scalar(Double(layer.int(1)), .int64)])
        },
        "upperTriangular": .init { layer in
            try layer.add(Trilu(upper: true), [layer.input(), layer.scalar(Double(layer.int(1)), .int64)])
        },
    ]

    // MARK: Random numbers

    private static let randomness: [String: NeuralNetworkLayerDefinition] = {
        let distributions: [String: @Sendable (NeuralNetworkLowering) throws -> RandomNumbers.Distribution] = [
            "randomNormal": { .normal(mean: try $0.float(2), deviation: try $0.float(3)) },
            "randomUniform": { .uniform(try $0.float(2), try $0.float(3)) },
            "randomBernoulli": { .bernoulli(try $0.float(2)) },
        ]
        var layers: [String: NeuralNetworkLayerDefinition] = [
            "categoricalDistribution": .init { layer in
                let indices = try layer.drawnIndices(
                    layer.input(), areLogarithms: layer.bool(3), epsilon: layer.float(4, orIfZero: 1e-10),
                    temperature: layer.float(5, orIfZero: 1), count: layer.int(2), seed: layer.int(1))
                return try layer.floats(indices)
            }
        ]
        for (name, distribution) in distributions {
            let shapeField = name == "randomBernoulli" ? 3 : 4
            layers["\(name)Like"] = .init { layer in
                try layer.randomNumbers(distribution(layer), seed: layer.int(1), layer.shape(layer.input()))
            }
            layers["\(name)Static"] = .init { layer in
                try layer.randomNumbers(distribution(layer), seed: layer.int(1), layer.ints(shapeField))
            }
            layers["\(name)Dynamic"] = .init { layer in
                try layer.randomNumbers(distribution(layer), seed: layer.int(1), layer.constantInts(0))
            }
        }
        return layers
    }()
}

extension NeuralNetworkLowering {
    fileprivate func scatterMode(_ field: Int) throws -> ScatterMode {
        let mode = try int(field)
        try require(ScatterMode.numbered.indices.contains(mode), "the mode \(mode)")
        return ScatterMode.numbered[mode]
    }

    /// Bounds, steps and masks come from inputs where there are such, else from the parameters.
    fileprivate func dynamicSlice() throws -> Value {
        let rank = try rank(input())
        func list(_ index: Int, _ field: Int?, default fallback: Int) throws -> [Int] {
            let given = try inputs.count > index ? constantInts(index) : field.map { try ints($0) } ?? []
            if given.isEmpty { return [Int](repeating: fallback, count: rank) }
            try require(given.count == rank, "\(given.count) bounds of \(rank) axes")
            return given
        }
        let begins = try list(1, nil, default: 0)
        let (ends, steps) = (try list(2, 3, default: 0), try list(3, 5, default: 1))
        let (opensBegin, opensEnd) = (try list(4, 2, default: 0), try list(5, 4, default: 0))
        let squeezed = try list(6, 6, default: 0)
        return try sliced(
            input(),
            (0..<rank).map { axis in
                SliceBounds(
                    begin: opensBegin[axis] != 0 ? nil : begins[axis], end: opensEnd[axis] != 0 ? nil : ends[axis],
                    step: steps[axis], isSqueezed: squeezed[axis] != 0)
            })
    }
}
