internal import CVisionKernels

/// How fast the processor multiplies bytes.
package enum ByteProducts {
    /// Whether it has an instruction for sums of four products of bytes. Networks in 8 bits take a third of the time of
    /// those in floats then; without it they gain little.
    package static var areFast: Bool { cvk_isa_in_use() == CVK_ISA_AVX512VNNI }
}
