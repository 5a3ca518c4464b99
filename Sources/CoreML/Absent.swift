// Names of Core ML that public code uses and this package lacks: the compiler says so, not that it cannot find them.

/// Absent: tensors that are computed with outside of a model. Use `MLShapedArray`.
@available(*, unavailable, message: "OpenVision lacks MLTensor: compute with MLShapedArray or MLMultiArray")
public struct MLTensor {}

/// Absent: the devices on which the operations of a model run. Here all run on the CPU.
@available(*, unavailable, message: "OpenVision lacks MLComputePlan: all operations run on the CPU")
public final class MLComputePlan {}

/// Absent: the operations of a model.
@available(*, unavailable, message: "OpenVision lacks MLModelStructure: use `openvision profile`")
public enum MLModelStructure {}

/// Absent: training of a model on the device.
@available(*, unavailable, message: "OpenVision lacks MLUpdateTask: train with CreateML")
public final class MLUpdateTask {}
