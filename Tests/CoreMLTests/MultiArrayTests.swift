import CoreML
import XCTest

final class MultiArrayTests: XCTestCase {
    func testANewArrayHoldsZerosAndHasRowMajorStrides() throws {
        let array = try MLMultiArray(shape: [2, 3, 4], dataType: .float32)
        XCTAssertEqual(array.count, 24)
        XCTAssertEqual(array.shape, [2, 3, 4])
        XCTAssertEqual(array.strides, [12, 4, 1])
        XCTAssertEqual(array.dataType, .float32)
        XCTAssertTrue((0..<24).allSatisfy { array[$0] == 0 })
    }

    func testBothKindsOfIndicesReachTheSameElement() throws {
        for type in [MLMultiArrayDataType.double, .float32, .float16, .int32] {
            let array = try MLMultiArray(shape: [2, 3], dataType: type)
            for index in 0..<6 { array[index] = NSNumber(value: 10 + index) }
            XCTAssertEqual(array[[1, 2]], 15, "\(type)")
            array[[0, 1] as [NSNumber]] = -7
            XCTAssertEqual(array[1], -7, "\(type)")
        }
    }

    func testHalfPrecisionRounds() throws {
        let array = try MLMultiArray(shape: [1], dataType: .float16)
        array[0] = 0.1
        XCTAssertEqual(array[0].floatValue, Float(Float16(0.1)))
    }

    func testTheCallersMemoryIsUsedAndDeallocated() throws {
        let memory = UnsafeMutablePointer<Float>.allocate(capacity: 12)
        memory.initialize(repeating: 0, count: 12)
        for index in 0..<12 { memory[index] = Float(index) }
        var released: UnsafeMutableRawPointer?
        do {
            // Every second column of a 3 × 4 block.
            let array = try MLMultiArray(
                dataPointer: memory, shape: [3, 2], dataType: .float32, strides: [4, 2], deallocator: { released = $0 })
            XCTAssertEqual((0..<6).map { array[$0].floatValue }, [0, 2, 4, 6, 8, 10])
            array[[2, 1] as [NSNumber]] = 99
            XCTAssertEqual(memory[10], 99)
            XCTAssertNil(released)
        }
        XCTAssertEqual(released, UnsafeMutableRawPointer(memory))
        memory.deallocate()
    }

    func testImpossibleShapesAreRefused() throws {
        let huge = NSNumber(value: 1 << 40)
        for shape in [[-1], [huge, huge, huge], [huge, 4096]] as [[NSNumber]] {
            XCTAssertThrowsError(try MLMultiArray(shape: shape, dataType: .double), "\(shape)") {
                XCTAssertEqual(($0 as? MLModelError)?.code, .generic)
            }
        }
        var number: Float = 0
        XCTAssertThrowsError(try MLMultiArray(dataPointer: &number, shape: [1], dataType: .float32, strides: [1, 1]))
        XCTAssertThrowsError(try MLMultiArray(dataPointer: &number, shape: [2], dataType: .float32, strides: [-1]))
        XCTAssertThrowsError(
            try MLMultiArray(dataPointer: &number, shape: [2, huge], dataType: .float32, strides: [huge, huge]))
    }

    func testAnAxisOfNoElementsMakesAnEmptyArray() throws {
        let array = try MLMultiArray(shape: [0, 4], dataType: .float32)
        XCTAssertEqual(array.count, 0)
        XCTAssertEqual(array.shape, [0, 4])
    }

    func testCollectionsBecomeArraysOfTheirType() throws {
        XCTAssertEqual(try MLMultiArray([1.5, 2.5]).dataType, .double)
        XCTAssertEqual(try MLMultiArray([1.5, 2.5] as [Float]).dataType, .float32)
        XCTAssertEqual(try MLMultiArray([1.5] as [Float16]).dataType, .float16)
        let integers = try MLMultiArray([3, -4])
        XCTAssertEqual(integers.dataType, .int32)
        XCTAssertEqual(integers[1], -4)
        XCTAssertThrowsError(try MLMultiArray([Int.max]))
    }

    func testTypedBuffersShowTheMemory() throws {
        let array = try MLMultiArray(shape: [2, 2], dataType: .float32)
        array.withUnsafeMutableBufferPointer(ofType: Float.self) { values, strides in
            XCTAssertEqual(strides, [2, 1])
            for index in values.indices { values[index] = Float(index) / 2 }
        }
        XCTAssertEqual(array.withUnsafeBufferPointer(ofType: Float.self) { Array($0) }, [0, 0.5, 1, 1.5])
        XCTAssertEqual(array.withUnsafeBytes { $0.count }, 16)
        array.withUnsafeMutableBytes { bytes, _ in bytes.storeBytes(of: 7, as: Float.self) }
        XCTAssertEqual(array[0], 7)
    }

    func testArraysAreConcatenatedAlongAnyAxisWithConversion() throws {
        let first = try MLMultiArray(shape: [2, 1], dataType: .int32)
        (first[0], first[1]) = (1, 2)
        let second = try MLMultiArray(shape: [2, 2], dataType: .double)
        for index in 0..<4 { second[index] = NSNumber(value: 10 + index) }
        let joined = MLMultiArray(concatenating: [first, second], axis: -1, dataType: .float32)
        XCTAssertEqual(joined.shape, [2, 3])
        XCTAssertEqual((0..<6).map { joined[$0].intValue }, [1, 10, 11, 2, 12, 13])
    }

    func testArchivesKeepValuesAndGapsDoNotCount() throws {
        var memory: [Double] = [1, -1, 2, -1]
        try memory.withUnsafeMutableBytes { bytes in
            let base = try XCTUnwrap(bytes.baseAddress)
            let array = try MLMultiArray(dataPointer: base, shape: [2], dataType: .double, strides: [2])
            let data = try NSKeyedArchiver.archivedData(withRootObject: array, requiringSecureCoding: true)
            let back = try XCTUnwrap(NSKeyedUnarchiver.unarchivedObject(ofClass: MLMultiArray.self, from: data))
            XCTAssertEqual(back, array)
            XCTAssertEqual(back.strides, [1])
            back[1] = 3
            XCTAssertNotEqual(back, array)
        }
    }
}
