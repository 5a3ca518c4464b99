#!/usr/bin/env python3
"""Exports PyTorch networks with seeded weights as ONNX files, to be timed, and sums up their figures.

    networks.py export FOLDER [FILTER]
    networks.py summary FIGURES.json…

Files that are there already are kept. `summary` takes what compare.py wrote with --json, prints a row for each network
with the ratio to the better peer, and the geometric means. See bench-networks.sh.
"""

import argparse
import json
import math
import pathlib
import sys
import warnings

OPSET = 17
SIZES = {"inception_v3": 299}
CLASSIFIERS = [
    "mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "resnet18", "resnet50", "squeezenet1_1",
    "efficientnet_b0", "efficientnet_v2_s", "densenet121", "shufflenet_v2_x1_0", "mnasnet1_0", "googlenet",
    "inception_v3", "regnet_y_400mf", "regnet_x_400mf", "resnext50_32x4d", "convnext_tiny", "swin_t", "vit_b_16",
]  # fmt: skip
SEGMENTERS = ["deeplabv3_mobilenet_v3_large", "lraspp_mobilenet_v3_large"]
# Tokens of a text; steps of a sequence, and what a recurrent network reads at each of them.
TOKENS, WORDS = 77, 10_000
STEPS, FEATURES = 64, 128


def torchvision_models():
    """torchvision's models, also where its compiled operators are made for another PyTorch than the one at hand (one
    without CUDA, for instance): the networks here need none, but the import of the package wants some to be declared.
    """
    import torch

    try:
        import torchvision
    except RuntimeError:
        library = torch.library.Library("torchvision", "DEF")
        library.define("nms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        library.define("qnms(Tensor dets, Tensor scores, float iou_threshold) -> Tensor")
        for name in [name for name in sys.modules if name.split(".")[0] == "torchvision"]:
            del sys.modules[name]
        import torchvision
    return torchvision.models


def classifier(name):
    import torch

    unused = {"aux_logits": False} if name in ("googlenet", "inception_v3") else {}
    if unused:
        unused["init_weights"] = False  # a minute of sampling
    size = SIZES.get(name, 224)
    return getattr(torchvision_models(), name)(weights=None, **unused), torch.rand(1, 3, size, size)


def segmenter(name):
    import torch

    class Scores(torch.nn.Module):
        def __init__(self, network):
            super().__init__()
            self.network = network

        def forward(self, image):
            return self.network(image)["out"]

    network = getattr(torchvision_models().segmentation, name)(weights=None, weights_backbone=None)
    return Scores(network), torch.rand(1, 3, 520, 520)


def text_encoder():
    import torch
    from torch import nn

    class TextEncoder(nn.Module):
        """Six layers of width 512, as the text halves of vision-language models have."""

        def __init__(self):
            super().__init__()
            layer = nn.TransformerEncoderLayer(512, 8, 2048, activation="gelu", batch_first=True, norm_first=True)
            self.words = nn.Embedding(WORDS, 512)
            self.positions = nn.Parameter(torch.randn(1, TOKENS, 512) * 0.01)
            self.layers = nn.TransformerEncoder(layer, 6, enable_nested_tensor=False)

        def forward(self, tokens):
            return self.layers(self.words(tokens) + self.positions)

    return TextEncoder(), torch.randint(0, WORDS, (1, TOKENS))


def recurrent(kind):
    import torch

    class First(torch.nn.Module):
        """Two bidirectional layers."""

        def __init__(self):
            super().__init__()
            self.layers = getattr(torch.nn, kind)(FEATURES, 256, num_layers=2, bidirectional=True)

        def forward(self, values):
            return self.layers(values)[0]

    return First(), torch.randn(STEPS, 1, FEATURES)


def networks():
    """{name: a function that makes the network and its input}"""
    made = {name: lambda name=name: classifier(name) for name in CLASSIFIERS}
    made |= {name: lambda name=name: segmenter(name) for name in SEGMENTERS}
    return made | {"text_encoder": text_encoder} | {name.lower(): lambda name=name: recurrent(name)
                                                    for name in ("LSTM", "GRU")}


def export(folder, wanted):
    import torch

    warnings.filterwarnings("ignore")
    # The fused layer of PyTorch has no form in ONNX.
    torch.backends.mha.set_fastpath_enabled(False)
    folder.mkdir(parents=True, exist_ok=True)
    for name, make in networks().items():
        file = folder / f"{name}.onnx"
        if wanted not in name or file.exists():
            continue
        torch.manual_seed(1)
        network, values = make()
        unfinished = file.with_suffix(".part")
        torch.onnx.export(network.eval(), (values,), unfinished, opset_version=OPSET, dynamo=False)
        unfinished.rename(file)
        print(f"exported {name}", flush=True)


def summary(files):
    rows = [row for file in files for row in json.loads(file.read_text())["rows"]]
    figures = {}
    for row in rows:
        _, network, clients = row["what"].split("/")
        figures.setdefault((network.removesuffix(".onnx"), int(clients.split("-")[0])), {})[row["peer"]] = row
    peers = list(dict.fromkeys(row["peer"] for row in rows))
    print("| network | threads | ours, ms | " + " | ".join(f"{peer}, ms" for peer in peers) + " | ours / the better |")
    print("|---|---:|---:|" + "---:|" * len(peers) + "---:|")
    ratios = {}
    for (network, threads), results in sorted(figures.items()):
        timed = [row for row in results.values() if row["ratio"]]
        if not timed:
            continue
        better = max(timed, key=lambda row: row["ratio"])
        ratios.setdefault(threads, []).append(better["ratio"])
        cells = [f"{better['ours_ms']:.4g}"]
        cells += [f"{results[peer]['peer_ms']:.4g}" if results.get(peer, {}).get("ratio") else "not run"
                  for peer in peers]
        low, high = better["spread"]
        print(f"| {network} | {threads} | " + " | ".join(cells) + f" | {better['ratio']:.3f} ({low:.2f}-{high:.2f}) |")
    for threads, values in sorted(ratios.items()):
        mean = math.exp(sum(map(math.log, values)) / len(values))
        print(f"\n{threads} thread{'s' * (threads > 1)}: geometric mean {mean:.3f}, the largest {max(values):.3f}, "
              f"above 1: {sum(value > 1 for value in values)} of {len(values)}")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("export")
    making.add_argument("folder", type=pathlib.Path)
    making.add_argument("filter", nargs="?", default="")
    commands.add_parser("summary").add_argument("files", nargs="+", type=pathlib.Path)
    chosen = parser.parse_args()
    if chosen.command == "export":
        export(chosen.folder, chosen.filter)
    else:
        summary(chosen.files)


main()
