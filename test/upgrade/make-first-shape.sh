#!/bin/sh
# Makes what is kept in this folder, with the program of the first shape and nothing but its documented commands:
#   make-first-shape.sh <folder of that program, after npm ci> <new folder for the result>
set -eu
program=$(cd "$1" && pwd)
mkdir "$2"
out=$(cd "$2" && pwd)
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export ASSIZE_DATA="$work/data" PORT=18431 LOG_LEVEL=silent
assize() { (cd "$program" && node_modules/.bin/node src/cli/assize.ts "$@"); }

assize workspace create mill --name 'Mill & Co' > /dev/null
printf 'first shape, first password' | assize user create buyer@mill.example --workspace mill --role buyer --name 'Bea Buyer' --password-stdin > /dev/null
assize user create supplier@forge.example --workspace mill --role supplier --name 'Sam Supplier' > /dev/null
assize key create --workspace mill --name erp --json > "$work/key.json"
key=$(sed -n 's/.*"key": "\(.*\)".*/\1/p' "$work/key.json")

cat > "$work/first.csv" <<'CSV'
series,period,value,published,flag
CUSTOM/steel,2023-11,245.3,2023-12-13,
CUSTOM/steel,2024-01,249.10,2024-02-14,P
CUSTOM/steel,2024-02,251.7,2024-03-14,
CUSTOM/steel,2024-05,262.40,2024-06-13,
CUSTOM/steel,2024-08,270.05,2024-09-12,
CUSTOM/wages,2023-Q3,118.20,2023-11-30,
CUSTOM/wages,2023-Q4,119.00,2024-02-29,
CUSTOM/wages,2024-Q1,121.45,2024-05-31,
CUSTOM/wages,2024-Q2,124.6,2024-08-30,
CUSTOM/copper,2023,8470.944,2024-01-04,
CSV
cat > "$work/revised.csv" <<'CSV'
series,period,value,published,flag
CUSTOM/steel,2024-01,249.3,2024-03-14,R
CUSTOM/wages,2024-Q1,121.50,2024-08-30,
CUSTOM/copper,2024,9142.15,2025-01-03,
CSV
cat > "$work/brackets.yaml" <<'YAML'
slug: steel-brackets
name: Steel brackets
status: ACTIVE
contract:
  start: 2024-01-01
  frequency: QUARTERLY
  price: { amount: 12.40, currency: EUR, unit: piece, round: { dp: 2 } }
inputs:
  steel:  { series: CUSTOM/steel, weight: 0.35, base: 2023-11, lag: 2 months }
  labour: { series: CUSTOM/wages, weight: 0.25, base: 2023-Q3, lag: 2 quarters }
clause:
  fixed: 0.40
  threshold: { pct: 3, test: EXCEEDS, pays: ALL }
  cap: { periodPct: 5, cumulativePct: 15 }
  rounding: { percent: { dp: 2 } }
YAML
assize import "$work/first.csv" --workspace mill > /dev/null
assize pam apply "$work/brackets.yaml" --workspace mill > /dev/null
assize pam sign steel-brackets --workspace mill --period 2024-Q3 --party buyer --as buyer@mill.example --through > /dev/null
assize pam sign steel-brackets --workspace mill --period 2024-Q3 --party supplier --as supplier@forge.example --through > /dev/null
assize import "$work/revised.csv" --workspace mill > /dev/null
assize receipt steel-brackets --workspace mill --period 2024-Q3 > "$out/receipt.txt"

(cd "$program" && exec node_modules/.bin/node src/cli/assize.ts serve) > /dev/null 2>&1 &
server=$!
trap 'kill $server 2> /dev/null || true; rm -rf "$work"' EXIT
api="http://127.0.0.1:$PORT"
until curl -sf "$api/v1/health" > /dev/null; do sleep 0.2; done
ask() { curl -sf -H "Authorization: Bearer $key" "$api$1"; }
first() { sed 's/^{"data":\[{"id":"\([0-9a-z_]*\)".*/\1/'; }
series=$(ask /v1/series | first)
agreement=$(ask /v1/pams | first)
number=0
for path in /v1/series "/v1/series/$series/values" "/v1/series/$series/vintages" /v1/pams "/v1/pams/$agreement" \
  "/v1/pams/$agreement/values" "/v1/pams/$agreement/adjustment?period=2024-Q3"; do
  number=$((number + 1))
  echo "$path" >> "$out/calls.txt"
  ask "$path" > "$out/answer-$number.txt"
done
echo "$key" > "$out/key.txt"
kill $server
wait $server 2> /dev/null || true
assize verify --chain > "$out/chain.txt"
assize backup "$out/first-shape.backup" > /dev/null
chmod 644 "$out/first-shape.backup"
