#!/bin/sh
# comment.sh NUMBER REPORT: writes the report under the pull request, or over the one that it wrote before.
set -eu
number=$1
report=$2
marker=$(head -n 1 "$report")
found=$(gh api --paginate "repos/$GITHUB_REPOSITORY/issues/$number/comments" |
  jq -r --arg marker "$marker" '.[] | select(.user.login == "github-actions[bot]" and (.body | startswith($marker))) | .id' |
  head -n 1)
if [ -n "$found" ]; then
  gh api --silent --method PATCH "repos/$GITHUB_REPOSITORY/issues/comments/$found" -F "body=@$report"
else
  gh api --silent --method POST "repos/$GITHUB_REPOSITORY/issues/$number/comments" -F "body=@$report"
fi
