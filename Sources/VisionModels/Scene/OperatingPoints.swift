// The choice of an operating point on the curve of a class. Comparisons with NaN are false, so NaN gives no point.

extension PrecisionRecallCurve {
    /// Returns the point with the highest threshold whose recall is at least this; nil where the class never reaches
    /// this recall.
    package func operatingPoint(forRecall recall: Float) -> Point? {
        points.filter { $0.recall >= recall }.max { ($0.threshold, $1.recall) < ($1.threshold, $0.recall) }
    }

    /// Returns the point with the highest recall whose precision is at least this; nil where the class never reaches
    /// this precision.
    package func operatingPoint(forPrecision precision: Float) -> Point? {
        points.filter { $0.precision >= precision }.max { ($0.recall, $0.threshold) < ($1.recall, $1.threshold) }
    }
}
