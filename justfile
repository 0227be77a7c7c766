# Short names for the usual commands; each works without `just`, too. `just --list` shows them.

# Run the service with a demo tenant
run *options:
    cargo run -p local -- {{options}}

# Run the unit tests and a few end-to-end tests
test-fast:
    cargo test --workspace --lib
    cargo test --workspace --test e2e -- messages:: sessions:: wiki::

# Run all tests
test:
    cargo test --workspace

# Run the end-to-end tests whose name contains FILTER
e2e filter:
    cargo test --workspace --test e2e -- {{filter}}

# Run a benchmark; BENCH_SCALE=0.1 makes a tenth of it
bench name:
    cargo bench -p local --bench {{name}}

# Format
fmt:
    cargo fmt --all

# Build the documentation of our crates and open it
doc:
    cargo doc --workspace --no-deps --open

# Run every fuzz target for two minutes
fuzz:
    BOLERO_RANDOM_TEST_TIME_MS=120000 cargo test -p fuzz

# Compare dependencies with known vulnerabilities (fetches the RustSec database)
advisories:
    cargo deny check advisories

# Run everything that a change must pass
ci:
    .ci/run

# Deploy an environment of samconfig.toml; `just deploy dev --check` only builds and checks
deploy environment *values:
    ./deploy {{environment}} {{values}}
