#!/usr/bin/env bash
# Runs the tests of docs/RELIABILITY.md at full scale and prints a table of their figures.
#
#   run.sh [--part N/M | --part growth]
#
# --part runs one of M parts: of the takeover races and of the faults every M-th from the N-th on, of the other runs
# every M-th. Four parts take at most half an hour each on two cores. `--part growth` runs the tests that work on a text
# is linear, with its processor time. Without --part, everything runs. The exit status is 1 if a run failed; its output
# is in target/soak.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

part=1 parts=1
case ${1:-}:${2:-} in
  : | --part:growth) ;;
  --part:*/*) part=${2%/*} parts=${2#*/} ;;
  *)
    sed -n 's/^# \{0,1\}//; 2,9p' "${BASH_SOURCE[0]}" >&2
    exit 2
    ;;
esac

# Test, setting.
divided=(
  "inbox_races::many_agents_at_once_claim_each_customer_once_and_in_order SUPPORT_TEST_SEEDS=20"
  "inbox_races::a_fifth_of_all_replies_lost_loses_no_customer SUPPORT_TEST_SEEDS=20"
  "faults::every_use_case_survives_a_fault_at_every_call SUPPORT_TEST_SEEDS=1"
  "faults::every_use_case_survives_the_failure_of_a_fifth_of_all_calls SUPPORT_TEST_SEEDS=200"
)
whole=(
  "inbox_claim_races::whatever_agents_do_at_once_a_customer_is_in_one_hand_or_waits SUPPORT_TEST_OPERATIONS=50"
  "inbox_claim_races::a_scramble_of_everything_leaves_one_story SUPPORT_TEST_OPERATIONS=50"
  "idempotency::a_fault_at_any_call_leaves_one_effect_after_the_repetition SUPPORT_TEST_SEEDS=1"
  "recount::the_figures_equal_a_recount_whatever_is_delivered_twice SUPPORT_TEST_OPERATIONS=10000"
  "bounded_lists::a_page_of_the_wiki_costs_the_same_of_a_thousand_long_entries_and_of_more SUPPORT_TEST_OPERATIONS=10000"
  "dry_runs::a_run_of_removed_and_restored_entries_predicts_what_customers_get SUPPORT_TEST_OPERATIONS=10000"
  "dry_runs::a_run_by_vectors_predicts_what_99_of_100_customers_get SUPPORT_TEST_OPERATIONS=10000"
  "search_adapters::overlay::predictions_over_opensearch_come_true SUPPORT_TEST_OPERATIONS=10000"
  "search_adapters::overlay::predictions_by_vectors_over_opensearch_come_true_for_97_of_100_questions SUPPORT_TEST_OPERATIONS=10000"
  "at_scale::three_days_of_retries_lose_no_delivery_and_repeat_no_success SUPPORT_TEST_OPERATIONS=10000"
  "at_scale::nothing_of_many_sessions_is_left_after_their_retention SUPPORT_TEST_OPERATIONS=10000"
)

mkdir -p target/soak
status=0

# run NAME LOG COMMAND...: runs a test and prints its row of the table.
run() {
  local name=$1 log=target/soak/$2.log began=$SECONDS outcome=passed figures
  nice -n 19 "${@:3}" >"$log" 2>&1 || { outcome=failed && status=1; }
  figures=$(sed -n 's/^.*figure: //p' "$log" | paste -sd ';' | sed 's/;/<br>/g')
  echo "| $name | $outcome<br>$figures | $((SECONDS - began)) |"
}

at_scale() {
  local runs=("${divided[@]}") number test setting
  for number in "${!whole[@]}"; do
    if ((number % parts == part - 1)); then runs+=("${whole[$number]}"); fi
  done
  cargo test --quiet --profile bench --workspace --test e2e --no-run
  for test in "${runs[@]}"; do
    read -r test setting <<<"$test"
    run "\`$test\`, $setting, part $part/$parts" "${test##*::}-$part" env "$setting" SUPPORT_TEST_PART="$part/$parts" \
      cargo test --quiet --profile bench --workspace --test e2e -- --exact "$test" --nocapture
  done
}

# The crates that measure growth name it in their manifests. One test at a time: the others take its processor.
growth() {
  local crates
  mapfile -t crates < <(grep -l '^growth.workspace' {shared,functions}/*/Cargo.toml | xargs -n 1 dirname)
  run "processor time of work on texts" growth env SUPPORT_TEST_GROWTH=time \
    cargo test --quiet -p growth "${crates[@]/#*\//--package=}" --lib linear -- --test-threads=1
}

echo "| test | figures | seconds |"
echo "|---|---|---|"
case ${2:-} in
  growth) growth ;;
  '')
    at_scale
    growth
    ;;
  *) at_scale ;;
esac
exit $status
