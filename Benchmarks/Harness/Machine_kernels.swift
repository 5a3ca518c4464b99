import CVisionKernels

/// The name of the instruction set that dispatched kernels use in this process.
func instructionSetInUse() -> String {
    String(cString: cvk_isa_name(cvk_isa_in_use()))
}
