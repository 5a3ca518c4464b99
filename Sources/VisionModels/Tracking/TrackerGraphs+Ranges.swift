// Made by Training/Tracking/ranges.py; not to be edited. See Training/Tracking/README.md for its data.

extension TrackerGraphs {
    /// The numbers that the bytes between the trunk's layers stand for.
    static let trunkRanges: [String: ClosedRange<Float>] = [
        "block0.project": -29.731...30.031,
        "block1.expand.relu6": 0...6,
        "block1.depthwise.relu6": 0...6,
        "block1.project": -40.195...43.743,
        "block2.expand.relu6": 0...6,
        "block2.depthwise.relu6": 0...6,
        "block2.project": -30.227...37.871,
        "block2.add": -48.96...42.886,
        "block3.expand.relu6": 0...6,
        "block3.depthwise.relu6": 0...6,
        "block3.project": -30.469...33.822,
        "block4.expand.relu6": 0...6,
        "block4.depthwise.relu6": 0...6,
        "block4.project": -20.538...18.146,
        "block4.add": -36.923...37.827,
        "block5.expand.relu6": 0...6,
        "block5.depthwise.relu6": 0...6,
        "block5.project": -28.375...26.617,
        "block6.expand.relu6": 0...6,
        "block6.depthwise.relu6": 0...6,
        "block6.project": -17.361...13.824,
        "block6.add": -26.954...28.581,
        "block7.expand.relu6": 0...6,
        "block7.depthwise.relu6": 0...6,
        "block7.project": -13.813...12.223,
    ]
}
