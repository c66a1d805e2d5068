#!/bin/sh
# reviewed.sh STACK FILE: gets the stack's preview of the merge request that this commit merged, from its newest plan, if that
# succeeded.
set -eu
project="$CI_API_V4_URL/projects/$CI_PROJECT_ID"
# The token stands in a file that curl reads, not among its arguments, which every process of the machine can see.
headers=$(mktemp)
trap 'rm -f "$headers"' EXIT
printf 'PRIVATE-TOKEN: %s\n' "$APPLY_READ_TOKEN" > "$headers"
api() { curl --fail --silent --show-error --header "@$headers" "$@"; }

request=$(api "$project/repository/commits/$CI_COMMIT_SHA/merge_requests" |
  jq -r --arg sha "$CI_COMMIT_SHA" --arg branch "$CI_DEFAULT_BRANCH" 'map(select(.state == "merged" and .target_branch == $branch
    and ([.merge_commit_sha, .squash_commit_sha, .sha] | index($sha)))) | first // empty | "\(.iid) \(.sha)"')
test -n "$request" || { echo "commit $CI_COMMIT_SHA comes from no merge request, so no plan of it was reviewed" >&2; exit 1; }
number=${request% *}
pipeline=$(api "$project/merge_requests/$number/pipelines?per_page=100" |
  jq -r --arg sha "${request#* }" 'map(select(.sha == $sha and .source == "merge_request_event")) | max_by(.id) | select(.status == "success") | .id // empty')
test -n "$pipeline" || { echo "the newest plan of merge request $number did not succeed, so none was reviewed" >&2; exit 1; }
job=$(api "$project/pipelines/$pipeline/jobs?scope[]=success&per_page=100" --globoff | jq -r 'map(select(.name == "plan")) | max_by(.id) | .id // empty')
test -n "$job" || { echo "pipeline $pipeline has no plan" >&2; exit 1; }
# GitLab may send on to where it stores files. The token does not go there.
elsewhere=$(api --output "$2" --write-out '%{redirect_url}' "$project/jobs/$job/artifacts/previews/$1.json")
test -z "$elsewhere" || curl --fail --silent --show-error --output "$2" "$elsewhere"
