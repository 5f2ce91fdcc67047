# Everything a person types while working on alertd; `make` alone lists it.

SWIFT      ?= swift
PREFIX     ?= /usr/local
DESTDIR    ?=
SYSCONFDIR ?= /etc
UNITDIR    ?= $(PREFIX)/lib/systemd/system

SWIFT_PATHS := Package.swift Sources Tests Examples
RELEASE     := -c release --static-swift-stdlib

export SWIFT PREFIX DESTDIR SYSCONFDIR UNITDIR

.DEFAULT_GOAL := help
.PHONY: help setup setup-all build run test test-system deb prove-rules lint format bench fuzz docs
.PHONY: install uninstall clean

help: ## List these targets
	@Scripts/list-targets $(firstword $(MAKEFILE_LIST))

setup: ## Install the Debian packages that building and running need (Scripts/packages.txt)
	@Scripts/setup Building Running

setup-all:
	@Scripts/setup

build: setup ## Build the release of alertd and alertctl into .build/release
	$(SWIFT) build $(RELEASE) --product alertd
	$(SWIFT) build $(RELEASE) --product alertctl

run: build ## Run the daemon here, in the foreground, without root
	@Scripts/run-demo

test: setup-all lint ## Lint, build, and run all tests
	@Scripts/varlink-client
	$(SWIFT) build --build-tests
	ALERTD_VARLINK_PYTHON=$(CURDIR)/.build/varlink-client/bin/python $(SWIFT) test --skip-build --disable-xctest \
		--experimental-maximum-parallelization-width 4
	@Scripts/check-examples
	@if Tests/System/run --possible; then $(MAKE) --no-print-directory test-system; fi

test-system: deb ## Check the service under a real systemd, booted on several roots; needs root
	@Tests/System/run

prove-rules: setup ## Hold the rules against their second writing in the tests, 100,000 random cases (minutes)
	$(SWIFT) build --build-tests
	ALERTD_RULE_CASES=100000 $(SWIFT) test --skip-build --disable-xctest --filter NaiveRulesTests

lint: setup-all ## Check the format of the code, the scripts and the unit file
	$(SWIFT) format lint --strict --parallel --recursive $(SWIFT_PATHS)
	@Scripts/lint

format: ## Format the Swift code in place
	$(SWIFT) format --in-place --parallel --recursive $(SWIFT_PATHS)

bench: setup ## Print the benchmarks, each beside its reference
	$(SWIFT) build $(RELEASE) --product alertbench
	@.build/release/alertbench

fuzz: setup ## Try a million random inputs on each decoder (ENTRY=history-block for one)
	@Scripts/fuzz $(ENTRY)

docs: setup ## Write the reference of core modules and library as HTML into .build/docs
	@Scripts/docs package Market Rules
	@Scripts/docs public ExchangeRates ReferenceRateFiles

deb: setup-all build ## Make a Debian package of the release in .build/package, checked by lintian
	@Scripts/package

install: ## Install what `make build` made (PREFIX, DESTDIR, SYSCONFDIR, UNITDIR)
	@Scripts/install

uninstall: ## Remove what `make install` installed; settings and state stay
	@Scripts/uninstall

clean: ## Remove everything that was built, and the files of `make run`
	rm -rf .build .run
