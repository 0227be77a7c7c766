#!/usr/bin/env bash
# Runs the tests of docs/RELIABILITY.md at full scale and prints a table of their figures, for that document.
#
#   run.sh [--part N/M]
#
# --part runs one of M parts: of the takeover races and of the faults every M-th from the N-th on, of the other runs
# every M-th. Four parts take at most half an hour each on two cores. The exit status is 1 if a run failed; its output
# is in target/soak.
set -euo pipefail
cd "$(dirname "${BASH_SOURCE[0]}")/../.."

part=1 parts=1
case ${1:-} in
  "") ;;
  --part) part=${2%/*} parts=${2#*/} ;;
  *)
    sed -n 's/^# \{0,1\}//; 2,8p' "${BASH_SOURCE[0]}" >&2
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
  "recount::the_figures_equal_a_recount_whatever_is_delivered_twice SUPPORT_TEST_OPERATIONS=10000"
  "bounded_lists::a_page_of_the_wiki_costs_the_same_of_a_thousand_long_entries_and_of_more SUPPORT_TEST_OPERATIONS=10000"
  "at_scale::three_days_of_retries_lose_no_delivery_and_repeat_no_success SUPPORT_TEST_OPERATIONS=10000"
  "at_scale::nothing_of_many_sessions_is_left_after_their_retention SUPPORT_TEST_OPERATIONS=10000"
)
runs=("${divided[@]}")
for number in "${!whole[@]}"; do
  if ((number % parts == part - 1)); then runs+=("${whole[$number]}"); fi
done

mkdir -p target/soak
cargo test --quiet --profile bench -p e2e --test e2e --no-run
status=0
echo "| test | figures | seconds |"
echo "|---|---|---|"
for run in "${runs[@]}"; do
  read -r test setting <<<"$run"
  log=target/soak/${test##*::}-$part.log
  began=$SECONDS outcome=failed
  if env "$setting" SUPPORT_TEST_PART="$part/$parts" \
    nice -n 19 cargo test --quiet --profile bench -p e2e --test e2e -- --exact "$test" --nocapture >"$log" 2>&1; then
    outcome=passed
  else
    status=1
  fi
  figures=$(sed -n 's/^.*figure: //p' "$log" | paste -sd ';' | sed 's/;/<br>/g')
  echo "| \`$test\`, $setting, part $part/$parts | $outcome<br>$figures | $((SECONDS - began)) |"
done
exit $status
