// Where on its curve a class is to be decided. Comparisons with a number that is none are false, so such a number gives
// no point.

extension PrecisionRecallCurve {
    /// The point where the recall is at least this, with the highest threshold: what is gained by lowering the
    /// threshold further was not asked for. nil where the class never reaches this recall.
    package func operatingPoint(forRecall recall: Float) -> Point? {
        points.filter { $0.recall >= recall }.max { ($0.threshold, $1.recall) < ($1.threshold, $0.recall) }
    }

    /// The point where the precision is at least this, with the highest recall: nothing has to be missed for a
    /// precision that was not asked for. nil where the class never reaches this precision.
    package func operatingPoint(forPrecision precision: Float) -> Point? {
        points.filter { $0.precision >= precision }.max { ($0.recall, $0.threshold) < ($1.recall, $1.threshold) }
    }
}
