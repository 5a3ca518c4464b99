internal import CVisionKernels

/// How fast the processor multiplies bytes.
package enum ByteProducts {
    /// Whether it has an instruction for sums of four products of bytes. A network in 8 bits takes about half of the
    /// time of the one in floats then.
    package static var areFast: Bool { cvk_isa_in_use() == CVK_ISA_AVX512VNNI }
}
