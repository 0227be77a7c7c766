# Sourced by scripts that test a service: builds the local service, starts it on a free port with an empty data folder, and
# exports the variables of its demo.env, and the printed address of the desk as SUPPORT_DESK_URL. LOCAL names a binary to
# start instead, and is set to the one that was built: tests that kill a service start their own.
#
#   start_service TARGET FOLDER [OPTION...]     the folder of the build; the folder in which the data folder is made;
#                                               options of the local service
#   stop_service                    also if none was started

service=
data=
start_service() {
  local binary=${LOCAL:-}
  if [ -z "$binary" ]; then
    cargo build --manifest-path "$(dirname "${BASH_SOURCE[0]}")/../../Cargo.toml" --target-dir "$1" --workspace --bin local >&2
    binary=$1/debug/local
  fi
  export LOCAL=$binary
  data=$(mktemp -d "$2/data.XXXXXX")
  "$binary" --port 0 --data "$data" "${@:3}" >"$data/log" 2>&1 &
  service=$!
  for _ in $(seq 1 300); do
    ! grep -q '^Support Assistant Service' "$data/log" || break
    kill -0 "$service" 2>/dev/null || { cat "$data/log" >&2; exit 1; }
    sleep 0.1
  done
  set -a
  # shellcheck source=/dev/null
  . "$data/demo.env"
  SUPPORT_DESK_URL=$(sed -n 's/^  desk *\([^ ]*\) .*/\1/p' "$data/log")
  set +a
}
stop_service() {
  if [ -n "$service" ]; then
    kill "$service" 2>/dev/null || true
    wait "$service" 2>/dev/null || true
    rm -rf "$data"
  fi
}
