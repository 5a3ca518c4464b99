/// The operators of TensorFlow Lite, in the order of their numbers.
package enum TFLiteBuiltin: CaseIterable, Sendable {
    case
        add, averagePool2D, concatenation, conv2D, depthwiseConv2D, depthToSpace, dequantize, embeddingLookup,
        floor, fullyConnected, hashtableLookup, l2Normalization, l2Pool2D, localResponseNormalization, logistic,
        lshProjection, lstm, maxPool2D, mul, relu, reluN1To1, relu6, reshape, resizeBilinear, rnn, softmax,
        spaceToDepth, svdf, tanh, concatEmbeddings, skipGram, call, custom, embeddingLookupSparse, pad,
        unidirectionalSequenceRnn, gather, batchToSpaceND, spaceToBatchND, transpose, mean, sub, div, squeeze,
        unidirectionalSequenceLstm, stridedSlice, bidirectionalSequenceRnn, exp, topkV2, split, logSoftmax,
        delegate, bidirectionalSequenceLstm, cast, prelu, maximum, argMax, minimum, less, neg, padv2, greater,
        greaterEqual, lessEqual, select, slice, sin, transposeConv, sparseToDense, tile, expandDims, equal,
        notEqual, log, sum, sqrt, rsqrt, shape, pow, argMin, fakeQuant, reduceProd, reduceMax, pack, logicalOr,
        oneHot, logicalAnd, logicalNot, unpack, reduceMin, floorDiv, reduceAny, square, zerosLike, fill, floorMod,
        range, resizeNearestNeighbor, leakyRelu, squaredDifference, mirrorPad, abs, splitV, unique, ceil,
        reverseV2, addN, gatherND, cos, `where`, rank, elu, reverseSequence, matrixDiag, quantize, matrixSetDiag,
        round, hardSwish, `if`, `while`, nonMaxSuppressionV4, nonMaxSuppressionV5, scatterND, selectV2, densify,
        segmentSum, batchMatmul, placeholderForGreaterOpCodes, cumsum, callOnce, broadcastTo, rfft2D, conv3D,
        imag, real, complexAbs, hashtable, hashtableFind, hashtableImport, hashtableSize, reduceAll,
        conv3DTranspose, varHandle, readVariable, assignVariable, broadcastArgs, randomStandardNormal, bucketize,
        randomUniform, multinomial, gelu, dynamicUpdateSlice, relu0To1, unsortedSegmentProd, unsortedSegmentMax,
        unsortedSegmentSum, atan2, unsortedSegmentMin, sign, bitcast, bitwiseXor, rightShift, stablehloLogistic,
        stablehloAdd, stablehloDivide, stablehloMultiply, stablehloMaximum, stablehloReshape, stablehloClamp,
        stablehloConcatenate, stablehloBroadcastInDim, stablehloConvolution, stablehloSlice, stablehloCustomCall,
        stablehloReduce, stablehloAbs, stablehloAnd, stablehloCosine, stablehloExponential, stablehloFloor,
        stablehloLog, stablehloMinimum, stablehloNegate, stablehloOr, stablehloPower, stablehloRemainder,
        stablehloRsqrt, stablehloSelect, stablehloSubtract, stablehloTanh, stablehloScatter, stablehloCompare,
        stablehloConvert, stablehloDynamicSlice, stablehloDynamicUpdateSlice, stablehloPad, stablehloIota,
        stablehloDotGeneral, stablehloReduceWindow, stablehloSort, stablehloWhile, stablehloGather,
        stablehloTranspose, dilate, stablehloRngBitGenerator, reduceWindow, stablehloComposite,
        stablehloShiftLeft, stablehloCbrt, stablehloCase

    /// The names that do not follow from the case's.
    private static let irregularNames: [Self: String] = [
        .reluN1To1: "RELU_N1_TO_1",
        .rfft2D: "RFFT2D",
        .conv3DTranspose: "CONV_3D_TRANSPOSE",
        .relu0To1: "RELU_0_TO_1",
    ]

    /// Nil for a number without a name.
    init?(code: Int) {
        guard Self.allCases.indices.contains(code) else { return nil }
        self = Self.allCases[code]
    }

    /// The name that the schema gives the operator: `averagePool2D` is AVERAGE_POOL_2D.
    package var name: String {
        if let name = Self.irregularNames[self] { return name }
        var name = ""
        var previous: Character = "A"
        for letter in "\(self)" {
            if letter.isUppercase, !previous.isUppercase, !(previous.isNumber && letter == "D") { name += "_" }
            name += letter.uppercased()
            previous = letter
        }
        return name.replacing("2D", with: "_2D").replacing("3D", with: "_3D")
    }
}
