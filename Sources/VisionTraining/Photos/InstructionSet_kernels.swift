internal import CVisionKernels

/// The instruction set in use, which the last bits of features depend on.
package enum InstructionSet {
    package static var name: String { String(cString: cvk_isa_name(cvk_isa_in_use())) }
}
