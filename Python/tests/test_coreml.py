"""Models, compared with NumPy, and with files that coremltools writes where it is there."""

import numpy as np
import openvision
import pytest
from openvision.coreml import MLModel


@pytest.fixture
def linear(tmp_path):
    """A model of coremltools' builder: y = W x + b."""
    models = pytest.importorskip("coremltools.models")
    from coremltools.models.neural_network import NeuralNetworkBuilder

    weights = np.arange(6, dtype=np.float32).reshape(2, 3) / 7
    bias = np.array([0.5, -1], np.float32)
    builder = NeuralNetworkBuilder(
        [("x", models.datatypes.Array(3))], [("y", models.datatypes.Array(2))], disable_rank5_shape_mapping=True)
    builder.add_inner_product("fc", weights, bias, 3, 2, True, "x", "y")
    path = tmp_path / "linear.mlmodel"
    models.utils.save_spec(builder.spec, str(path))
    return path, weights, bias


def test_a_converted_model_gives_the_numbers_of_numpy(linear):
    path, weights, bias = linear
    model = MLModel(path)
    assert [feature["name"] for feature in model.inputs] == ["x"]
    x = np.array([1, -2, 3], np.float64)
    for given in [x, x.astype(np.float32), list(x)]:
        y = model.predict({"x": given})["y"]
        assert np.allclose(y, weights @ x + bias, atol=1e-6)


def test_wrong_inputs_are_errors(linear):
    model = MLModel(linear[0])
    for inputs in [{}, {"z": np.zeros(3)}, {"x": np.zeros((4, 4))}, {"x": np.zeros(0)}]:
        with pytest.raises(openvision.OpenVisionError):
            model.predict(inputs)


def test_what_is_no_model_is_an_error(tmp_path):
    for path in [tmp_path / "missing.mlmodel", tmp_path]:
        with pytest.raises(openvision.OpenVisionError):
            MLModel(path)
    file = tmp_path / "text.mlmodel"
    file.write_bytes(b"no model at all")
    with pytest.raises(openvision.OpenVisionError):
        MLModel(file)


def test_results_outlive_their_call(linear):
    path, weights, bias = linear
    y = [MLModel(path).predict({"x": np.eye(3)[index]})["y"] for index in range(3)]
    for index in range(3):
        assert np.allclose(y[index], weights[:, index] + bias, atol=1e-6)
