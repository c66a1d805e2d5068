#!/bin/sh
# note.sh NUMBER REPORT: writes the report under the merge request, or over the one that it wrote before.
set -eu
notes="$CI_API_V4_URL/projects/$CI_PROJECT_ID/merge_requests/$1/notes"
marker=$(head -n 1 "$2")
# The token stands in a file that curl reads, not among its arguments, which every process of the machine can see.
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT
printf 'PRIVATE-TOKEN: %s\n' "$PLAN_NOTE_TOKEN" > "$headers"
api() { curl --fail --silent --show-error --header "@$headers" "$@"; }
me=$(api "$CI_API_V4_URL/user" | jq -r .id)
found=$(api "$notes?per_page=100&sort=asc" |
  jq -r --arg marker "$marker" --argjson me "$me" 'map(select(.author.id == $me and (.body | startswith($marker)))) | first | .id // empty')
if [ -n "$found" ]; then
  api --request PUT --data-urlencode "body@$2" --output /dev/null "$notes/$found"
else
  api --request POST --data-urlencode "body@$2" --output /dev/null "$notes"
fi
