#!/bin/sh
# Creates the bucket once the store answers: create-bucket.sh ENDPOINT BUCKET
# Docker waits for its end before it starts the service, so it gives up after three minutes and says why.
# Time is counted, not attempts: a name that is not found can take longer than an address that refuses.
set -eu
ask() {
  aws --cli-connect-timeout 5 --cli-read-timeout 5 --endpoint-url "$endpoint" s3api "$1" --bucket "$bucket" 2>&1
}
endpoint=$1 bucket=$2
end=$(($(date +%s) + 180))
export AWS_MAX_ATTEMPTS=1
while [ "$(date +%s)" -lt "$end" ]; do
  # Both answers are shown: the first one says "Not Found" of a missing bucket, and "Forbidden" of a wrong key.
  if found=$(ask head-bucket) || made=$(ask create-bucket); then
    exit 0
  fi
  printf 'The store at %s did not give the bucket %s: %s\n' "$endpoint" "$bucket" "$(echo "$found $made" | tr -s '\n' ' ')" >&2
  sleep 2
done
echo 'The service is not started. Is the store running, and are its AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY those of deploy/.env?' >&2
exit 1
