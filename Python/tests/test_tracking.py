"""Objects that are followed from frame to frame."""

import threading

import numpy as np
import openvision
import pytest
from PIL import Image


@pytest.fixture
def video():
    """A textured square that moves over a textured ground, and where it is in each frame."""
    random = np.random.default_rng(5)
    ground = np.kron(random.integers(60, 120, (30, 40, 3)), np.ones((8, 8, 1))).astype(np.uint8)
    thing = np.kron(random.integers(130, 255, (6, 6, 3)), np.ones((8, 8, 1))).astype(np.uint8)
    frames, boxes = [], []
    for number in range(12):
        x, y = 40 + 6 * number, 60 + 3 * number
        frame = ground.copy()
        frame[y : y + 48, x : x + 48] = thing
        frames.append(frame)
        boxes.append((x, y, 48, 48))
    return frames, boxes


def overlap(target, box):
    """Intersection over union."""
    x, y, width, height = (target["box"][name] for name in ("x", "y", "width", "height"))
    across = min(x + width, box[0] + box[2]) - max(x, box[0])
    down = min(y + height, box[1] + box[3]) - max(y, box[1])
    both = max(across, 0) * max(down, 0)
    return both / (width * height + box[2] * box[3] - both)


@pytest.mark.parametrize("options", [
    {"revision": 1}, {"revision": 1, "level": "accurate"}, {},
])
def test_a_moving_thing_is_followed(video, options):
    frames, boxes = video
    found = list(openvision.track(frames, boxes[:1], **options))
    assert len(found) == len(frames)
    assert overlap(found[0][0], boxes[0]) > 0.99
    for targets, box in zip(found, boxes):
        assert len(targets) == 1
        assert overlap(targets[0], box) > 0.7
        assert 0 < targets[0]["confidence"] <= 1


def test_frames_are_taken_one_at_a_time(video):
    frames, boxes = video
    given = []

    def reading():
        for frame in frames:
            given.append(len(given))
            yield frame

    results = openvision.track(reading(), boxes[:1], revision=1)
    next(results)
    next(results)
    assert len(given) == 2
    assert list(openvision.track([], boxes[:1])) == []


def test_every_kind_of_frame_gives_the_same(video, tmp_path):
    frames, boxes = video
    expected = list(openvision.track(frames[:4], boxes[:1], revision=1))
    images = [Image.fromarray(frame) for frame in frames[:4]]
    assert list(openvision.track(images, boxes[:1], revision=1)) == expected
    paths = [tmp_path / f"{number}.png" for number in range(4)]
    for image, path in zip(images, paths):
        image.save(path)
    assert list(openvision.track(paths, boxes[:1], revision=1)) == expected
    data = [path.read_bytes() for path in paths]
    assert list(openvision.track(data, boxes[:1], revision=1)) == expected


def test_trackers_do_not_disturb_each_other(video):
    frames, boxes = video
    expected = list(openvision.track(frames, boxes[:1], revision=1))
    found = {}

    def run(number):
        found[number] = list(openvision.track(frames, boxes[:1], revision=1))

    threads = [threading.Thread(target=run, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(found[number] == expected for number in range(4))


@pytest.mark.parametrize("boxes, options, words", [
    ([], {}, "is empty"), ([(1, 2, 3)], {}, "not a valid box"), ([(1, 2, 0, 4)], {}, "not a valid box"),
    ([(1, 2, float("nan"), 4)], {}, "not"), ([(40, 60, 48, 48)], {"revision": 9}, "revision 9"),
    ([(40, 60, 48, 48)], {"revision": 1, "level": "slow"}, "slow"),
    ([(40, 60, 48, 48)], {"level": "fast"}, "revision 1"),
    ([(40, 60, 20, 20)] * 17, {"revision": 1}, "track"),
])
def test_what_cannot_be_tracked_is_an_error(video, boxes, options, words):
    with pytest.raises(openvision.OpenVisionError, match=words):
        openvision.Tracker(video[0][0], boxes, **options)


def test_frames_of_another_size_and_no_frames_are_errors(video):
    frames, boxes = video
    tracker = openvision.Tracker(frames[0], boxes[:1], revision=1)
    with pytest.raises(openvision.OpenVisionError, match="320 × 240"):
        tracker.next(frames[0][:-8])
    for frame in ["/nowhere/at/all.png", b"text", 7]:
        with pytest.raises(openvision.OpenVisionError, match="cannot be read"):
            tracker.next(frame)
    assert overlap(tracker.next(frames[1])[0], boxes[1]) > 0.7, "the tracker goes on"
