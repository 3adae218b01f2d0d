# Sets up, builds and runs Carpool; `make help` lists what there is. CMake does the building.

MPI    ?= mpich
MPICC  ?= mpicc
PRESET ?= $(if $(filter none,$(MPI)),core-only,dev)
JOBS   ?= $(shell nproc 2>/dev/null || echo 2)
PREFIX ?= $(CURDIR)/build/install
LABELS ?= .
SANITIZE ?= $(if $(filter none,$(MPI)),no,yes)

venv  := .venv-$(MPI)
# Each MPI has build folders of its own: build/system-mpicc.openmpi-dev
other = $(if $(filter system,$(MPI)),$(filter-out mpicc,$(MPICC)))
build = build/$(MPI)$(subst /,_,$(other:%=-%))-$(1)

# $(call configure,PRESET) and $(call compile,PRESET,TARGET)
configure = cmake --preset $(1) -B $(call build,$(1)) -G Ninja --log-level=WARNING \
	-DCMAKE_MAKE_PROGRAM=$(CURDIR)/$(venv)/bin/ninja \
	-DPython3_EXECUTABLE=$(CURDIR)/$(venv)/bin/python \
	-DCARPOOL_MPI=$(if $(filter none,$(MPI)),OFF,$(MPI)) \
	$(if $(filter system,$(MPI)),-DMPI_C_COMPILER=$(MPICC)) $(CMAKE_ARGS) >/dev/null
compile = $(call configure,$(1)) && cmake --build $(call build,$(1)) -j $(JOBS) --target $(2)
run_tests = ctest --test-dir $(call build,$(1)) -j $(JOBS) --output-on-failure
run_python = CARPOOL_MPI=$(MPI) CARPOOL_BUILD=$(CURDIR)/$(call build,$(1)) $(venv)/bin/python

ifeq ($(MPI),system)
export MPICC
endif

.PHONY: all help setup build cli demo bench test nightly install format check-format layers clean \
	distclean

all: build

help:
	@echo 'make demo           the Taylor-Green vortex, checked and timed'
	@echo 'make test           every test, then unit and MPI tests under the sanitizers'
	@echo 'make bench          the benches; writes JSON and an HTML page'
	@echo 'make build          the library and all programs, PRESET=$(PRESET)'
	@echo 'make cli            the command carpool, also with MPI=none'
	@echo 'make install        the release library to PREFIX=$(PREFIX)'
	@echo 'make nightly        a million random cases through planners and verifier, all sizes'
	@echo 'make format         clang-format; check-format only looks, layers checks includes'
	@echo 'make clean          removes build/; distclean also the virtual environments'
	@echo 'MPI=mpich           (default), openmpi, system (mpicc on the PATH) or none (core only)'
	@echo 'MPICC=mpicc.openmpi with MPI=system: that one on the PATH, or a path'
	@echo 'SANITIZE=no         leaves the sanitized half of make test out'
	@echo "LABELS='mpi|unit'   runs only these tests; see README.md"

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

bench: setup
	@$(call compile,release,bench)
	@$(call run_python,release) bench/run.py $(ARGS)

test: setup
	@$(call compile,$(PRESET),all)
	$(call run_tests,$(PRESET)) --label-regex '$(LABELS)'
ifneq ($(SANITIZE),no)
	@$(call compile,sanitize,all)
	$(call run_tests,sanitize) --label-regex '^(unit|mpi)$$'
endif

nightly: setup
	@$(call compile,release,unit_random_exchanges unit_collectives unit_collectives_large \
		unit_ways)
	CARPOOL_RANDOM_CASES=1000000 $(call build,release)/tests/unit/unit_random_exchanges
	CARPOOL_RANDOM_CASES=1000000 $(call build,release)/tests/unit/unit_collectives
	CARPOOL_MOST_RANKS=4096 $(call build,release)/tests/unit/unit_ways
	CARPOOL_MOST_MESSAGES=10000000 $(call build,release)/tests/unit/unit_collectives_large
ifneq ($(MPI),none)
	@$(call compile,release,mpi_exchange mpi_sparse mpi_alltoall_once)
	for ranks in 13 29 40 63 64 65; do for test in exchange sparse alltoall_once; do \
		$(call run_python,release) tools/launch -n $$ranks --timeout 900 \
			$(call build,release)/tests/mpi/mpi_$$test || exit 1; \
	done; done
endif

# Without MPI there is no library to install, only the command.
install: setup
	@$(call compile,release,$(if $(filter none,$(MPI)),,carpool) carpool_planner)
	cmake --install $(call build,release) --prefix $(PREFIX)

sources = $(shell find include src cli demo examples bench tests -name '*.[ch]pp' -o -name '*.[ch]')

format check-format:
	@tools/setup dev
	@.venv-dev/bin/clang-format $(if $(filter format,$@),-i,--dry-run --Werror) $(sources)

layers:
	@python3 tools/check_layers

clean:
	rm -rf build

distclean: clean
	rm -rf .venv-mpich .venv-openmpi .venv-system .venv-none .venv-dev
