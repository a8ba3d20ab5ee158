// Guide for callers of v1 besides the single routes, in a few sentences each, as Markdown. The description carries it in its head,
// and the page at /docs shows it; numbers come from where they are enforced.
import { limits } from '../../limits.ts'
import type { GuideSection } from '../api/operation.ts'

/** Placeholder that the page replaces with the address it was fetched from. */
export const exampleOrigin = 'http://127.0.0.1:8080'

const { seriesPage, valuesPage, requestsPerMinute, rateWindowMs } = limits
const curl = 'curl -H "Authorization: Bearer $ASSIZE_KEY" \\\n '

export const guide: readonly GuideSection[] = [
  {
    id: 'first-call',
    title: 'First call',
    text: `Put your API key into a variable and ask what an item costs today. The price for an invoice is the one that both parties signed; what waits for their signatures stands beside it as \`proposed\`.

\`\`\`sh
export ASSIZE_KEY=asz_live_…
${curl} '${exampleOrigin}/ext/v1/prices?item=BR-120'
\`\`\`

Ask which series you see, and take the newest values of one of them by its id.

\`\`\`sh
${curl} '${exampleOrigin}/v1/series'
export SERIES=ser_…    # an id from that answer
${curl} "${exampleOrigin}/v1/series/$SERIES/values?last=12"
\`\`\`

An adjustment says what moved a price, by the slug of its agreement: that of the newest period, signed or not (\`confirmed\`), or of the one you name with \`period\`.

\`\`\`sh
${curl} '${exampleOrigin}/v1/pams/steel-brackets/adjustment'
\`\`\`

Everything is read with \`GET\` (or \`HEAD\`) and answered as JSON. \`/v1\` and \`/api/v1\` are the same, byte for byte. A parameter that is unknown, repeated or out of range is refused with 400, never ignored: a mistyped \`asof\` is not answered with today’s value.`,
  },
  {
    id: 'authentication',
    title: 'Authentication',
    text: `Send \`Authorization: Bearer <key>\` with every request, exactly once; only \`/health\` needs none. A key belongs to one workspace and sees nothing else. It is shown once, when it is made (\`assize key create\`), and kept only as a digest.

A missing, wrong, expired or revoked key is answered with the same 401. To rotate, make a second key, change over, then revoke the first one; both work meanwhile. A revoked key is refused everywhere within 5 seconds.`,
  },
  {
    id: 'dates',
    title: 'Versions and dates',
    text: `Statistics are revised. Every value ever published is kept as a *vintage*, with two clocks: \`publishedAt\`, when the provider said it, and \`recordedAt\`, when this service stored it. Without a cut you get the newest vintage of each period.

- \`asOf\` cuts by publication: the values as they had been published by that day (to its end in UTC) or instant. Use it to ask what the parties could know on the day of an invoice.
- \`knownAt\` cuts by recording: the answer as this service gave it then. The same question gives the same bytes forever, after any later import, correction or restore. Use it to reproduce an old answer.
- \`version\` keeps only vintages with that tag (PRELIMINARY, FINAL, REVISED), after the cuts. A period without one is left out; nothing is substituted.

Each answer states what it used: \`versionTag\` on observations, \`dataVersion\` on adjustments. A period that both parties have signed keeps its number forever; \`asOf\` and \`version\` compute from data alone and leave signatures aside.`,
  },
  {
    id: 'numbers',
    title: 'Numbers',
    text: `Observations and computed values are decimals in text (\`"274.138"\`, \`"112.20"\`): the published digits come back as they were published. \`/adjustment\` writes JSON numbers; read them as decimals, not as binary floats, when you compute on. All arithmetic here is exact, and rounding happens only where the contract says so.`,
  },
  {
    id: 'paging',
    title: 'Paging',
    text: `The lists of series and agreements answer ${seriesPage.usual} items, at most ${seriesPage.most} with \`limit\`. While \`pagination.hasMore\` is true, ask again with \`cursor\` set to \`pagination.nextCursor\` and the same filters. A walk shows what was there when it began, each item once. A cursor that was changed, or belongs to another request, is refused with 400.

Values and vintages answer ${valuesPage.usual} periods, at most ${valuesPage.most}. When more match, the \`Link\` header with \`rel="next"\` is the next page; it carries \`knownAt\`, so that the whole walk is one snapshot. \`last=N\` gives the newest N instead.`,
  },
  {
    id: 'errors',
    title: 'Errors',
    text: `Every error is \`{"error": "…"}\` with one sentence for people. Decide by the status; quote \`X-Request-Id\` when you ask for help; send one of your own and it is taken over.

| Status | When | What to do |
|---|---|---|
| 400 | A parameter is unknown, repeated, malformed or out of range | Correct the request |
| 401 | The key is missing, wrong, expired or revoked | Check the key |
| 404 | There is no such thing, or it is not yours: the same answer. For an adjustment also: the period cannot be computed, and why | Check the identifier, or wait for the data |
| 405 | Another method than GET or HEAD | Correct the request |
| 429 | More requests than the limit allows | Wait \`Retry-After\` seconds |
| 500 | Something went wrong on our side | Try again with exponential backoff |
| 503 | Overload, or the database cannot be reached. No answer is ever given on a guess | Wait \`Retry-After\` seconds |

What HTTP itself refuses has the same shape: 408 for a request that does not arrive in time, 413 for a body that is too large, 417, and 431 for headers over ${limits.headerBytes / 1024} kB.`,
  },
  {
    id: 'limits',
    title: 'Limits',
    text: `A key may make ${requestsPerMinute} requests in any ${rateWindowMs / 1000} seconds (a sliding window), unless its workspace has another limit. Every answer to a valid key says where it stands:

\`\`\`http
RateLimit-Policy: "default";q=${requestsPerMinute};w=${rateWindowMs / 1000}
RateLimit: "default";r=42;t=17
\`\`\`

\`q\` requests in \`w\` seconds; \`r\` are left, and in \`t\` seconds there is one more. Beyond the limit the answer is 429 with \`Retry-After\`; waiting that long is always enough, and the refused request does not count.`,
  },
  {
    id: 'caching',
    title: 'Conditional requests',
    text: `Answers carry a strong \`ETag\`. Send it back as \`If-None-Match\`: when nothing has changed the answer is 304 without a body, which counts as a request but costs no transfer. Bodies over 1 kB are compressed with Brotli or gzip when you accept it. Answers are private to the key (\`Cache-Control: private\`, \`Vary: Authorization\`).`,
  },
  {
    id: 'receipts',
    title: 'Receipts',
    text: `A receipt holds everything needed to compute an adjustment again without this service: the formula, every observation with its vintage, each line with its exact value, the result. Keep it with the invoice and check it at any time, offline:

\`\`\`sh
${curl} '${exampleOrigin}/v1/pams/steel-brackets/adjustment/receipt' \\\n  > r.json
assize verify r.json
\`\`\`

It says “same”, or the first line that differs. The hash is what the parties sign; without our program, \`jq -cjS .body r.json | sha256sum\` gives it. The seal shows which installation issued the receipt, with which signatures of the parties and objections: it is an Ed25519 signature over the text that \`jq -cjS 'del(.body, .seal)' r.json | sha256sum\` gives. The public key is at \`/.well-known/assize-keys.json\`; keep it, and \`assize verify r.json --trust assize-keys.json\` takes no other.`,
  },
  {
    id: 'stability',
    title: 'Stability',
    text: `Within v1 nothing that is written here changes: documented objects neither gain nor lose fields. New things come as new optional parameters, new headers or new routes. Should something be retired, its answers carry the headers \`Deprecation\` (since when) and \`Sunset\` (until when) for at least 12 months before it goes. There are no webhooks or other events in v1.`,
  },
]
