"""What images may be, and what is said of those that may not."""

import io
import threading

import numpy as np
import openvision
import pytest
from PIL import Image, ImageDraw


@pytest.fixture
def page():
    """A white page with a large word."""
    image = Image.new("RGB", (640, 200), "white")
    ImageDraw.Draw(image).text((40, 50), "HARBOUR 4711", fill="black", font_size=80)
    return image


@pytest.fixture
def card():
    """A bright card on a dark table."""
    array = np.full((240, 320, 3), 40, np.uint8)
    array[50:170, 60:220] = 230
    return array


def png(image):
    data = io.BytesIO()
    image.save(data, "PNG")
    return data.getvalue()


def test_every_kind_of_image_gives_the_same(page, tmp_path):
    path = tmp_path / "page.png"
    page.save(path)
    expected = openvision.text(page)
    assert [line["text"] for line in expected] == ["HARBOUR 4711"]
    array = np.asarray(page)
    data = png(page)
    kinds = [path, str(path), data, bytearray(data), memoryview(data), array, array[:, ::-1][:, ::-1]]
    for image in kinds:
        assert openvision.text(image) == expected
    rgba = openvision.text(page.convert("RGBA"))
    assert [line["text"] for line in rgba] == ["HARBOUR 4711"]
    assert openvision.text(np.asarray(page.convert("L")))[0]["text"] == "HARBOUR 4711"


def test_parts_of_arrays_are_read_where_they_are(card):
    whole = np.zeros((300, 400, 3), np.uint8)
    whole[30:270, 40:360] = card
    assert openvision.rectangles(whole[30:270, 40:360]) == openvision.rectangles(card)
    corners = openvision.rectangles(card)[0]["corners"]
    assert np.allclose(corners, [[60, 50], [220, 50], [220, 170], [60, 170]], atol=2)


def test_a_report_has_all_requests(card):
    report = openvision.analyze(card, ["horizon", {"name": "rectangles", "maximumCount": 1}])
    assert report["image"] == {"path": None, "width": 320, "height": 240}
    assert sorted(report["results"]) == ["horizon", "rectangles"]
    assert len(report["results"]["rectangles"]) == 1


def test_prints_are_vectors_of_length_one(card, page):
    first, second = openvision.feature_print(card), openvision.feature_print(page)
    assert first.dtype == np.float32 and first.shape == (512,)
    assert np.linalg.norm(first) == pytest.approx(1, abs=1e-4)
    assert openvision.distance(first, first) == 0
    assert 0.1 < openvision.distance(first, second) <= 2


def test_every_function_runs(card):
    for function in [
        openvision.classify, openvision.faces, openvision.people, openvision.animals, openvision.pose, openvision.hands,
        openvision.text, openvision.barcodes, openvision.rectangles, openvision.document, openvision.horizon,
        openvision.saliency,
    ]:
        assert isinstance(function(card), list), function.__name__
    assert openvision.classify(card, top=2)[0]["confidence"] <= 1
    assert len(openvision.classify(card, top=2, min_confidence=0, revision=4)) == 2


@pytest.mark.parametrize("image, words", [
    (b"", "empty"), (b"text", "does not begin as"), ("/nowhere/at/all.jpg", "cannot be read"), (7, "must be a path"),
    (np.zeros((4, 4)), "array of bytes"), (np.zeros((4, 4, 2), np.uint8), "shape"),
    (np.zeros((0, 4), np.uint8), "shape"), (np.zeros((2, 2, 2, 2), np.uint8), "axes"),
])
def test_what_is_no_image_is_an_error(image, words):
    with pytest.raises(openvision.OpenVisionError, match=words):
        openvision.analyze(image, "horizon")


def test_what_is_no_request_is_an_error(card):
    wrong = [("smell", "no request"), ([], "No request"), ({"top": 1}, "name"), (["text", "text"], "twice")]
    for requests, words in wrong:
        with pytest.raises(openvision.OpenVisionError, match=words):
            openvision.analyze(card, requests)
    with pytest.raises(openvision.OpenVisionError, match="top of classify"):
        openvision.classify(card, top=0)


def test_threads_may_call_at_once(card):
    expected = openvision.rectangles(card)
    found = []
    threads = [threading.Thread(target=lambda: found.append(openvision.rectangles(card))) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [expected] * 8
