#!/usr/bin/env python3
"""Makes Core ML files with coremltools out of PyTorch networks with seeded weights and of scikit-learn models, and runs
the originals, for our side to compare; and checks packages that we wrote with coremltools' own loader.

    coreml.py make OUT [--filter TEXT]
    coreml.py check PACKAGE…

`make` writes arrays as .npy files, index.json with the networks (as models.py does) and tables.json with the others.
`check` turns programs back into coremltools' own form, which checks the types and shapes of every operation. See
accuracy-coreml.sh.
"""

import argparse
import collections
import copy
import json
import logging
import pathlib
import shutil
import sys
import warnings

warnings.filterwarnings("ignore")
logging.disable(logging.CRITICAL)

import coremltools as ct  # noqa: E402
import numpy as np  # noqa: E402

FLOAT_LIMIT, HALF_LIMIT = 1e-5, 1e-3
LAYERS = ("conv", "linear")


# Networks


def unet(tn):
    """A small U-Net: two levels, transposed convolutions and skip connections."""
    import torch

    def block(inputs, outputs):
        return tn.Sequential(
            tn.Conv2d(inputs, outputs, 3, padding=1), tn.BatchNorm2d(outputs), tn.ReLU(),
            tn.Conv2d(outputs, outputs, 3, padding=1), tn.InstanceNorm2d(outputs, affine=True), tn.LeakyReLU(0.1),
        )  # fmt: skip

    class UNet(tn.Module):
        def __init__(self):
            super().__init__()
            self.down = tn.ModuleList([block(3, 16), block(16, 32), block(32, 64)])
            self.up = tn.ModuleList([tn.ConvTranspose2d(64, 32, 2, 2), tn.ConvTranspose2d(32, 16, 2, 2)])
            self.join = tn.ModuleList([block(64, 32), block(32, 16)])
            self.last = tn.Conv2d(16, 2, 1)

        def forward(self, x):
            first = self.down[0](x)
            second = self.down[1](tn.functional.max_pool2d(first, 2))
            x = self.down[2](tn.functional.max_pool2d(second, 2))
            x = self.join[0](torch.cat([self.up[0](x), second], 1))
            x = self.join[1](torch.cat([self.up[1](x), first], 1))
            return torch.sigmoid(self.last(x))

    return UNet()


def text_encoder(tn):
    import torch

    class Encoder(tn.Module):
        def __init__(self):
            super().__init__()
            self.words, self.places = tn.Embedding(1000, 128), tn.Parameter(torch.randn(1, 24, 128) * 0.1)
            self.query, self.key, self.value = (tn.ModuleList(tn.Linear(128, 128) for _ in range(3)) for _ in range(3))
            self.out, self.norms = (
                tn.ModuleList(tn.Linear(128, 128) for _ in range(3)),
                tn.ModuleList(tn.LayerNorm(128) for _ in range(6)),
            )
            self.wide, self.narrow = (
                tn.ModuleList(tn.Linear(128, 512) for _ in range(3)),
                tn.ModuleList(tn.Linear(512, 128) for _ in range(3)),
            )

        def forward(self, tokens):
            x = self.words(tokens) + self.places
            for layer in range(3):
                y = self.norms[2 * layer](x)
                q, k, v = (
                    m[layer](y).reshape(1, 24, 4, 32).transpose(1, 2) for m in (self.query, self.key, self.value)
                )
                shares = torch.softmax(q @ k.transpose(-1, -2) / 32**0.5, -1)
                x = x + self.out[layer]((shares @ v).transpose(1, 2).reshape(1, 24, 128))
                x = x + self.narrow[layer](tn.functional.gelu(self.wide[layer](self.norms[2 * layer + 1](x))))
            return x, x.mean(1)

    return Encoder()


def lstm(tn):
    class Recurrent(tn.Module):
        def __init__(self):
            super().__init__()
            self.layers, self.last = tn.LSTM(32, 48, num_layers=2, bidirectional=True), tn.Linear(96, 10)

        def forward(self, x):
            return self.last(self.layers(x)[0])

    return Recurrent()


class Outputs:
    """Networks of torchvision that give dictionaries."""

    def __new__(cls, network):
        import torch

        class First(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.network = network

            def forward(self, x):
                return self.network(x)["out"]

        return First()


def networks():
    """(name, network, inputs) of PyTorch networks with seeded weights."""
    import torch
    import torchvision.models as vision

    image = torch.rand(1, 3, 224, 224)
    for name in ("mobilenet_v2", "mobilenet_v3_small", "mobilenet_v3_large", "resnet18", "resnet50", "squeezenet1_1",
                 "efficientnet_b0", "vit_b_16"):  # fmt: skip
        yield name, lambda name=name: getattr(vision, name)(weights=None), [image]
    deeplab = vision.segmentation.deeplabv3_mobilenet_v3_large
    yield "deeplabv3_mobilenet_v3", lambda: Outputs(deeplab(weights=None, weights_backbone=None)), [image]
    yield "unet", lambda: unet(torch.nn), [torch.rand(1, 3, 128, 96)]
    yield "text_encoder", lambda: text_encoder(torch.nn), [torch.randint(0, 1000, (1, 24), dtype=torch.int32)]
    yield "lstm", lambda: lstm(torch.nn), [torch.randn(20, 2, 32)]


def prepared(make):
    """A network for inference, its normalisations with statistics of their own, as if it had been trained."""
    import torch

    torch.manual_seed(1)
    network = make().eval()
    for module in network.modules():
        if isinstance(module, torch.nn.BatchNorm2d):
            module.running_mean.normal_(0, 0.05)
            module.running_var.uniform_(0.8, 1.2)
        if isinstance(module, torch.nn.Linear) and not module.weight.any():
            torch.nn.init.normal_(module.weight, 0, 0.02)
    return network


def outputs(network, inputs):
    import torch

    with torch.no_grad():
        made = network(*inputs)
    return [y.numpy() for y in (made if isinstance(made, (tuple, list)) else [made])]


def converted(network, inputs, **options):
    import torch

    types = [
        ct.TensorType(f"x{n}", shape=x.shape, dtype=np.float32 if x.is_floating_point() else np.int32)
        for n, x in enumerate(inputs)
    ]
    count = len(outputs(network, inputs))
    if options.get("convert_to") != "neuralnetwork":
        options["outputs"] = [ct.TensorType(f"y{n}") for n in range(count)]
    traced = torch.jit.trace(network, inputs, check_trace=False)
    return ct.convert(traced, inputs=types, skip_model_load=True, **options)


def program(network, inputs, half=False, target=ct.target.iOS16):
    precision = ct.precision.FLOAT16 if half else ct.precision.FLOAT32
    return converted(
        network, inputs, convert_to="mlprogram", compute_precision=precision, minimum_deployment_target=target
    )


# Compressed weights


def compressions():
    """(name, function of a model, deployment target)."""
    from coremltools.optimize import coreml as opt

    def linear(**options):
        config = opt.OpLinearQuantizerConfig(weight_threshold=512, **options)
        return lambda m: opt.linear_quantize_weights(m, config=opt.OptimizationConfig(global_config=config))

    def table(**options):
        config = opt.OpPalettizerConfig(weight_threshold=512, **options)
        return lambda m: opt.palettize_weights(m, config=opt.OptimizationConfig(global_config=config))

    def pruned(**options):
        config = opt.OpMagnitudePrunerConfig(weight_threshold=512, **options)
        return lambda m: opt.prune_weights(m, config=opt.OptimizationConfig(global_config=config))

    yield "linear8", linear(mode="linear_symmetric"), ct.target.iOS16
    yield "table8", table(mode="uniform", nbits=8), ct.target.iOS16
    yield "table4", table(mode="uniform", nbits=4), ct.target.iOS16
    yield "pruned", pruned(target_sparsity=0.6), ct.target.iOS16
    yield "linear4-blocks", linear(mode="linear_symmetric", dtype="int4", granularity="per_block"), ct.target.iOS18


def compressed(network, inputs, compress, target):
    """A compressed program, and the network with the weights that it decompresses to."""
    import torch
    from torch.fx.experimental.optimization import fuse

    network = fuse(network)
    model = program(network, inputs, target=target)

    def layers(model):
        return {op.name: op for op in model._mil_program.functions["main"].operations if op.op_type in LAYERS}

    known = [m for m in network.modules() if isinstance(m, (torch.nn.Conv2d, torch.nn.Linear))]
    owners = {}
    for name, op in layers(model).items():
        values = np.asarray(op.weight.val)
        for module in known:
            weights = module.weight.detach().numpy()
            if weights.shape == values.shape and np.array_equal(weights, values):
                owners[name] = module
    model = compress(model)
    result = copy.deepcopy(network)
    twins = dict(zip(network.modules(), result.modules()))
    for name, op in layers(model).items():
        source = op.weight.op
        values = source.materialized_val_inference() if source.op_type.startswith("constexpr") else op.weight.val
        if name not in owners:
            raise ValueError(f"the weights of {name} are not those of a layer")
        twins[owners[name]].weight.data = torch.tensor(np.asarray(values, np.float32))
    return model, result


# Files


class Folder:
    def __init__(self, out):
        self.out, self.networks, self.tables = out, [], []

    def add(self, name, model, inputs, expected, limit):
        """Saves a model with inputs and the outputs of the original."""
        is_program = model.get_spec().WhichOneof("Type") == "mlProgram"
        file = self.out / (name + (".mlpackage" if is_program else ".mlmodel"))
        shutil.rmtree(file, ignore_errors=True)
        model.save(str(file))
        names = [output.name for output in model.get_spec().description.output]
        run = {"range": "seeded", "inputs": {}, "outputs": {}, "exact": {}}
        for kind, arrays in (
            ("inputs", {f"x{n}": x.numpy() for n, x in enumerate(inputs)}),
            ("outputs", dict(zip(names, expected))),
        ):
            for index, (key, array) in enumerate(arrays.items()):
                if array.dtype == np.int32 and not is_program:
                    array = array.astype(np.float32)
                stored = f"{file.name}-{kind}-{index}.npy"
                np.save(self.out / stored, np.ascontiguousarray(array))
                run[kind][key] = stored
        path = file / "Data/com.apple.CoreML/model.mlmodel" if is_program else file
        self.networks.append(
            {"name": file.name, "path": str(path.resolve()), "engine": "PyTorch", "runs": [run], "limit": limit}
        )

    def attempt(self, name, body):
        print(f"{name} …", file=sys.stderr, flush=True)
        try:
            body()
        except Exception as error:  # noqa: BLE001 - what coremltools cannot make is told beside the figures
            lines = str(error).strip().splitlines()
            self.networks.append({
                "name": name, "path": "", "engine": "", "runs": [],
                "missing": lines[0] if lines else type(error).__name__,
            })  # fmt: skip

    def write(self):
        (self.out / "index.json").write_text(json.dumps(self.networks, indent=1) + "\n")
        (self.out / "tables.json").write_text(json.dumps(self.tables) + "\n")


def make_networks(folder, wanted):
    for name, make, inputs in networks():
        network = None

        def loaded():
            nonlocal network
            network = network or prepared(make)
            return network

        def single(half):
            model = program(loaded(), inputs, half)
            folder.add(f"{name}{'-half' if half else ''}", model, inputs, outputs(loaded(), inputs),
                       HALF_LIMIT if half else FLOAT_LIMIT)  # fmt: skip

        def layered():
            model = converted(
                loaded(), inputs, convert_to="neuralnetwork", minimum_deployment_target=ct.target.iOS14
            )
            folder.add(name, model, inputs, outputs(loaded(), inputs), FLOAT_LIMIT)

        for title, body in (
            (name, lambda: single(False)), (f"{name}-half", lambda: single(True)), (f"{name}.mlmodel", layered)
        ):  # fmt: skip
            if wanted in title:
                folder.attempt(title, body)
        if name not in ("mobilenet_v2", "resnet18"):
            continue
        for kind, compress, target in compressions():

            def smaller():
                model, exact = compressed(loaded(), inputs, compress, target)
                folder.add(f"{name}-{kind}", model, inputs, outputs(exact, inputs), FLOAT_LIMIT)

            if wanted in f"{name}-{kind}":
                folder.attempt(f"{name}-{kind}", smaller)


def make_tables(folder, wanted):
    """Models of scikit-learn on four numbers."""
    from sklearn import ensemble, linear_model, neighbors, pipeline, preprocessing, svm, tree
    from sklearn.impute import SimpleImputer

    rng = np.random.default_rng(0)
    x = rng.standard_normal((200, 4))
    number = x @ [1, 2, 3, 4] + np.sin(x[:, 0])
    two, three = (x[:, 0] * x[:, 1] > 0).astype(int), (x[:, 0] + x[:, 1] > 0.3).astype(int) + (x[:, 2] > 0.5)
    rows = rng.standard_normal((40, 4)).astype(np.float32).astype(float)
    chain = pipeline.Pipeline
    for name, model, y in (
        ("linear regression", linear_model.LinearRegression(), number),
        ("logistic regression", linear_model.LogisticRegression(multi_class="ovr"), two),
        ("logistic regression, 3", linear_model.LogisticRegression(multi_class="ovr"), three),
        ("decision tree", tree.DecisionTreeClassifier(max_depth=5), three),
        ("decision tree regression", tree.DecisionTreeRegressor(max_depth=5), number),
        ("random forest", ensemble.RandomForestClassifier(20, max_depth=5), three),
        ("random forest regression", ensemble.RandomForestRegressor(20, max_depth=5), number),
        ("gradient boosting", ensemble.GradientBoostingClassifier(n_estimators=20), two),
        ("gradient boosting, 3", ensemble.GradientBoostingClassifier(n_estimators=20), three),
        ("gradient boosting regression", ensemble.GradientBoostingRegressor(n_estimators=20), number),
        ("support vectors", svm.SVC(probability=True), three),
        ("support vectors, polynomial", svm.SVC(probability=True, kernel="poly"), two),
        ("nu support vectors", svm.NuSVC(nu=0.2, probability=True), three),
        ("support vector regression", svm.SVR(), number),
        ("nearest neighbours", neighbors.KNeighborsClassifier(5), three),
        ("scaler, logistic regression",
         chain([("s", preprocessing.StandardScaler()),
                ("m", linear_model.LogisticRegression(multi_class="ovr"))]), two),
        ("imputer, normaliser, forest",
         chain([("i", SimpleImputer()), ("n", preprocessing.Normalizer()),
                ("m", ensemble.RandomForestClassifier(5))]), three),
    ):  # fmt: skip
        if wanted not in name:
            continue
        print(f"{name} …", file=sys.stderr, flush=True)
        entry = {"name": name}
        try:
            model.fit(x, y)
            file = folder.out / (name.replace(" ", "-").replace(",", "") + ".mlmodel")
            ct.converters.sklearn.convert(model, ["a", "b", "c", "d"], "out").save(str(file))
            entry |= {"path": str(file.resolve()), "inputs": rows.tolist(), "names": ["a", "b", "c", "d"]}
            entry |= {"output": "out", "values": np.asarray(model.predict(rows), float).tolist()}
            if hasattr(model, "predict_proba"):
                entry["probabilities"] = model.predict_proba(rows).tolist()
        except Exception as error:  # noqa: BLE001 - what coremltools cannot make is told beside the figures
            entry["missing"] = str(error).strip().splitlines()[0]
        folder.tables.append(entry)


# Packages of ours


def check(packages):
    from coremltools.converters.mil.frontend.milproto.load import load

    failed = 0
    for path in packages:
        try:
            model = ct.models.MLModel(str(path), skip_model_load=True)
            spec = model.get_spec()
            kind = spec.WhichOneof("Type")
            if kind == "mlProgram":
                made = load(spec, specification_version=spec.specificationVersion, file_weights_dir=model.weights_dir)
                counts = collections.Counter(op.op_type for op in made.functions["main"].operations)
                kind = ", ".join(f"{key} {count}" for key, count in sorted(counts.items()) if key != "const")
            print(f"{path.name}: loads ({kind})")
        except Exception as error:  # noqa: BLE001 - every reason counts
            failed += 1
            print(f"{path.name}: {type(error).__name__}: {error}")
    sys.exit(1 if failed else 0)


def main():
    parser = argparse.ArgumentParser(prog="coreml.py")
    commands = parser.add_subparsers(dest="command", required=True)
    making = commands.add_parser("make")
    making.add_argument("out", type=pathlib.Path)
    making.add_argument("--filter", default="", help="only models whose name contains this")
    checking = commands.add_parser("check")
    checking.add_argument("packages", type=pathlib.Path, nargs="+")
    chosen = parser.parse_args()
    if chosen.command == "check":
        return check(chosen.packages)
    chosen.out.mkdir(parents=True, exist_ok=True)
    folder = Folder(chosen.out)
    make_networks(folder, chosen.filter)
    make_tables(folder, chosen.filter)
    folder.write()


if __name__ == "__main__":
    main()
