#!/bin/sh
# apply.sh STACK: applies a stack if its plan is still the reviewed one, and compares the plan with what happened.
set -eu
stack=$1
# The preview that the merge request showed. This branch's own tool reads it again.
sh ci/reviewed.sh "$stack" "$stack.reviewed-preview.json"
npx deployment-control plan --format json --out "$stack.reviewed.json" "$stack.reviewed-preview.json"
pulumi preview --stack "$stack" --json --show-sames > "$stack.preview.json"
npx deployment-control plan --expect "$stack.reviewed.json" "$stack.preview.json"
# A killed apply has left its work in the state, while its runner is gone. A doubt ends the script, and says what to do.
npx deployment-control recover --stack "$stack" > "$stack.recovered.txt" || doubtful=$?
cat "$stack.recovered.txt"
test -z "${doubtful:-}" || exit "$doubtful"
# The log holds the values of secrets in plaintext: nobody else can read it, and it goes with the script, failed or not.
umask 077
log=$(mktemp -d)
trap 'rm -rf "$log"' EXIT
trap 'exit 1' HUP INT TERM
# With hundreds of deployments; see the README first, and keep the journal's folder:
# export PULUMI_SKIP_CHECKPOINTS=true PULUMI_EXPERIMENTAL=true DEPLOYMENT_CONTROL_JOURNAL=/var/lib/deployment-control/journal
PULUMI_DEBUG_COMMANDS=true pulumi up --stack "$stack" --yes --skip-preview --event-log "$log/events.json" || failed=$?
test -s "$log/events.json" || exit "${failed:-1}"
npx deployment-control plan --result - --format markdown --out "$stack.result.md" "$stack.preview.json" < "$log/events.json" || wrong=$?
test ! -s "$stack.result.md" || cat "$stack.result.md"
exit "${failed:-${wrong:-0}}"
