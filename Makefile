# The commands for working on alertd; `make` alone lists them.

SWIFT      ?= swift
PREFIX     ?= /usr/local
DESTDIR    ?=
SYSCONFDIR ?= /etc
UNITDIR    ?= $(PREFIX)/lib/systemd/system

SWIFT_PATHS := Package.swift Sources Tests Examples
# What the programs do not use is left out: of the static library, and of our modules, whose functions get sections of
# their own and are not kept for others to link with. No names are exported. Libraries are not searched for in the
# directory of the program. Relative relocations take 6 kB instead of 670 kB, which each start would read; only lld can
# write them so, and glibc 2.36 can read them.
# The C++ library is linked statically as well: loading the shared one takes longer than all that a short command does.
# It is looked for when a recipe needs it, which is after `setup` has installed it.
CXX_LIBRARY = $(or $(shell Scripts/cxx-library),$(error there is no C++ library to link with))
RELEASE     = -c release --static-swift-stdlib --disable-local-rpath -Xswiftc -use-ld=lld \
               -Xswiftc -Xfrontend -Xswiftc -function-sections -Xswiftc -Xfrontend -Xswiftc -internalize-at-link \
               -Xlinker --gc-sections -Xlinker --no-export-dynamic -Xlinker -z -Xlinker pack-relative-relocs \
               -Xlinker '--remap-inputs=*/libstdc++.so=$(CXX_LIBRARY)' \
               -Xswiftc -Xclang-linker -Xswiftc -static-libgcc
# The addresses of library functions are looked up at the start, and their table is read-only from then on;
# Package.swift hardens the C modules.
RELEASE     += -Xlinker -z -Xlinker relro -Xlinker -z -Xlinker now -Xlinker -z -Xlinker noexecstack
# The same sources give the same bytes in any directory: paths are relative, and modules contain no hash of the
# compiler's options.
RELEASE     += -Xswiftc -file-prefix-map -Xswiftc $(CURDIR)=. -Xcc -ffile-prefix-map=$(CURDIR)=. \
               -Xswiftc -Xfrontend -Xswiftc -disable-incremental-llvm-codegen \
               -Xswiftc -Xfrontend -Xswiftc -no-clang-module-breadcrumbs
# Scripts/install replaces this id, of 16 bytes, by one that depends only on what is installed.
RELEASE     += -Xlinker --build-id=md5

export SWIFT PREFIX DESTDIR SYSCONFDIR UNITDIR

.DEFAULT_GOAL := help
.PHONY: help setup setup-all build run test test-programs test-browser test-system test-long deb simulator simulate
.PHONY: simulate-mutations prove-rules generate lint format bench fuzz docs
.PHONY: install uninstall clean generate-docs
.PHONY: release test-release check-reproducible

help: ## List these targets
	@Scripts/list-targets $(firstword $(MAKEFILE_LIST))

setup: ## Install the Debian packages that building and running need (Scripts/packages.txt)
	@Scripts/setup Building Running

setup-all:
	@Scripts/setup Building Running Testing Roots Packaging

build: setup ## Build a release of alertd and alertctl in .build/release
	$(SWIFT) build $(RELEASE) --product alertd
	$(SWIFT) build $(RELEASE) --product alertctl

run: ## Install what is missing, build, and run the daemon here, in the foreground, without root
	@Scripts/run-demo

test: setup-all ## Lint, build, and run all tests
	@Scripts/test

test-programs: setup-all ## Build, and run the unit tests and the end-to-end tests
	@Scripts/test --programs

test-browser: setup-all ## Use the page of alertctl web in Chromium
	$(SWIFT) build
	@Scripts/test-browser

test-system: deb ## Test the service under a real systemd, booted on several root file systems; needs root
	@Tests/System/run

test-long: setup-all ## All tests, in longer forms where they are exhaustive or random; takes an hour or two
	@ALERTD_LONG=1 Scripts/test
	@$(MAKE) --no-print-directory prove-rules simulate

simulator:
	$(SWIFT) build $(RELEASE) --product alertsim

simulate: setup simulator ## Simulate the daemon with random markets, faults, crashes (SEEDS=n, MINUTES=n, FIRST=seed)
	@Scripts/simulate

simulate-mutations: setup ## Plant mutations in the daemon, one at a time, and check that the simulation finds each
	@Scripts/simulate-mutations $(MUTATION)

prove-rules: setup ## Compare the rules with an independent implementation in 100,000 random cases (takes minutes)
	$(SWIFT) build --build-tests
	ALERTD_RULE_CASES=100000 $(SWIFT) test --skip-build --disable-xctest --filter NaiveRulesTests

generate: ## Write the JSON Schemas of the output of alertctl
	$(SWIFT) build --product interfacegen
	@rm -f share/alertd/schemas/*.json
	@.build/debug/interfacegen Sources/Edge/Control/org.alertd.Control.varlink \
		Sources/App/AlertClient/Reports/outputs.varlink share/alertd/schemas

lint: setup-all ## Check code, scripts, unit files and links
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_PATHS)
	@Scripts/lint

format: ## Format the Swift code in place
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_PATHS)

bench: setup ## Run the benchmarks, each with a reference for comparison
	$(SWIFT) build $(RELEASE) --product alertbench
	@.build/release/alertbench

fuzz: setup ## Fuzz each decoder with a million inputs (ENTRY=history-block for a single one)
	@Scripts/fuzz $(ENTRY)

docs: setup ## Write the reference of core modules and of the library as HTML to .build/docs
	@Scripts/docs package Time Market Events Rules Engine
	@Scripts/docs public ExchangeRates ReferenceRateFiles

generate-docs: setup ## Update the generated tables in docs/
	$(SWIFT) build --product alertd
	$(SWIFT) build --product alertctl
	@Scripts/generate-docs

deb: setup-all build ## Build a Debian package in .build/package and check it with lintian
	@Scripts/package

release: ## Build all that is published of a tagged version, signed (VERSION, KEY); see CONTRIBUTING.md
	@Scripts/setup Running Roots Packaging Releasing
	@Scripts/release '$(VERSION)'

test-release: ## Test the apt repository and the container of a release (VERSION), or of what `make deb` has built
	@Scripts/setup Running Roots Packaging Releasing
	@Tests/System/release $(if $(VERSION),.build/release-$(VERSION))

check-reproducible: ## Build the package of the current commit twice and compare the bytes; takes long
	@Scripts/setup Roots
	@Scripts/check-reproducible $(SUITE)

install: ## Install what `make build` has built (PREFIX, DESTDIR, SYSCONFDIR, UNITDIR)
	@Scripts/install

uninstall: ## Remove what `make install` installed, except settings and state
	@Scripts/uninstall

clean: ## Remove all build products and the files of `make run`
	rm -rf .build .run
