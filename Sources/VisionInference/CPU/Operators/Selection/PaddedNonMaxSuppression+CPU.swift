extension PaddedNonMaxSuppression: PlainOperator {
    package func run(_ inputs: [TensorView?], _ outputs: [TensorView]) throws {
        let (boxes, scores) = (try required(inputs, 0), try required(inputs, 1))
        let (images, count, classes) = (scores.shape[0], scores.shape[1], scores.shape[2])
        let (boxRows, scoreRows) = (boxes.pointer(Float.self), scores.pointer(Float.self))
        let (chosenBoxes, chosenScores) = (outputs[0].pointer(Float.self), outputs[1].pointer(Float.self))
        let (indices, counts) = (outputs[2].pointer(Int32.self), outputs[3].pointer(Int32.self))
        for image in 0..<images {
            let chosen = choose(boxRows + image * count * 4, scoreRows + image * count * classes, count, classes)
            counts[image] = Int32(chosen.count)
            for row in 0..<limit {
                let (to, from) = (image * limit + row, row < chosen.count ? image * count + chosen[row] : nil)
                indices[to] = row < chosen.count ? Int32(chosen[row]) : -1
                for axis in 0..<4 { chosenBoxes[to * 4 + axis] = from.map { boxRows[$0 * 4 + axis] } ?? 0 }
                for kind in 0..<classes {
                    chosenScores[to * classes + kind] = from.map { scoreRows[$0 * classes + kind] } ?? 0
                }
            }
        }
    }

    private func choose(
        _ boxes: UnsafePointer<Float>, _ scores: UnsafePointer<Float>, _ count: Int, _ classes: Int
    ) -> [Int] {
        let best = (0..<count).map { row -> (kind: Int, score: Float) in
            let kind = (0..<classes).reduce(0) {
                scores[row * classes + $1] > scores[row * classes + $0] ? $1 : $0
            }
            return (kind, scores[row * classes + kind])
        }
        func isBetter(_ a: Int, _ b: Int) -> Bool {
            best[a].score > best[b].score || (best[a].score == best[b].score && a < b)
        }
        let order = best.indices.filter { best[$0].score >= threshold }.sorted(by: isBetter)
        guard !order.isEmpty else { return (0..<count).min(by: isBetter).map { [$0] } ?? [] }
        var chosen: [(row: Int, corners: NonMaxSuppression.Corners)] = []
        for row in order where chosen.count < limit {
            let corners = NonMaxSuppression.corners(centre: boxes + row * 4)
            let isCovered = chosen.contains { other in
                (!isPerClass || best[other.row].kind == best[row].kind)
                    && NonMaxSuppression.intersectionOverUnion(corners, other.corners) > overlap
            }
            if !isCovered { chosen.append((row, corners)) }
        }
        return chosen.map(\.row)
    }
}
